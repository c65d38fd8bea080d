import { alternatives, code, table } from "./markdown.ts";

/** As much of JSON Schema as the settings' schema uses. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly default?: unknown;
  readonly description?: string;
}

/** The table of settings in `docs/settings.md`, from their JSON Schema. */
export function settingsTable(schemaText: string): string {
  const schema = JSON.parse(schemaText) as Schema;
  return table(["member", "type", "default", "what it does"], rows(schema, ""));
}

function rows({ properties = {} }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    if (schema.properties !== undefined) return rows(schema, `${path}.`);
    const fallback = schema.default === undefined ? "" : code(JSON.stringify(schema.default));
    return [[code(path), typeText(schema), fallback, schema.description ?? ""]];
  });
}

function typeText(schema: Schema): string {
  if (schema.enum !== undefined) return alternatives(schema.enum.map((value) => code(JSON.stringify(value))));
  if (schema.type === "array")
    return `list of: ${schema.items === undefined ? "anything" : typeText(schema.items)}`;
  if (schema.properties !== undefined)
    return `object with ${Object.keys(schema.properties).map(code).join(", ")}`;
  if (typeof schema.additionalProperties === "object") {
    return `object by name, each: ${typeText(schema.additionalProperties)}`;
  }
  return schema.type ?? "anything";
}
