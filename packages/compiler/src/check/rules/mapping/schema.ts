import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { hasMember, memberAt } from "../http/at.ts";
import { lacksObjects } from "../intake/custom-objects.ts";
import { optionsOf, sides } from "./options.ts";

const schemaWithoutGroup = defineRule<Record<string, never>>({
  id: "mapping/schema-without-group",
  severity: "warning",
  summary: "An option with `schemaId` has no `group`",
  why: "`schemaId` says which custom object a group's fields belong to. A field without a group belongs to none, so what customers map to it isn't stored in one.",
  guards: ["option.schemaId", "option.group"],
  message: () => "This field has a `schemaId`, which only counts for a group, but no `group`.",
  help: () => "Give all fields of the custom object the same `group`, or remove `schemaId`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      with: { "/objects": '[{"name": "ticket"}]' },
      bad: '[{"title": "Email", "id": "email", "required": true, "group": "contact"}, {"title": "Number", "id": "number", «"schemaId"»: "ticket"}]',
      good: '[{"title": "Email", "id": "email", "required": true, "group": "contact"}, {"title": "Number", "id": "number", "schemaId": "ticket", "group": "ticket"}]',
      fixed:
        '[{"title": "Email", "id": "email", "required": true, "group": "contact"}, {"title": "Number", "id": "number", "schemaId": "ticket", "group": "ticket"}]',
    },
  ],
  fixes: ({ at }, { document }) => {
    const schema = memberAt(document, at);
    if (schema?.value?.kind !== "string") return [];
    const group = schema.value.value;
    const edits = [addMember(document, schema.parent, "group", group)];
    return [{ title: `Add the group \`${group}\``, safe: false, edits }];
  },
});

const schemaWithoutObjects = defineRule<Record<string, never>>({
  id: "mapping/schema-without-objects",
  severity: "hint",
  summary: "`schemaId` in an app without `objects`",
  why: "A group with a `schemaId` holds the fields of a custom object, which top-level `objects` must define. Without it the workflow is a standard one: the intake's `frequency` and `import_option` are ignored, and the fields are stored nowhere.",
  guards: ["option.schemaId", "document.objects", "D42"],
  message: () => "`schemaId` refers to a custom object, but the app has no `objects`.",
  help: () => "Define the object in top-level `objects`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '[{"title": "Email", "id": "email", "required": true, "group": "ticket", «"schemaId"»: "ticket"}]',
      good: '[{"title": "Email", "id": "email", "required": true, "group": "contact"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [schemaWithoutGroup, schemaWithoutObjects],
  checks: {
    map(map, report, model) {
      const schemas = sides.flatMap((side) =>
        (optionsOf(map, side, model)?.list ?? []).flatMap(({ schema }) => schema ?? []),
      );
      const [first, ...others] = schemas;
      if (first === undefined) return;
      for (const schema of schemas) {
        if (!hasMember(schema.parent, "group")) report(schemaWithoutGroup, keyOf(schema), {});
      }
      if (!lacksObjects(model)) return;
      const related = others.map((schema) => ({ message: "and here", at: keyOf(schema) }));
      report(schemaWithoutObjects, keyOf(first), {}, related);
    },
  },
};
export default module;
