import { literalText } from "../constant.ts";
import type { Expression, Format, StringLiteral } from "../syntax-tree.ts";
import type { Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { shownType } from "./findings.ts";
import { combined, type Flow, failing, one, piped } from "./flow.ts";
import type { Reports } from "./reports.ts";
import { literal, partsOf, string, type Type, union } from "./type.ts";

/** Kinds that a format takes; the others take any. */
const acceptedByFormat: ReadonlyMap<string, readonly Type["kind"][]> = new Map([
  ["csv", ["array"]],
  ["tsv", ["array"]],
  ["sh", ["null", "boolean", "number", "string", "array"]],
] as const);

/** `"…"`, perhaps with a format before it: a text for every combination of what stands in it. */
export function interpolation(node: StringLiteral, input: Type, scope: Scope, context: Context): Flow {
  const text = literalText(node);
  if (text !== undefined) return one(literal(text));
  const { reports } = context;
  const parts: Flow[] = [];
  for (const part of node.parts) {
    if (part.kind !== "Interpolation") continue;
    const flow = context.flow(part.expression, input, scope);
    parts.push(flow);
    if (node.format !== undefined) parts.push(piped(flow, formatted(node.format, flow.type, part, reports)));
  }
  return combined(alternatives(node, parts) ?? string, parts);
}

/** The texts that a string with one interpolation can be, where all that it is given are constants: `"id-\(.kind)"`. */
function alternatives({ format, parts }: StringLiteral, flows: readonly Flow[]): Type | undefined {
  const [given, ...others] = flows;
  if (format !== undefined || given === undefined || others.length > 0) return undefined;
  const around = (text: string): string =>
    parts.map((part) => (part.kind === "StringText" ? part.value : text)).join("");
  const texts: Type[] = [];
  for (const part of partsOf(given.type)) {
    if (part.kind !== "string" || part.value === undefined) return undefined;
    texts.push(literal(around(part.value)));
  }
  return texts.length === 0 ? undefined : union(...texts);
}

/** `@name` of a value. */
export function formatted(
  { name, start, end }: Format,
  input: Type,
  place: Expression | StringLiteral["parts"][number],
  reports: Reports,
): Flow {
  const accepted = acceptedByFormat.get(name);
  if (accepted === undefined || input.kind === "unknown" || input.kind === "never") return one(string);
  if (partsOf(input).some(({ kind }) => accepted.includes(kind))) {
    reports.fine(place, "input-type");
    return one(string);
  }
  const span = place.kind === "Format" ? { start, end } : place;
  reports.wrong(place, span, "input-type", { name: `@${name}`, found: shownType(input), accepted });
  return failing;
}
