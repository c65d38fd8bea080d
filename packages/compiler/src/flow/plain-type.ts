import { type Cardinality, type Expression, type Program, type Type, types } from "@configc/jq";
import { constantOf, LONGEST_LITERAL, memberType } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { nameOf } from "./literal-object.ts";

/**
 * The type of a program that only takes values out of its input and builds objects and lists of them, where nothing is known
 * of the input: `[.items[] | {display: .title, value: .id}]`. Most programs of configs are of this kind, and reading their type
 * off their form costs a tenth of inferring it. It is the same type: `test/flow/plain-type.test.ts` compares the two.
 *
 * @returns null for any other program
 */
export const plainType = derivedFromText(({ body, directives }: Program): PlainType | null =>
  directives.length > 0 ? null : (plain(body) ?? null),
);

export interface PlainType {
  readonly type: Type;
  readonly cardinality: Extract<Cardinality, "one" | "many">;
}

const path = (cardinality: PlainType["cardinality"]): PlainType => ({ type: types.unknown, cardinality });

function plain(node: Expression): PlainType | undefined {
  switch (node.kind) {
    case "Group":
      return plain(node.body);
    case "Postfix":
      return ofPath(node);
    case "Array": {
      if (node.body === undefined) return undefined;
      const items = plain(node.body);
      if (items === undefined) return undefined;
      const type = items.cardinality === "one" ? types.tuple([items.type]) : types.array(items.type);
      return { type, cardinality: "one" };
    }
    case "Object":
      return ofObject(node);
    case "Pipeline":
      return ofPipeline(node);
    case "Alternative":
      return ofAlternative(node);
    default:
      return undefined;
  }
}

/**
 * The type of a program that is nothing but a path, `.custom_data.form.value`, where each step of it is there or may be: then inferring
 * it would find nothing either.
 */
export function typeRead(program: JqProgram, input: Type): Type | undefined {
  const names = namesRead(program);
  if (names === null) return undefined;
  let type = input;
  for (const name of names) {
    if (type.kind === "unknown") return type;
    if (type.kind !== "object" || !(type.members.has(name) || type.rest !== undefined)) return undefined;
    type = memberType(type, name);
  }
  return type;
}

const namesRead = derivedFromText(({ body, directives }: Program): readonly string[] | null => {
  if (directives.length > 0 || body.kind !== "Postfix" || body.head.kind !== "Identity") return null;
  const names: string[] = [];
  for (const suffix of body.suffixes) {
    const key = suffix.kind === "Field" ? suffix.key : undefined;
    const name = key?.kind === "Name" || key?.kind === "String" ? nameOf(key) : undefined;
    if (name === undefined || name.length > LONGEST_LITERAL) return null;
    names.push(name);
  }
  return names;
});

/** `.a.b[].c`: at least one step away from the input, so that nothing of the input's own type is left. */
function ofPath({ head, suffixes }: Extract<Expression, { kind: "Postfix" }>): PlainType | undefined {
  if (head.kind !== "Identity" || suffixes.length === 0) return undefined;
  let cardinality: PlainType["cardinality"] = "one";
  for (const suffix of suffixes) {
    if (suffix.kind === "Iterate") cardinality = "many";
    else if (suffix.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
  }
  return path(cardinality);
}

function ofObject({ entries }: Extract<Expression, { kind: "Object" }>): PlainType | undefined {
  const members: [string, { type: Type; optional: boolean }][] = [];
  for (const { key, value } of entries) {
    const name = key.kind === "Name" || key.kind === "String" ? nameOf(key) : undefined;
    if (name === undefined || members.some(([known]) => known === name)) return undefined;
    const made = value === undefined ? path("one") : plain(value);
    if (made?.cardinality !== "one") return undefined;
    members.push([name, { type: made.type, optional: false }]);
  }
  return { type: types.object(members), cardinality: "one" };
}

/** `.a // .b // "none"`: of a path nothing is known, so nothing is known of the whole. */
function ofAlternative({ operands }: Extract<Expression, { kind: "Alternative" }>): PlainType | undefined {
  for (const [index, operand] of operands.entries()) {
    const made = plain(operand);
    if (made?.type === types.unknown && made.cardinality === "one") continue;
    const isLast = index > 0 && index === operands.length - 1;
    if (!isLast || constantOf(operand) === undefined) return undefined;
  }
  return path("one");
}

/** Each stage but the last is a path, so that nothing is known of what the next one gets. */
function ofPipeline({ stages }: Extract<Expression, { kind: "Pipeline" }>): PlainType | undefined {
  let cardinality: PlainType["cardinality"] = "one";
  for (const [index, stage] of stages.entries()) {
    if (stage.kind === "Definition" || stage.kind === "Binding" || stage.kind === "Label") return undefined;
    const made = index < stages.length - 1 && stage.kind !== "Postfix" ? undefined : plain(stage);
    if (made === undefined) return undefined;
    if (made.cardinality === "many") cardinality = "many";
    if (index === stages.length - 1) return { type: made.type, cardinality };
  }
  return undefined;
}
