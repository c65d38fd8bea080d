import type { Json } from "../json.ts";
import { isObject, type JsonObject, nameOfToken, percentDecoded } from "../unchecked-json.ts";
import { types } from "./namespace.ts";
import type { Member, Type } from "./type.ts";

/** Whose view a schema is read in: of some members only one side knows. */
export type SchemaUse = "response" | "request";

/**
 * The type of values that a JSON Schema describes: a document with `$ref` to its own parts, or a part of one. Formats, patterns
 * and bounds have no type; what can't be told is unknown.
 */
export function typeOfSchema(schema: object): Type {
  return new SchemaTypes(schema, "request").typeOf(schema);
}

/** Levels of schemas below a response; what is deeper is unknown. */
const DEPTH_LIMIT = 7;

/** How often a schema may stand in itself: replies to a comment, and replies to these. A type of many levels is cut to few. */
const ROUNDS = 3;

/**
 * JSON Schemas of one document, as types: what OpenAPI 3.0 and 3.1 say of kinds, members, items, `nullable`, `enum`, `const`,
 * `oneOf`, `anyOf`, `allOf`, `additionalProperties`, `discriminator`. Formats, patterns and bounds have no type. What can't be told
 * is unknown, and so is a schema that stands in itself for the third time.
 */
export class SchemaTypes {
  private readonly root: unknown;
  private readonly use: SchemaUse;
  /** By schema and the levels that are left: schemas may refer to one another in all directions. */
  private readonly known = new Map<object, Map<number, Type>>();
  /** The schemas that are being read, with the levels that are left for each round of them. */
  private readonly active = new Map<object, number[]>();
  /** Names of members that only the other side knows: no request has to have them, whatever else is said. */
  private readonly others = new Set<unknown>();

  /** @param root the document, for references to its own parts */
  constructor(root: unknown, use: SchemaUse) {
    this.root = root;
    this.use = use;
  }

  typeOf(schema: unknown, depth = DEPTH_LIMIT): Type {
    const found = resolveReference(this.root, schema);
    if (!isObject(found) || depth <= 0) return types.unknown;
    const before = this.known.get(found)?.get(depth);
    if (before !== undefined) return before;
    const rounds = this.active.get(found) ?? [];
    // One that is a part of itself on the same level would go on for ever.
    if (rounds.length >= ROUNDS || rounds.includes(depth)) return types.unknown;
    this.active.set(found, [...rounds, depth]);
    const type = this.convert(found, depth);
    this.active.set(found, rounds);
    const byDepth = this.known.get(found) ?? new Map<number, Type>();
    this.known.set(found, byDepth.set(depth, type));
    return type;
  }

  private convert(schema: JsonObject, depth: number): Type {
    const { allOf, oneOf, anyOf, enum: values } = schema;
    if (Array.isArray(values)) return orNull(enumType(values), schema);
    if (Object.hasOwn(schema, "const")) return enumType([schema["const"]]);
    if (Array.isArray(allOf) && allOf.length > 0) return orNull(this.all(schema, allOf, depth), schema);
    const choices = [oneOf, anyOf].find((list) => Array.isArray(list) && list.length > 0);
    // Members beside the choices are common to them.
    if (Array.isArray(choices)) {
      const tags = tagsOf(schema["discriminator"]);
      const found = choices.map((choice: unknown) => tagged(this.typeOf(choice, depth), choice, tags));
      const own = isObject(schema["properties"]) ? this.ofKinds(schema, depth) : undefined;
      return orNull(
        types.union(...found.map((type) => (own === undefined ? type : both(own, type)))),
        schema,
      );
    }
    return orNull(this.ofKinds(schema, depth), schema);
  }

  private ofKinds(schema: JsonObject, depth: number): Type {
    const { type } = schema;
    const kinds: unknown[] = Array.isArray(type) ? type : [type ?? impliedKind(schema)];
    return types.union(...kinds.map((kind) => this.ofKind(kind, schema, depth)));
  }

  private ofKind(kind: unknown, schema: JsonObject, depth: number): Type {
    switch (kind) {
      case "string":
        return types.string;
      case "number":
      case "integer":
        return types.number;
      case "boolean":
        return types.boolean;
      case "null":
        return types.nullType;
      case "array":
        return types.array(this.typeOf(schema["items"], depth - 1));
      case "object":
        return this.object(schema, depth);
      default:
        return types.unknown;
    }
  }

