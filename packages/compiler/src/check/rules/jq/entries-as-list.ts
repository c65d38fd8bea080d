import { calls, type Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { bare, defines, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const entriesAsList = defineRule<{ text: string; isCondition: boolean }>({
  id: "jq/entries-as-list",
  severity: "warning",
  summary: "`with_entries` makes lists of the entries",
  why: "`with_entries` makes an object again of what comes of each entry, `{key, value}`. `map` makes a list of an entry, which has neither a key nor a value: the program fails for every record.",
  guards: ["command.!jq", "D23"],
  message: ({ text }) => `\`${text}\` makes a list of each entry, and \`with_entries\` fails on it.`,
  because: ({ text }) => ['{"key": "email", "value": "a@b.c"}', `\`${text}\` gives a list or fails`],
  help: ({ isCondition }) =>
    isCondition ? "Keep entries with `select`." : "Change the entry itself: `.value |= …`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email, name} | with_entries(«map(.value != null)»)"}',
      good: '{"!jq": "{email, name} | with_entries(select(.value != null))"}',
      fixed: '{"!jq": "{email, name} | with_entries(select(.value != null))"}',
    },
  ],
  fixes: ({ at, args: { isCondition } }, { document }) =>
    isCondition && "from" in at
      ? [
          {
            title: "Keep them with `select`",
            safe: false,
            edits: [replaceInString(document, at.node, at.from, at.from + 3, "select")],
          },
        ]
      : [],
});

const module: RuleModule = {
  rules: [entriesAsList],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !/with_entries\(\s*map\b/.test(program.node.value)) return;
      if (defines(program, "map") || defines(program, "with_entries")) return;
      for (const { name, node } of calls(program.tree)) {
        const [entry] = node.arguments;
        const made = name === "with_entries" && entry !== undefined ? bare(entry) : undefined;
        if (made?.kind !== "Call" || made.name.text !== "map" || made.arguments.length !== 1) continue;
        report(
          entriesAsList,
          { node: program.node, from: made.start, to: made.end },
          { text: excerpt(textAt(made, program)), isCondition: isCondition(made.arguments[0]!) },
        );
      }
    },
  },
};
export default module;

function isCondition(given: Expression): boolean {
  const node = bare(given);
  return node.kind === "Comparison" || node.kind === "Logical";
}
