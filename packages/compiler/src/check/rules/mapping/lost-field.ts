import { escapedPattern } from "@configc/jq/internal";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesIn, partAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import type { Made } from "../../../flow/step-members.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { unreadMembers } from "../unused/step-member.ts";
import { optionsOf, textIn } from "./options.ts";

const lostField = defineRule<{ name: string; fields: readonly string[] }>({
  id: "mapping/lost-field",
  severity: "warning",
  summary: "What customers map goes into a member that nothing reads",
  why: "A step makes a value of fields that customers map, such as an address of street and town, and no later step takes it. The mapped values are dropped, and no error says so.",
  guards: ["map.describe_target", "data_pipeline.target", "command.!pipe", "D14", "D37"],
  message: ({ name, fields }) =>
    `Nothing reads \`${name}\`, so what customers map to ${allNames(fields)} is dropped.`,
  because: ({ name, fields }) => [
    `a customer maps ${allNames(fields)}`,
    `a step makes \`${name}\` of it, and no later step takes \`${name}\``,
  ],
  help: ({ name, fields }) => `Send \`${name}\`, or remove ${allNames(fields)} from \`describe_target\`.`,
  examples: [
    {
      in: "outbound",
      also: ["unused/made-member"],
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"id": "email", "title": "Email", "required": true}, {"id": "street", "title": "Street"}, {"id": "town", "title": "Town"}]',
      },
      bad: '{"!pipe": [{"!jq": "{email, «address: ([.street, .town] | map(select(. != null)) | join(\\", \\"))»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.1.email}"}}}]}',
      good: '{"!pipe": [{"!jq": "{email, address: ([.street, .town] | map(select(. != null)) | join(\\", \\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.1.email}", "address": "${piped_content.1.address}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [lostField],
  checks: {
    workflow(workflow, report, model) {
      const [map, ...others] = workflow.maps;
      if (map === undefined || others.length > 0 || workflow.direction !== "outbound") return;
      const list = optionsOf(map, "target", model)?.list ?? [];
      const ids = new Set(list.flatMap(({ id }) => textIn(id) ?? []));
      if (ids.size === 0) return;
      const part = partOfUnit(workflow, model);
      for (const { step, made } of unreadMembers(part, model)) {
        if (step.place.name !== "data_pipeline.target" || stepBefore(step) !== undefined) continue;
        const fields = readFor(made).filter((name) => ids.has(name));
        // Where the member is read of another step, that is told there.
        const isReadElsewhere = part.expansions.some(({ syntax }) => syntax.path[2]?.text === made.name);
        if (isReadElsewhere || fields.length === 0) continue;
        if (fields.every((name) => isReadOnlyIn(name, made, part)))
          report(lostField, partAt(made.program, made.entry), { name: made.name, fields });
      }
    },
  },
};
export default module;

/** The members that a value is made of, by their last names: `town` of `.town` and `.Address.town`. */
function readFor({ entry }: Made): readonly string[] {
  const names = nodesIn(entry).flatMap((node) => {
    if (node.kind !== "Postfix" || node.head.kind !== "Identity") return [];
    const last = node.suffixes.findLast(({ kind }) => kind === "Field");
    return last?.kind === "Field" && last.key.kind === "Name" ? [last.key.text] : [];
  });
  return [...new Set(names)];
}

/** Whether no other program or expansion of a workflow names a field, but for the member that is made of it. */
function isReadOnlyIn(name: string, { entry, program }: Made, part: Part): boolean {
  const named = new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`);
  const { value } = program.node;
  const around = `${value.slice(0, entry.start)} ${value.slice(entry.end)}`;
  if (named.test(around) || program.holes.some(({ syntax }) => syntax.path.length < 3)) return false;
  return (
    part.programs.every((other) => other === program || !named.test(other.node.value)) &&
    part.expansions.every(({ syntax }) => !syntax.path.some(({ text }) => text === name))
  );
}
