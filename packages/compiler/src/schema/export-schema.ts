import {
  builtinDialect,
  choicesOf,
  commandSpecs,
  comment,
  type Dialect,
  type Direction,
  document,
  type Member,
  type PlaceName,
  type Section,
  type Value,
} from "../language/index.ts";

/** A JSON Schema (draft-07) or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of configs, for editors and tools that know nothing of this compiler.
 *
 * Forms are told apart by `if`/`then` on the command key and on `type`, never by `oneOf`, so that a tool reports a mistake
 * against the form that is meant. It says what the language table says about structure, and nothing about references,
 * expansions or programs.
 *
 * @param dialect of the platform that the configs are for (D44)
 */
export function exportSchema(dialect: Dialect = builtinDialect): JsonSchema {
  return new SchemaWriter(dialect).write();
}

/** Commands may differ by place: `!respond` stands in `verification` only. */
type CommandFlavour = "command" | "verification command";

class SchemaWriter {
  private readonly definitions: Record<string, JsonSchema> = {};
  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  write(): JsonSchema {
    const root = this.section(document, "command");
    return {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Integration app config",
      description: document.doc,
      ...root,
      definitions: this.definitions,
    };
  }

  private section(section: Section, flavour: CommandFlavour): JsonSchema {
    const name = flavour === "command" ? section.name : `${flavour} ${section.name}`;
    return this.define(name, () => this.sectionSchema(section, flavour));
  }

  private sectionSchema(section: Section, flavour: CommandFlavour): JsonSchema {
    const properties: Record<string, JsonSchema> = { _comment: this.comment() };
    for (const name of this.dialect.alsoAccepted[section.name] ?? []) properties[name] = {};
    const conditions: JsonSchema[] = [];
    const required: string[] = [];
    for (const [name, member] of Object.entries(section.members)) {
      properties[name] = { ...this.value(member.value, flavour), ...documentation(member) };
      if (member.required === true && member.tolerated === undefined) required.push(name);
      else if (typeof member.required === "object" && "sibling" in member.required) {
        const { sibling, is } = member.required;
        conditions.push({ if: has(sibling, is), then: { required: [name] } });
      }
    }
    for (const { kind, members } of section.groups ?? []) {
      if (kind !== "atMostOne") conditions.push({ anyOf: members.map((name) => ({ required: [name] })) });
      if (kind !== "atLeastOne")
        conditions.push(...pairs(members).map((pair) => ({ not: { required: pair } })));
    }
    if (section.declares === "workflow") conditions.push(...directionConditions(section));
    return {
      type: "object",
      title: section.title,
      description: section.doc,
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(section.open === true ? {} : { additionalProperties: false }),
      ...(conditions.length > 0 ? { allOf: conditions } : {}),
    };
  }

  private value(value: Value, flavour: CommandFlavour): JsonSchema {
    switch (value.kind) {
      case "text":
        return textSchema(value, this.dialect);
      case "integer":
        return {
          type: "integer",
          ...(value.minimum === undefined ? {} : { minimum: value.minimum }),
          ...(value.only === undefined ? {} : { const: value.only }),
        };
      case "boolean":
        return { type: "boolean" };
      case "scalar":
        return { type: ["string", "number", "boolean"] };
      case "section":
        return this.section(value.section(), flavour);
      case "variant":
        return this.variant(value);
      case "map":
        return {
          type: "object",
          ...(value.declares === undefined ? {} : { properties: { _comment: this.comment() } }),
          additionalProperties: this.value(value.of, flavour),
        };
      case "list":
        return {
          type: "array",
          items: this.value(value.of, flavour),
          ...(value.minimum === undefined ? {} : { minItems: value.minimum }),
          ...(value.maximum === undefined ? {} : { maxItems: value.maximum }),
        };
      case "command": {
        const command = this.command(value.place === "here" ? flavour : flavourOf(value.place));
        if (value.orStatic === undefined) return command;
        return byType([command, this.value(value.orStatic, flavour)], [["object"], typesOf(value.orStatic)]);
      }
      case "either":
        return byType(
          value.of.map((alternative) => this.value(alternative, flavour)),
          value.of.map(typesOf),
        );
      case "data":
        return value.must === "object" ? { type: "object" } : {};
    }
  }

  private variant(value: Value & { kind: "variant" }): JsonSchema {
    const known = Object.keys(value.variants);
    return {
      type: "object",
      allOf: [
        ...Object.entries(value.variants).map(([type, section]) => ({
          if: has(value.by, [type]),
          then: this.section(section(), "command"),
        })),
        { if: { not: has(value.by, known) }, then: this.section(value.otherwise(), "command") },
      ],
    };
  }

