import type { Call, Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const cutPrefix = defineRule<{ prefix: string; cut: string | number; instead: string }>({
  id: "jq/cut-prefix",
  severity: "warning",
  summary: "Another prefix is cut off than the one that was asked for",
  why: "What begins with `extra_` keeps its `_` if only `extra` is cut off. Names with a sign too much or too little are the names of nothing: the values under them are dropped.",
  guards: ["D23", "command.!jq"],
  message: ({ prefix, cut }) =>
    typeof cut === "number"
      ? `This cuts ${cut} characters off texts that begin with \`${prefix}\`.`
      : `This cuts \`${cut}\` off texts that begin with \`${prefix}\`.`,
  because: ({ prefix, cut }) => {
    const text = typeof cut === "number" ? `${prefix}171555` : `${prefix}size`;
    return [
      `\`startswith("${prefix}")\` selects \`${text}\``,
      typeof cut === "number"
        ? `\`${text.slice(cut)}\` is left of it`
        : `without \`${cut}\` it is \`${text.slice(cut.length)}\``,
    ];
  },
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
    {
      title: "By the number of its characters",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, phone: (.phone | if startswith(\\"0\\") then \\"+49\\" + .[«2»:] else . end)}"}',
      good: '{"!jq": "{email: .email, phone: (.phone | if startswith(\\"0\\") then \\"+49\\" + .[1:] else . end)}"}',
      fixed:
        '{"!jq": "{email: .email, phone: (.phone | if startswith(\\"0\\") then \\"+49\\" + .[1:] else . end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [cutPrefix],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !node.value.includes("startswith")) return;
      for (const { prefix, slice, from } of dialledIn(program))
        report(cutPrefix, partAt(program, slice), { prefix, cut: from, instead: `${prefix.length}` });
      if (!node.value.includes("ltrimstr")) return;
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

/** `if startswith("0") then "+49" + .[2:] …`: a country stands for the zeros, of which there are not as many as are cut off. */
const dialledIn = (program: JqProgram) =>
  !/"\+\d*"\s*\+/.test(program.node.value)
    ? []
    : nodesOfKind(program, "If").flatMap(({ branches }) =>
        branches.flatMap((branch) => cutIn(branch, program)),
      );

function cutIn({ condition, body }: If["branches"][number], program: JqProgram) {
  const asked = bare(condition);
  // `.phone | startswith("0")`
  const [of, last] =
    asked.kind === "Pipeline" && asked.stages.length === 2
      ? [textAt(asked.stages[0]!, program), asked.stages[1]]
      : [".", asked];
  const prefix = last?.kind === "Call" && last.name.text === "startswith" ? prefixOf(last) : undefined;
  const made = bare(body);
  if (prefix === undefined || !/^0+$/.test(prefix) || made.kind !== "Arithmetic") return [];
  const first = constantOf(made.first);
  const [cut, ...others] = made.rest;
  if (typeof first !== "string" || !first.startsWith("+") || others.length > 0) return [];
  const slice = cut?.operator === "+" ? sliceStart(cut.operand, of, program) : undefined;
  const from = slice === undefined ? undefined : constantOf(slice);
  return slice === undefined || typeof from !== "number" || from < 1 || from === prefix.length
    ? []
    : [{ prefix, slice, from }];
}

/** `2` of `.[2:]`, where that is of what was asked for its prefix. */
function sliceStart(given: Expression, of: string, program: JqProgram): Expression | undefined {
  const node = bare(given);
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  if (last?.kind !== "Slice" || last.to !== undefined) return undefined;
  const before = program.node.value.slice(node.start, last.start).replace(/(?<=.)\.$/, "");
  return before === of ? last.from : undefined;
}
