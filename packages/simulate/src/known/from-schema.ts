import type { Json } from "@configc/jq";
import { isObject, type JsonObject, resolveReference } from "@configc/jq/internal";
import { seenValue } from "./from-samples.ts";
import { type KnownValue, unknownValue, type ValueKind } from "./known-api.ts";

/** What a JSON Schema of an OpenAPI document says of a value. @param root the document, for its references */
export function schemaValue(root: unknown, schema: unknown, depth = 0): KnownValue {
  const own = resolveReference(root, schema);
  if (!isObject(own) || depth > DEEPEST) return unknownValue;
  const parts = ["allOf", "oneOf", "anyOf"].flatMap((name) => {
    const of = own[name];
    return Array.isArray(of) ? [{ isAll: name === "allOf", of: of as readonly unknown[] }] : [];
  });
  let value = plain(root, own, depth);
  for (const { isAll, of } of parts) {
    const values = of.map((each) => schemaValue(root, each, depth + 1));
    value = isAll ? values.reduce(both, value) : both(value, either(values));
  }
  return value;
}

const DEEPEST = 8;

function plain(root: unknown, schema: JsonObject, depth: number): KnownValue {
  const { properties, items, required, description, format } = schema;
  const kinds = kindsOf(schema);
  // Where nothing is required, nobody thought of it.
  const isTold = Array.isArray(required) && required.length > 0;
  const members = isObject(properties)
    ? Object.entries(properties).map(([name, each]): readonly [string, KnownValue] => [
        name,
        {
          ...schemaValue(root, each, depth + 1),
          isOmitted: isTold && !(required as readonly unknown[]).includes(name),
        },
      ])
    : [];
  const isNullable = schema["nullable"] === true;
  const given = [schema["example"], ...listOf(schema["examples"]), schema["default"]].filter(isValue);
  const seen = seenValue(given);
  return {
    ...unknownValue,
    kinds: isNullable && !kinds.includes("null") ? [...kinds, "null"] : kinds,
    text: typeof description === "string" ? description : "",
    members: Object.fromEntries(members),
    isComplete: kinds.length > 0,
    item: items === undefined ? undefined : schemaValue(root, items, depth + 1),
    format: typeof format === "string" ? format : undefined,
    choices: ("const" in schema ? [schema["const"]] : listOf(schema["enum"])).filter(isValue),
    examples: seen.examples,
  };
}

/** What a document gives is JSON. */
function isValue(value: unknown): value is Json {
  return value !== undefined && value !== null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const kindNames: Readonly<Record<string, ValueKind>> = {
  null: "null",
  boolean: "boolean",
  number: "number",
  integer: "number",
  string: "string",
  array: "array",
  object: "object",
};

function kindsOf(schema: JsonObject): readonly ValueKind[] {
  const { type } = schema;
  const named = (Array.isArray(type) ? type : [type]).flatMap((each) => kindNames[String(each)] ?? []);
  if (named.length > 0) return [...new Set(named)];
  if (isObject(schema["properties"])) return ["object"];
  return schema["items"] === undefined ? [] : ["array"];
}

/** What two schemas say that hold both. */
function both(a: KnownValue, b: KnownValue): KnownValue {
  const members: Record<string, KnownValue> = { ...a.members };
  for (const [name, member] of Object.entries(b.members))
    members[name] = members[name] === undefined ? member : both(members[name], member);
  return {
    ...a,
    kinds: a.kinds.length === 0 ? b.kinds : a.kinds,
    text: a.text === "" ? b.text : a.text,
    members,
    isOmitted: a.isOmitted && b.isOmitted,
    isComplete: a.isComplete || b.isComplete,
    item: a.item ?? b.item,
    format: a.format ?? b.format,
    choices: a.choices.length === 0 ? b.choices : a.choices,
    examples: [...a.examples, ...b.examples],
  };
}

/** What is so whichever of some schemas holds: members of one only may be left out. */
function either(values: readonly KnownValue[]): KnownValue {
  const real = values.filter(({ kinds }) => kinds.some((kind) => kind !== "null"));
  const [first = unknownValue] = real;
  const names = new Set(real.flatMap(({ members }) => Object.keys(members)));
  return {
    ...first,
    kinds: [...new Set(values.flatMap(({ kinds }) => kinds))],
    members: Object.fromEntries(
      [...names].map((name) => {
        const there = real.flatMap(({ members }) => members[name] ?? []);
        const isOmitted = there.length < real.length || there.some((each) => each.isOmitted);
        return [name, { ...there[0]!, isOmitted }];
      }),
    ),
    choices: real.every(({ choices }) => choices.length > 0) ? real.flatMap(({ choices }) => choices) : [],
    examples: real.flatMap(({ examples }) => examples),
  };
}
