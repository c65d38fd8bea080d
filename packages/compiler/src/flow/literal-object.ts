import type { Expression, If, ObjectConstruction, ObjectEntry, Pipeline, Program } from "@configc/jq";
import { derivedFromText } from "../bind/derived.ts";
import { plain } from "./plain-body.ts";

/**
 * What a program's text alone says of its output where it ends with an object construction, `… | {a: .x, b}`: most programs of
 * configs do. Asking this first saves inferring types in nearly all documents.
 */

/** The object construction that a program ends with: each of its outputs is made there. */
export const finalObject = derivedFromText(({ body }: Program) => finalObjectOf(plain(body)));

function finalObjectOf(expression: Expression): ObjectConstruction | undefined {
  let at: Expression | undefined = expression;
  while (at !== undefined) {
    at = plain(at);
    if (at.kind === "Object") return at;
    else if (at.kind === "Pipeline") at = lastExpression(at);
    else if (at.kind === "If") at = onlyOutput(at);
    else return undefined;
  }
  return undefined;
}

/** The only branch that has outputs: `if .errors then error("refused") else {id: .id} end`. */
function onlyOutput({ branches, otherwise }: If): Expression | undefined {
  if (otherwise === undefined) return undefined;
  const [only, ...others] = [...branches.map(({ body }) => body), otherwise].filter(
    (body) => !isBarren(body),
  );
  return others.length === 0 ? only : undefined;
}

/** Whether an expression certainly has no output. */
export function isBarren(expression: Expression): boolean {
  if (expression.kind === "Group") return isBarren(expression.body);
  if (expression.kind === "Pipeline") {
    const last = lastExpression(expression);
    return last !== undefined && isBarren(last);
  }
  return expression.kind === "Call" && /^(?:error|empty)$/.test(expression.name.text);
}

/** The last stage of a pipeline, which makes its outputs. */
function lastExpression({ stages }: Pipeline): Expression | undefined {
  const last = stages.at(-1);
  if (last === undefined || last.kind === "Definition" || last.kind === "Binding" || last.kind === "Label")
    return undefined;
  return last;
}

/** The entry of an object construction with a constant name; of several, the last counts. */
export function entryOf({ entries }: ObjectConstruction, name: string): ObjectEntry | undefined {
  for (let index = entries.length - 1; index >= 0; index--)
    if (nameOf(entries[index]!.key) === name) return entries[index];
  return undefined;
}

/** The members of an object construction by name; undefined if some name isn't constant. */
export function literalMembers(
  object: ObjectConstruction,
): ReadonlyMap<string, Expression | undefined> | undefined {
  const members = new Map<string, Expression | undefined>();
  for (const { key, value } of object.entries) {
    const name = nameOf(key);
    if (name === undefined) return undefined;
    members.set(name, value);
  }
  return members;
}

/** The constant name of an object key. */
export function nameOf(key: ObjectEntry["key"]): string | undefined {
  switch (key.kind) {
    case "Name":
      return key.text;
    case "Variable":
      return key.name;
    case "String":
      return plainText(key);
    default:
      return undefined;
  }
}

function plainText({
  format,
  parts,
}: Extract<ObjectConstruction["entries"][number]["key"], { kind: "String" }>): string | undefined {
  if (format !== undefined) return undefined;
  let text = "";
  for (const part of parts) {
    if (part.kind !== "StringText") return undefined;
    text += part.value;
  }
  return text;
}
