import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { optionsOf, type Side, sides } from "./options.ts";

const partlyGrouped = defineRule<{ side: Side; ungrouped: number }>({
  id: "mapping/partly-grouped",
  severity: "hint",
  summary: "Some fields of one side have a group and others don't",
  why: "A side of the mapping is flat or grouped: with groups, the values of each group are in their own object. The specification doesn't say where a field without a group then goes, so platforms may differ.",
  guards: ["option.group", "events.5"],
  message: ({ side, ungrouped }) =>
    ungrouped === 1
      ? `This field has no \`group\`, but other fields of \`describe_${side}\` do.`
      : `${ungrouped} fields of \`describe_${side}\` have no \`group\`, but others do.`,
  because: ({ side }) => [
    `\`describe_${side}\`: \`{group: {a: 1}}\` for one field`,
    "for another `{b: 2}`, or nothing",
  ],
  help: () => "Give every field of the side a `group`, or none.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": «"value"»}]',
      good: '[{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [partlyGrouped],
  checks: {
    map(map, report, model) {
      for (const side of sides) {
        const options = optionsOf(map, side, model)?.list;
        if (options?.some(({ group }) => group !== undefined) !== true) continue;
        // A schema without a group is a finding of its own.
        const ungrouped = options.filter(({ group, schema }) => group === undefined && schema === undefined);
        const [first, ...others] = ungrouped;
        if (first === undefined) continue;
        const related = others.map(({ node }) => ({
          message: "this one has none either",
          at: ownerOf(node),
        }));
        report(partlyGrouped, ownerOf(first.node), { side, ungrouped: ungrouped.length }, related);
      }
    },
  },
};
export default module;
