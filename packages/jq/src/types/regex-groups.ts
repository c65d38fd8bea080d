import { readPattern } from "../regex/pattern.ts";
import { type Node, type Regex, RegexError } from "../regex/syntax/tree.ts";
import { textOf } from "./operations.ts";
import { type Member, nullType, object, string, type Type, tuple, union } from "./type.ts";

/** The pattern that an expression and its flags are; undefined where it isn't known, or isn't one. */
export function patternOf(expression: Type | undefined, flags: Type | undefined): Regex | undefined {
  if (expression?.kind !== "string" || expression.value === undefined) return undefined;
  const letters = flags === undefined || flags.kind === "null" ? "" : textOf(flags);
  if (letters === undefined) return undefined;
  try {
    return readPattern(expression.value, letters);
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
}

/** What `capture` gives: the named groups, null where one takes no part in a match. */
export function capturedBy(regex: Regex): Type {
  const certain = certainGroups(regex);
  const members = new Map<string, Member>();
  for (const [at, name] of regex.names.entries()) {
    if (name === undefined) continue;
    // Of several groups of one name the last one counts, whether it took part or not.
    members.set(name, { type: groupText(certain.has(at + 1)), optional: false });
  }
  return object(members);
}

/** What `scan` gives: the whole match, or all groups if there are some. */
export function scannedBy(regex: Regex): Type {
  const count = regex.groups.length - 1;
  if (count === 0) return string;
  const certain = certainGroups(regex);
  return tuple(Array.from({ length: count }, (_, at) => groupText(certain.has(at + 1))));
}

const groupText = (isCertain: boolean): Type => (isCertain ? string : union(string, nullType));

/** The groups that take part in every match. */
function certainGroups({ body }: Regex): ReadonlySet<number> {
  const found = new Set<number>();
  const parts: Node[] = [body];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part.kind === "sequence") parts.push(...part.items);
    if (part.kind === "repeat" && part.min > 0) parts.push(part.body);
    if (part.kind === "atomic") parts.push(part.body);
    if (part.kind === "group") {
      found.add(part.number);
      parts.push(part.body);
    }
  }
  return found;
}
