import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { RuleModule } from "../../checks.ts";
import { type Options, optionsOf, type Side, sides } from "./options.ts";

const noOptions = defineRule<{ side: Side }>({
  id: "mapping/no-options",
  severity: "warning",
  summary: "One side of the mapping has no fields",
  why: "The customer must map at least one field to complete the setup. Without fields on one side there is nothing to map, so no customer gets past this step.",
  guards: ["describe_source.options", "describe_target.options", "events.8"],
  message: ({ side }) => `\`describe_${side}\` lists no fields, so nothing can be mapped.`,
  help: () => "List the fields, or fetch them with a command.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: "«[]»",
      good: '[{"title": "Email", "id": "email"}]',
    },
    {
      title: "the source",
      in: "inbound-polling",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: "«[]»",
      good: '[{"title": "Email", "id": "email"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [noOptions],
  checks: {
    map(map, report, model) {
      for (const side of sides) {
        const options = optionsOf(map, side, model);
        if (options?.value.kind !== "array" || options.value.items.length > 0) continue;
        if (side === "source" && mayHaveFixedValues(optionsOf(map, "target", model), model)) continue;
        if (!mayBeIncomplete(model.document, map.node)) report(noOptions, options.value, { side });
      }
    },
  },
};
export default module;

/** With fixed values on the target side, there is something to map to without any source field. */
function mayHaveFixedValues(target: Options | undefined, model: Model): boolean {
  if (target?.list !== undefined) return target.list.some(({ fixed }) => fixed !== undefined);
  return target === undefined || flowOf(model).commandAt(target.value)?.key !== "!resource";
}
