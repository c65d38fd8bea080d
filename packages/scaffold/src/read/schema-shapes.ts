import { type Shape, unknown } from "../shape.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf } from "./json.ts";
import type { References } from "./references.ts";

/** Deeper than anything that is looked for. */
const DEPTH = 6;

/** Shapes of the schemas of one document. */
export class SchemaShapes {
  private readonly references: References;
  private readonly omitted: "readOnly" | "writeOnly" | undefined;

  /** @param omitted members that are left out: what the service sets itself isn't sent, what is sent only isn't answered */
  constructor(references: References, omitted?: "readOnly" | "writeOnly") {
    this.references = references;
    this.omitted = omitted;
  }

  /** @param example a value of the schema, which settles what the schema leaves open */
  shapeOf(schema: unknown, example?: unknown, depth = 0): Shape {
    if (depth > DEPTH) return unknown;
    const { object, about, format, values, type, items } = this.flat(schema);
    // `items` says what a list has, not that there is one. Some documents describe an object by it.
    if (type === "" && items !== undefined && isObject(example))
      return this.shapeOf(items, example, depth + 1);
    if (type === "array" || items !== undefined)
      return { kind: "array", items: this.shapeOf(items, listOf(example)[0], depth + 1) };
    if (type === "object" || object.size > 0) return this.objectOf(schema, object, objectOf(example), depth);
    if (type === "string")
      return {
        kind: "string",
        about,
        ...(format === "" ? {} : { format }),
        ...(values.length === 0 ? {} : { enum: values }),
      };
    if (type === "number" || type === "integer") return { kind: "number", about };
    return type === "boolean" ? { kind: "boolean" } : unknown;
  }

  private objectOf(
    schema: unknown,
    members: ReadonlyMap<string, unknown>,
    example: JsonObject,
    depth: number,
  ): Shape {
    const shapes = [...members]
      .filter(([, member]) => !this.isOmitted(member))
      .map(([name, member]) => [name, this.shapeOf(member, example[name], depth + 1)] as const);
    return { kind: "object", members: new Map(shapes), required: new Set(this.requiredOf(schema)) };
  }

  private isOmitted(member: unknown): boolean {
    return this.omitted !== undefined && this.references.follow(member)[this.omitted] === true;
  }

  /** A schema with what it is put together from: all parts of `allOf`, the first that says something of the others. */
  private flat(schema: unknown, depth = 0): Flat {
    const own = this.references.follow(schema);
    const flat: Flat = {
      type: typeOf(own),
      object: new Map(Object.entries(objectOf(own["properties"]))),
      items: isObject(own["items"]) ? own["items"] : undefined,
      format: textOf(own["format"]),
      values: listOf(own["enum"]).filter((each) => typeof each === "string"),
      about: textOf(own["description"]),
    };
    if (depth > DEPTH) return flat;
    const all = listOf(own["allOf"]).map((part) => this.flat(part, depth + 1));
    const [one] = [...listOf(own["oneOf"]), ...listOf(own["anyOf"])]
      .map((part) => this.flat(part, depth + 1))
      .filter((part) => part.type !== "" || part.object.size > 0);
    for (const part of one === undefined ? all : [...all, one]) {
      for (const [name, member] of part.object) if (!flat.object.has(name)) flat.object.set(name, member);
      if (flat.type === "") flat.type = part.type;
      flat.items ??= part.items;
      if (flat.format === "") flat.format = part.format;
      if (flat.values.length === 0) flat.values = part.values;
      if (flat.about === "") flat.about = part.about;
    }
    return flat;
  }

  private requiredOf(schema: unknown, depth = 0): string[] {
    const own = this.references.follow(schema);
    const names = listOf(own["required"]).map(textOf);
    if (depth > DEPTH) return names;
    return [...names, ...listOf(own["allOf"]).flatMap((part) => this.requiredOf(part, depth + 1))];
  }
}

interface Flat {
  type: string;
  readonly object: Map<string, unknown>;
  items: JsonObject | undefined;
  format: string;
  values: string[];
  about: string;
}

/** Of several types (3.1), the first that isn't null. */
function typeOf(schema: JsonObject): string {
  const type = schema["type"];
  return Array.isArray(type) ? textOf(type.find((each) => each !== "null")) : textOf(type);
}
