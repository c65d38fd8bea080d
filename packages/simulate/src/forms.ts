import type { App, AppField, AppWorkflow } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import { itemsOf } from "./options.ts";

/** Another way to fill in a form. */
interface FormVariant {
  /** What is different, for people: “no note”, “list: Archived”. */
  readonly told: string;
  readonly form: JsonObject;
  /** Only something optional is left out: then the service is the same, and an app that fails does so by itself. */
  readonly isSkipped: boolean;
}

/** Options of a field that are tried, at most. */
const MOST_OPTIONS = 6;

/** Ways to fill in a workflow's form beside the usual one: each static option, each optional field left out, and all of them. */
export function formVariants(app: App, { setup }: AppWorkflow, usual: JsonObject): readonly FormVariant[] {
  const fields = setup.select?.fields ?? [];
  const optional = fields.filter(({ required }) => !required);
  const without = (ids: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(usual).filter(([id]) => !ids.includes(id)));
  return [
    ...fields.flatMap((field) => optionVariants(app, field, usual)),
    ...optional.map(({ id }) => ({ told: `no ${id}`, form: without([id]), isSkipped: true })),
    ...(optional.length > 1
      ? [{ told: "no optional field", form: without(optional.map(({ id }) => id)), isSkipped: true }]
      : []),
  ];
}

function optionVariants(
  app: App,
  { id, type, options }: AppField,
  usual: JsonObject,
): readonly FormVariant[] {
  const items = itemsOf(options, app).filter(({ value }) => value !== undefined);
  const several = type === "multiselect";
  const variant = (told: string, chosen: readonly JsonObject[]): FormVariant => {
    const values = chosen.map(({ value = null }) => value);
    const displays = chosen.map(({ display, value = null }) => display ?? value);
    const entry = several
      ? { value: values, display: displays }
      : { value: values[0] ?? null, display: displays[0] ?? null };
    return { told: `${id}: ${told}`, form: { ...usual, [id]: entry }, isSkipped: false };
  };
  return [
    ...items.slice(1, MOST_OPTIONS).map((item) => variant(String(item["display"] ?? item["value"]), [item])),
    ...(several && items.length > 1 ? [variant("all options", items)] : []),
  ];
}
