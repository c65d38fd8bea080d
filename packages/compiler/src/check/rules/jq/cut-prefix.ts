import type { Call } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const cutPrefix = defineRule<{ prefix: string; cut: string; instead: string }>({
  id: "jq/cut-prefix",
  severity: "warning",
  summary: "Another prefix is cut off than the one that was asked for",
  why: "What begins with `extra_` keeps its `_` if only `extra` is cut off. Names with a sign too much or too little are the names of nothing: the values under them are dropped.",
  guards: ["D23", "command.!jq"],
  message: ({ prefix, cut }) => `This cuts \`${cut}\` off texts that begin with \`${prefix}\`.`,
  because: ({ prefix, cut }) => [
    `\`startswith("${prefix}")\` selects \`${prefix}size\``,
    `without \`${cut}\` it is \`${`${prefix}size`.slice(cut.length)}\``,
  ],
  help: ({ prefix }) => `Cut off \`${prefix}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "with_entries(select(.key | startswith(\\"extra_\\")) | .key |= ltrimstr(«\\"extra\\"»))"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "with_entries(select(.key | startswith(\\"extra_\\")) | .key |= ltrimstr(\\"extra_\\"))"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "with_entries(select(.key | startswith(\\"extra_\\")) | .key |= ltrimstr(\\"extra_\\"))"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [cutPrefix],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/startswith/.test(node.value) || !/ltrimstr/.test(node.value)) return;
      const calls = nodesOfKind(program, "Call");
      const [asked, ...others] = calls.filter(({ name }) => name.text === "startswith").map(prefixOf);
      // Of several prefixes each may be meant.
      if (asked === undefined || others.some((each) => each !== asked)) return;
      for (const call of calls) {
        const cut = call.name.text === "ltrimstr" ? prefixOf(call) : undefined;
        const [argument] = call.arguments;
        if (cut === undefined || cut === asked || argument === undefined) continue;
        // What is cut off further is a part of the name.
        if (asked.startsWith(cut) && cut !== "" && /^[_.:/-]+$/.test(asked.slice(cut.length)))
          report(
            cutPrefix,
            { node, from: argument.start, to: argument.end },
            { prefix: asked, cut, instead: JSON.stringify(asked) },
          );
      }
    },
  },
};
export default module;

function prefixOf({ arguments: [argument] }: Call): string | undefined {
  const prefix = argument === undefined ? undefined : constantOf(argument);
  return typeof prefix === "string" ? prefix : undefined;
}
