import { commandSpec, comment, document, type Section, type Value } from "../../language/index.ts";
import type { JsonNode } from "../syntax-tree.ts";

const anyKind: readonly JsonNode["kind"][] = ["object", "array", "string", "number", "boolean", "null"];
const data: Value = { kind: "data" };

/** What the language wants of a value, as far as it tells one reading of a broken document from another. */
export class Shape {
  private readonly forms: readonly Value[];
  private readonly kinds: ReadonlySet<JsonNode["kind"]>;
  private readonly members = new Map<string, Shape | undefined>();
  private items: Shape | undefined = undefined;
  private required: readonly string[] | undefined = undefined;

  private constructor(forms: readonly Value[]) {
    this.forms = forms;
    this.kinds = new Set(forms.length === 0 ? anyKind : forms.flatMap(kindsOf));
  }

  /** Of what the language doesn't know, in which it knows no name either; and of a command behind its key. */
  static readonly unknown = new Shape([]);
  static readonly document = new Shape([{ kind: "section", section: () => document }]);

  accepts(kind: JsonNode["kind"]): boolean {
    return this.kinds.has(kind);
  }

  /** What a member has to be; undefined if there is none of that name. */
  member(name: string): Shape | undefined {
    if (name === "_comment") return this.of([comment.value]);
    if (!this.members.has(name))
      this.members.set(name, this.of(this.forms.flatMap((form) => memberOf(form, name))));
    return this.members.get(name);
  }

  /** What an object may still have behind a member. */
  behind(name: string): Shape {
    return name.startsWith("!") && this.forms.some(({ kind }) => kind === "command") ? Shape.unknown : this;
  }

  /** How much an object lacks to be one: members that it can't do without, or the key of a command. */
  lacking(has: (name: string) => boolean): number {
    this.required ??= requiredByAll(this.forms.map(requiredBy));
    const isCommand = this.forms.some(isOnlyCommand);
    return this.required.filter((name) => !has(name)).length + (isCommand ? 1 : 0);
  }

  /** What an item of a list has to be. */
  get item(): Shape {
    this.items ??= this.of(this.forms.flatMap(itemOf)) ?? Shape.unknown;
    return this.items;
  }

  private of(forms: readonly Value[]): Shape | undefined {
    const [form] = forms;
    if (form === undefined) return undefined;
    if (forms.length > 1) return new Shape(forms);
    let shape = shapes.get(form);
    if (shape === undefined) {
      shape = new Shape(forms);
      shapes.set(form, shape);
    }
    return shape;
  }
}

/** Of values that stand alone: commands are in commands without end. */
const shapes = new WeakMap<Value, Shape>();

/** How many names and values of a tree the language doesn't know where they stand, or misses. Nesting is capped by the parser. */
export function misfitsOf(node: JsonNode | undefined, shape = Shape.document): number {
  if (node === undefined) return 0;
  if (!shape.accepts(node.kind)) return 1 + misfitsOf(node, Shape.unknown);
  let misfits = 0;
  if (node.kind === "array") for (const item of node.items) misfits += misfitsOf(item, shape.item);
  if (node.kind === "object") {
    let own = shape;
    for (const { name, value } of node.members) {
      const member = own.member(name);
      misfits += (member === undefined ? 1 : 0) + misfitsOf(value, member ?? Shape.unknown);
      own = own.behind(name);
    }
    misfits += own.lacking((name) => node.member(name) !== undefined);
  }
  return misfits;
}

function kindsOf(form: Value): readonly JsonNode["kind"][] {
  switch (form.kind) {
    case "text":
      return ["string"];
    case "integer":
      return ["number"];
    case "boolean":
      return ["boolean"];
    case "scalar":
      return ["string", "number", "boolean"];
    case "section":
    case "variant":
    case "map":
      return ["object"];
    case "list":
      return ["array"];
    case "command":
      return form.orStatic === undefined ? ["object"] : ["object", ...kindsOf(form.orStatic)];
    case "either":
      return form.of.flatMap(kindsOf);
    case "data":
      if (form.must === undefined) return anyKind;
      return form.must === "object" ? ["object"] : ["object", "string"];
  }
}

function memberOf(form: Value, name: string): readonly Value[] {
  switch (form.kind) {
    case "section":
      return inSection(form.section(), name);
    case "variant":
      return Object.values(form.variants).flatMap((section) => inSection(section(), name));
    case "map":
      return [form.of];
    case "command": {
      const spec = commandSpec(name);
      if (spec !== undefined) return [spec.argument];
      return form.orStatic === undefined ? [] : memberOf(form.orStatic, name);
    }
    case "either":
      return form.of.flatMap((one) => memberOf(one, name));
    case "data":
      return commandSpec(name) === undefined ? [data] : [];
    default:
      return [];
  }
}

function inSection({ members, open }: Section, name: string): readonly Value[] {
  if (Object.hasOwn(members, name)) return [members[name]!.value];
  return open === true ? [data] : [];
}

function isOnlyCommand(form: Value): boolean {
  return (
    form.kind === "command" && (form.orStatic === undefined || !kindsOf(form.orStatic).includes("object"))
  );
}

function requiredBy(form: Value): readonly string[] {
  if (form.kind === "variant")
    return requiredByAll(Object.values(form.variants).map((section) => requiredIn(section())));
  return form.kind === "section" ? requiredIn(form.section()) : [];
}

function requiredByAll([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((name) => others.every((other) => other.includes(name)));
}

function requiredIn({ members }: Section): readonly string[] {
  return Object.keys(members).filter((name) => {
    const { required, tolerated } = members[name]!;
    return required === true && tolerated === undefined;
  });
}

function itemOf(form: Value): readonly Value[] {
  if (form.kind === "data") return [data];
  if (form.kind === "list") return [form.of];
  if (form.kind === "either") return form.of.flatMap(itemOf);
  if (form.kind === "command" && form.orStatic !== undefined) return itemOf(form.orStatic);
  return [];
}
