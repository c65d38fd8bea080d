import { objectItems, textOf } from "../../../bind/model.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";

const duplicateOption = defineRule<{ id: string; group: string | undefined }>({
  id: "name/duplicate-option",
  severity: "error",
  summary: "Two options of a map step have the same id",
  why: 'A saved mapping names its fields by id. Of two options with the same id in one group, the mapping can\'t say which is meant. Ids are compared as strings, so `1` and `"1"` are the same.',
  guards: ["option.id", "D5"],
  message: ({ id, group }) =>
    `The id \`${id}\` is taken by another option${group === undefined ? "" : ` of the group \`${group}\``}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options/1/id",
      bad: '«"email"»',
      good: '"name"',
    },
    {
      title: "a number and the same as text",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "A", "id": 1}, {"title": "B", "id": «"1"»}]',
      good: '[{"title": "A", "id": 1}, {"title": "B", "id": "2"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [duplicateOption],
  checks: {
    map({ node }, report) {
      for (const side of ["describe_source", "describe_target"]) {
        const description = node.get(side);
        if (description?.kind !== "object") continue;
        const seen = new Map<string, JsonNode>();
        for (const option of objectItems(description.get("options"))) {
          const id = option.get("id");
          if (id?.kind !== "string" && id?.kind !== "number") continue;
          const group = textOf(option, "group");
          const key = JSON.stringify([group, `${id.value}`]);
          const first = seen.get(key);
          if (first === undefined) seen.set(key, id);
          else
            report(duplicateOption, id, { id: `${id.value}`, group }, [
              { message: "the first one", at: first },
            ]);
        }
      }
    },
  },
};
export default module;