  private object(
    { properties, required, additionalProperties, patternProperties }: JsonObject,
    depth: number,
  ): Type {
    const names = new Set(Array.isArray(required) ? required : []);
    // Many documents never say which members a response has: then none is said to be absent at times.
    const unsaid = this.use === "response" && !Array.isArray(required);
    const members: [string, Member][] = [];
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      const resolved = resolveReference(this.root, schema);
      const other = this.use === "response" ? "writeOnly" : "readOnly";
      const isOthers = isObject(resolved) && resolved[other] === true;
      if (isOthers) this.others.add(name);
      if (isOthers && this.use === "response") continue;
      members.push([
        name,
        { type: this.typeOf(schema, depth - 1), optional: isOthers || !(unsaid || names.has(name)) },
      ]);
    }
    if (additionalProperties === false && patternProperties === undefined) return types.object(members);
    const rest =
      isObject(additionalProperties) && members.length === 0
        ? this.typeOf(additionalProperties, depth - 1)
        : types.unknown;
    return types.object(members, rest);
  }

  /** What holds beside `allOf` is one of them. */
  private all(schema: JsonObject, parts: readonly unknown[], depth: number): Type {
    const { allOf: _, nullable: __, ...own } = schema;
    const found = parts.map((part) => this.typeOf(part, depth));
    if (impliedKind(own) !== undefined || own["type"] !== undefined) found.push(this.convert(own, depth));
    const known = found.filter((type) => type.kind !== "unknown");
    let type: Type | undefined;
    for (const part of known) type = type === undefined ? part : both(type, part);
    if (type === undefined) return types.unknown;
    // A part that says nothing else than which members there have to be.
    const names = [own, ...parts].flatMap((part) => {
      const resolved = resolveReference(this.root, part);
      const required = isObject(resolved) ? resolved["required"] : undefined;
      return Array.isArray(required) ? required.filter((name) => !this.others.has(name)) : [];
    });
    return this.use === "request" ? withRequired(type, new Set(names)) : type;
  }
}

/** References in a row: they may go in circles. */
const REFERENCES = 20;

/** What a value stands for: itself, or what its `$ref` names; undefined for what isn't in the document. */
export function resolveReference(root: unknown, value: unknown): unknown {
  let found = value;
  for (let step = 0; isObject(found) && typeof found["$ref"] === "string"; step++) {
    const reference: string = found["$ref"];
    if (step >= REFERENCES || !reference.startsWith("#")) return undefined;
    found = atPointer(root, reference.slice(1));
  }
  return found;
}

function atPointer(root: unknown, pointer: string): unknown {
  let at = root;
  for (const segment of pointer.split("/").slice(1)) {
    const name = nameOfToken(percentDecoded(segment));
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isObject(at) && Object.hasOwn(at, name)) at = at[name];
    else return undefined;
  }
  return at;
}

/** What a `discriminator` says: by which member the kinds are told apart, and its values by what they stand for. */
interface Tags {
  readonly member: string;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/**
 * Undefined where no values are listed: that the names of schemas are the values is what the specification says then, and not
 * what most documents mean.
 */
function tagsOf(discriminator: unknown): Tags | undefined {
  if (!isObject(discriminator)) return undefined;
  const { propertyName: member, mapping } = discriminator;
  if (typeof member !== "string" || !isObject(mapping)) return undefined;
  const values = new Map<string, string[]>();
  for (const [value, target] of Object.entries(mapping)) {
    if (typeof target !== "string") continue;
    const name = target.slice(target.lastIndexOf("/") + 1);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { member, values };
}

/** One of the kinds, with the values that tell it. */
function tagged(type: Type, choice: unknown, tags: Tags | undefined): Type {
  const reference = isObject(choice) ? choice["$ref"] : undefined;
  if (tags === undefined || typeof reference !== "string" || type.kind !== "object") return type;
  const values = tags.values.get(reference.slice(reference.lastIndexOf("/") + 1));
  const own = type.members.get(tags.member);
  // An `enum` of its own says it already.
  if (values === undefined || (own !== undefined && own.type !== types.string)) return type;
  const member = { type: types.union(...values.map(types.literal)), optional: own?.optional ?? false };
  return types.object([...type.members, [tags.member, member]], type.rest);
}

/** With members of these names present: they aren't left out by whoever sends it. */
function withRequired(type: Type, names: ReadonlySet<unknown>): Type {
  if (type.kind === "union") return types.union(...type.members.map((part) => withRequired(part, names)));
  if (type.kind !== "object" || names.size === 0) return type;
  const members = [...type.members].map(
    ([name, member]) => [name, { ...member, optional: member.optional && !names.has(name) }] as const,
  );
  return types.object(members, type.rest);
}

/** The kind of a schema that doesn't say. */
function impliedKind(schema: JsonObject): string | undefined {
  if (isObject(schema["properties"]) || isObject(schema["additionalProperties"])) return "object";
  const { items } = schema;
  // Some documents write the kinds of an object as what the items of no list may be.
  const isChoice = isObject(items) && (Array.isArray(items["anyOf"]) || Array.isArray(items["oneOf"]));
  return items === undefined || isChoice ? undefined : "array";
}

function enumType(values: readonly unknown[]): Type {
  return types.union(
    ...values.map((value) =>
      typeof value === "object" && value !== null
        ? types.unknown
        : types.literal(value as Exclude<Json, object>),
    ),
  );
}

/** `nullable` of OpenAPI 3.0. */
function orNull(type: Type, schema: JsonObject): Type {
  return schema["nullable"] === true ? types.union(type, types.nullType) : type;
}

/** The members of both; of other kinds, the second one. */
function both(one: Type, other: Type): Type {
  if (one.kind === "union") return types.union(...one.members.map((part) => both(part, other)));
  if (other.kind === "union") return types.union(...other.members.map((part) => both(one, part)));
  if (one.kind !== "object" || other.kind !== "object") return other.kind === "unknown" ? one : other;
  const members = new Map(one.members);
  for (const [name, { type, optional }] of other.members) {
    const known = members.get(name);
    members.set(name, {
      type: known === undefined || type.kind !== "unknown" ? type : known.type,
      optional: optional && known?.optional !== false,
    });
  }
  // What one of them closes, the members of the other are beyond, so that nothing would be left.
  return types.object(members, types.unknown);
}