  private command(flavour: CommandFlavour): JsonSchema {
    return this.define(flavour, () => {
      const specs = commandSpecs.filter(
        ({ places }) => places === undefined || flavour === "verification command",
      );
      const keys = specs.map(({ key }) => key);
      return {
        type: "object",
        title: "A command",
        description: "An object with exactly one key that starts with `!`.",
        properties: {
          _comment: this.comment(),
          ...Object.fromEntries(
            specs.map(({ key, doc, example }) => [
              key,
              { description: doc, markdownDescription: doc, examples: [example] },
            ]),
          ),
        },
        anyOf: keys.map((key) => ({ required: [key] })),
        allOf: specs.map(({ key, argument }) => ({
          if: { required: [key] },
          then: {
            properties: { [key]: this.value(argument, flavour) },
            propertyNames: { enum: [key, "_comment"] },
          },
        })),
      };
    });
  }

  private comment(): JsonSchema {
    return { ...this.value(comment.value, "command"), ...documentation(comment) };
  }

  /** Writes a definition once and gives a reference to it. */
  private define(name: string, make: () => JsonSchema): JsonSchema {
    const key = name.replaceAll(/[^\w!]+/g, "-");
    if (this.definitions[key] === undefined) {
      this.definitions[key] = {};
      this.definitions[key] = make();
    }
    return { allOf: [{ $ref: `#/definitions/${key}` }] };
  }
}

function documentation({ doc, example, default: fallback }: Member): JsonSchema {
  return {
    description: doc,
    markdownDescription: doc,
    examples: [example],
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

function textSchema(value: Value & { kind: "text" }, dialect: Dialect): JsonSchema {
  const { anyCase, openEnded, nonEmpty } = value;
  const oneOf = choicesOf(value, dialect);
  const base = { type: "string", ...(nonEmpty === true ? { pattern: "\\S" } : {}) };
  if (oneOf === undefined) return base;
  if (openEnded === true) return { ...base, examples: oneOf };
  if (anyCase !== true) return { ...base, enum: oneOf };
  const anyCases = oneOf.map((word) =>
    [...word].map((letter) => `[${letter}${letter.toLowerCase()}]`).join(""),
  );
  return { ...base, pattern: `^(?:${anyCases.join("|")})$`, examples: oneOf };
}

/** Alternatives that accept different JSON types, told apart by the type. */
function byType(schemas: readonly JsonSchema[], types: readonly (readonly string[])[]): JsonSchema {
  return {
    type: [...new Set(types.flat())],
    allOf: schemas.map((schema, index) => ({ if: { type: types[index] }, then: schema })),
  };
}

function typesOf(value: Value): readonly string[] {
  switch (value.kind) {
    case "text":
      return ["string"];
    case "integer":
      return ["integer"];
    case "boolean":
      return ["boolean"];
    case "scalar":
      return ["string", "number", "boolean"];
    case "list":
      return ["array"];
    case "either":
      return value.of.flatMap(typesOf);
    case "data":
      return value.must === "object"
        ? ["object"]
        : ["object", "array", "string", "number", "boolean", "null"];
    default:
      return ["object"];
  }
}

function has(member: string, values: readonly string[]): JsonSchema {
  return { properties: { [member]: { enum: values } }, required: [member] };
}

function pairs(names: readonly string[]): string[][] {
  return names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]));
}

function flavourOf(place: PlaceName): CommandFlavour {
  return place === "intake.verification" ? "verification command" : "command";
}

/** What a workflow's direction makes required, at any depth of its sections (D43). */
function directionConditions(workflow: Section): JsonSchema[] {
  const needed: Record<Direction, JsonSchema[]> = { inbound: [], outbound: [] };
  const visit = (section: Section, path: readonly string[]): void => {
    for (const [name, { required, value }] of Object.entries(section.members)) {
      if (typeof required === "object" && "direction" in required)
        needed[required.direction].push(nested(path, name));
      if (value.kind === "section") visit(value.section(), [...path, name]);
    }
  };
  visit(workflow, []);
  return (["inbound", "outbound"] as const)
    .filter((direction) => needed[direction].length > 0)
    .map((direction) => ({
      if: has("type", [direction === "inbound" ? "generic" : "automations"]),
      then: { allOf: needed[direction] },
    }));
}

function nested(path: readonly string[], name: string): JsonSchema {
  return path.reduceRight<JsonSchema>((inner, segment) => ({ properties: { [segment]: inner } }), {
    required: [name],
  });
}
