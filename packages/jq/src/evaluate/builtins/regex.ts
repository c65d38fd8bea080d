import type { Json } from "../../json.ts";
import { compileRegex, type RegexMatch } from "../../regex/regex.ts";
import { RegexError } from "../../regex/syntax/tree.ts";
import type { Span } from "../../syntax-tree.ts";
import { fail } from "../error.ts";
import type { Machine } from "../machine.ts";
import { bytes, countText } from "../meter.ts";
import { described, isArray, typeName } from "../values.ts";
import type { ValueFunction } from "./contract.ts";

/** Of the object for a match or one of its groups, with its text. */
const MATCH_BYTES = 3 * bytes.object + bytes.item + 2 * bytes.text;

/** What the regular expressions of the prelude are made of; programs can't call these. */
export const regexFunctions: Readonly<Record<string, ValueFunction>> = {
  "_test/1": (input, [given], machine, span) => hasMatch(input, patternOf(given!, span), machine, span),
  "_test/2": (input, [pattern, flags], machine, span) => hasMatch(input, [pattern!, flags!], machine, span),
  "_match/1": (input, [given], machine, span) => allMatches(input, patternOf(given!, span), machine, span),
  "_match/2": (input, [pattern, flags], machine, span) =>
    allMatches(input, [pattern!, flags!], machine, span),
  /** The parts of the text between matches. */
  "_split/2": (input, [pattern, flags], machine, span) => {
    const text = input as string;
    const parts: Json[] = [];
    let from = 0;
    search(input, pattern!, flags!, machine, span, ({ slots }) => {
      machine.makes(bytes.item + bytes.text, span);
      parts.push(text.slice(from, slots[0]));
      from = slots[1]!;
      return true;
    });
    return [...parts, text.slice(from)];
  },
  /** `[[text before the match, its named groups], …]` and the text after the last one. */
  "_edits/2": (input, [pattern, flags], machine, span) => {
    const edits: Json[] = [];
    const rest = editsOf(input, pattern!, flags!, machine, span, (before, groups) => {
      edits.push([before, groups]);
    });
    return [edits, rest];
  },
};

/**
 * Gives, for each match, the text before it and its named groups.
 *
 * @returns the text after the last match
 */
export function editsOf(
  input: Json,
  pattern: Json,
  flags: Json,
  machine: Machine,
  span: Span,
  edit: (before: string, groups: Json) => void,
): string {
  const text = input as string;
  let from = 0;
  search(input, pattern, flags, machine, span, (match) => {
    machine.makes((1 + match.names.length) * MATCH_BYTES, span);
    edit(text.slice(from, match.slots[0]), namedGroups(text, match));
    from = match.slots[1]!;
    return true;
  });
  return text.slice(from);
}

/** A pattern and its flags. */
type Pattern = readonly [pattern: Json, flags: Json];

/** What the short forms take: a text, or an array of a pattern and its flags. */
function patternOf(given: Json, span: Span): Pattern {
  if (typeof given === "string") return [given, null];
  if (isArray(given) && given.length > 0) return [given[0]!, given[1] ?? null];
  return fail(`${typeName(given)} not a string or array`, span);
}

function hasMatch(input: Json, [pattern, flags]: Pattern, machine: Machine, span: Span): boolean {
  let isFound = false;
  search(input, pattern, flags, machine, span, () => {
    isFound = true;
    return false;
  });
  return isFound;
}

function allMatches(input: Json, [pattern, flags]: Pattern, machine: Machine, span: Span): Json {
  const text = input as string;
  const found: Json[] = [];
  const offset = codePointOffsets(text);
  search(input, pattern, flags, machine, span, (match) => {
    machine.makes((1 + match.names.length) * MATCH_BYTES, span);
    found.push(matchObject(text, match, offset));
    machine.charge(found.length, span);
    return true;
  });
  return found;
}

function search(
  input: Json,
  pattern: Json,
  flags: Json,
  machine: Machine,
  span: Span,
  take: (match: RegexMatch) => boolean,
): void {
  if (typeof input !== "string") fail(`${described(input)} cannot be matched, as it is not a string`, span);
  if (typeof pattern !== "string") fail(`${described(pattern)} is not a string`, span);
  if (typeof flags !== "string" && flags !== null) fail(`${described(flags)} is not a string`, span);
  const tick = (): void => machine.tick(span);
  try {
    countText(pattern.length * 4);
    compileRegex(pattern, flags ?? "").search(input, tick, (match) => {
      machine.calls(span);
      return take(match);
    });
  } catch (error) {
    if (error instanceof RegexError) fail(error.message, span);
    throw error;
  }
}

function matchObject(text: string, { slots, names }: RegexMatch, offset: (at: number) => number): Json {
  const [start, end] = slots as readonly [number, number];
  const first = offset(start);
  const captures = names.map((name, index): Json => {
    const [from, to] = groupOf(slots, index);
    const named = name ?? null;
    if (from < 0 || to < 0) return { offset: -1, string: null, length: 0, name: named };
    const at = offset(from);
    const string = text.slice(from, to);
    if (string === "") return { offset: at, string, length: 0, name: named };
    return { offset: at, length: offset(to) - at, string, name: named };
  });
  return { offset: first, length: offset(end) - first, string: text.slice(start, end), captures };
}

/** In an empty match jq takes groups that took part to be empty too, at its place. */
function groupOf(slots: RegexMatch["slots"], index: number): readonly [number, number] {
  const [start, end] = [slots[index * 2 + 2]!, slots[index * 2 + 3]!];
  return start >= 0 && end >= 0 && slots[0] === slots[1] ? [slots[0]!, slots[0]!] : [start, end];
}

function namedGroups(text: string, { slots, names }: RegexMatch): Json {
  const groups: Record<string, Json> = Object.create(null);
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    const [from, to] = groupOf(slots, index);
    groups[name] = from < 0 || to < 0 ? null : text.slice(from, to);
  }
  return groups;
}

/** Offsets in code points; asked for in about ascending order, each part of the text is counted about once. */
function codePointOffsets(text: string): (at: number) => number {
  let [known, count] = [0, 0];
  return (at) => {
    if (at < known) [known, count] = [0, 0];
    for (; known < at; known++) if ((text.charCodeAt(known) & 0xfc00) !== 0xdc00 || known === 0) count++;
    return count;
  };
}
