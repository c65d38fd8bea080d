import type { MapSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { NumberNode, StringNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { type Side, staticOptions } from "../mapping/options.ts";

const duplicateOption = defineRule<{ id: string; group: string | undefined; asText: boolean }>({
  id: "name/duplicate-option",
  severity: "error",
  summary: "Two options of a map step have the same id",
  why: 'A saved mapping names its fields by id. If two options of a group have the same id, the mapping can\'t tell them apart. Ids are compared as strings, so `1` and `"1"` are the same. Another group may have the same id.',
  guards: ["option.id", "option.group", "D5"],
  message: ({ id, group, asText }) => {
    const other = `another option${group === undefined ? "" : ` of the group \`${excerpt(group)}\``}`;
    return `The id \`${excerpt(id)}\` is taken by ${other}${asText ? ": ids are compared as strings" : ""}.`;
  },
  examples: [
    {
      title: "D5",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options/1/id",
      bad: '«"email"»',
      good: '"name"',
    },
    {
      title: "D5: a number and the same as text",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "A", "id": 1}, {"title": "B", "id": «"1"»}]',
      good: '[{"title": "A", "id": 1}, {"title": "B", "id": "2"}]',
    },
    {
      title: "D5: unique in each group",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "Name", "id": "name", "group": "person"}, {"title": "Full name", "id": «"name"», "group": "person"}]',
      good: '[{"title": "Name", "id": "name", "group": "person"}, {"title": "Name", "id": "name", "group": "company"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [duplicateOption],
  checks: {
    map(map, report) {
      reportRepeated(map, "source", report);
      reportRepeated(map, "target", report);
    },
  },
};
export default module;

function reportRepeated(map: MapSymbol, side: Side, report: Report): void {
  /** By group and id; options without a group are a group of their own. */
  const first = new Map<string, StringNode | NumberNode>();
  for (const option of staticOptions(map, side) ?? []) {
    const id = option.get("id");
    const group = option.get("group");
    // What isn't an id, or no name of a group, is reported as that.
    if ((id?.kind !== "string" && id?.kind !== "number") || id.value === "") continue;
    if (group !== undefined && group.kind !== "string") continue;
    const key = JSON.stringify([group?.value, `${id.value}`]);
    const other = first.get(key);
    if (other === undefined) first.set(key, id);
    else {
      const args = { id: `${id.value}`, group: group?.value, asText: id.kind !== other.kind };
      report(duplicateOption, id, args, [{ message: "the first one", at: other }]);
    }
  }
}
