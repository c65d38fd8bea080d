import { constantOf } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const shortOfBoth = defineRule<{ key: string; missing: string; other: string }>({
  id: "value/short-of-both",
  severity: "warning",
  summary: "What a table has for both, or for all, lacks what it has for one of them",
  why: "Whoever chooses both wants what each of the two alone would give. If the table's list for it lacks one, they get as much as with a single choice, and nothing fails.",
  guards: ["command.!jq", "field_option.value"],
  message: ({ key, missing, other }) => `\`${key}\` lacks \`${missing}\`, which \`${other}\` alone has.`,
  because: ({ key, missing, other }) => [
    `a customer chooses \`${other}\`: \`${missing}\` is among what is taken`,
    `a customer chooses \`${key}\`: it isn't`,
  ],
  help: ({ missing, key }) => `Add \`${missing}\` to \`${key}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email, topics: {won: [\\"deal.won\\"], lost: [\\"deal.lost\\"], both: «[\\"deal.won\\"]»}[${custom_data.list.value}]}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, topics: {won: [\\"deal.won\\"], lost: [\\"deal.lost\\"], both: [\\"deal.won\\", \\"deal.lost\\"]}[${custom_data.list.value}]}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [shortOfBoth],
  checks: {
    program(program, report) {
      if (
        program.diagnostics.length > 0 ||
        !/\b(?:both|all|everything)\b"?\s*:\s*\[/.test(program.node.value)
      )
        return;
      for (const { entries } of nodesOfKind(program, "Object")) {
        const rows = entries.flatMap(({ key, value }) => {
          const [name, list] = [nameOf(key), value === undefined ? undefined : constantOf(value)];
          const isList = Array.isArray(list) && list.every((each) => typeof each === "string");
          return name !== undefined && isList
            ? [{ name, list: list as readonly string[], node: value! }]
            : [];
        });
        const whole = rows.find(({ name }) => /^(?:both|all|everything)$/.test(name));
        // Nothing for all may stand for no filter, and what none of the others has is of another kind.
        const isOfOthers = whole?.list.every((each) =>
          rows.some((row) => row !== whole && row.list.includes(each)),
        );
        if (whole === undefined || rows.length < entries.length || rows.length < 3) continue;
        if (whole.list.length === 0 || isOfOthers !== true) continue;
        for (const row of rows) {
          // What stands for nothing isn't a part of all.
          if (/^(?:none|no|nothing|never|other|custom)$/.test(row.name)) continue;
          const missing = row.list.find((each) => !whole.list.includes(each));
          if (missing === undefined) continue;
          report(shortOfBoth, partAt(program, whole.node), { key: whole.name, missing, other: row.name });
          break;
        }
      }
    },
  },
};
export default module;
