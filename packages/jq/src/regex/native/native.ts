import { type CharacterTest, testOf } from "../matcher/character-tests.ts";
import type { Slots } from "../matcher/trail.ts";
import type { Regex } from "../syntax/tree.ts";
import { automatonOf } from "./automaton.ts";
import { mostTries } from "./path-count.ts";
import { plain } from "./plain.ts";
import type { Plain } from "./plain-tree.ts";
import { fromRunStarts, type LeadingRun } from "./run-start.ts";
import { sourceOf } from "./source.ts";
import { UnsupportedPattern } from "./unsupported-pattern.ts";

/** Texts that are longer, in UTF-16 units, aren't left to an engine that can't be interrupted. */
export const LONGEST_TEXT = 1_000_000;

/** A pattern that JavaScript's engine may search for, in time proportional to the text. */
export class NativeRegex {
  readonly source: string;
  private readonly global: RegExp;
  /** Finds what begins right at a place, also behind a character of the run that it begins with. */
  private readonly sticky: RegExp;
  private readonly runs: readonly { readonly contains: CharacterTest; readonly min: number }[];
  private readonly groups: number;

  constructor(pattern: Plain, whole: Plain, runs: readonly LeadingRun[], groups: number) {
    this.source = sourceOf(pattern);
    const flags = groups > 0 ? "vd" : "v";
    this.global = new RegExp(this.source, `${flags}g`);
    this.sticky = runs.some(({ min }) => min === 0) ? new RegExp(sourceOf(whole), `${flags}y`) : this.global;
    this.runs = runs.map(({ set, min }) => ({ contains: testOf(set), min }));
    this.groups = groups;
  }

  /**
   * The first match from a place on.
   *
   * @returns undefined if JavaScript's engine can't tell; `none` if there is none
   */
  search(text: string, from: number): Slots | "none" | undefined {
    const start = from > 0 ? this.startWithin(text, from) : undefined;
    if (start === "within-run") return undefined;
    const here = start === "behind-run" ? this.exec(this.sticky, text, from) : "none";
    return here === "none" ? this.exec(this.global, text, from) : here;
  }

  /** How a place lies in the run that an alternative begins with. */
  private startWithin(text: string, from: number): "within-run" | "behind-run" | undefined {
    const before = codeBefore(text, from);
    const after = text.codePointAt(from) ?? -1;
    let behind = false;
    for (const { contains, min } of this.runs) {
      if (!contains(before)) continue;
      if (after >= 0 && contains(after)) return "within-run";
      behind ||= min === 0;
    }
    return behind ? "behind-run" : undefined;
  }

  private exec(expression: RegExp, text: string, from: number): Slots | "none" | undefined {
    expression.lastIndex = from;
    const match = orUnknown(() => expression.exec(text));
    if (match === undefined) return undefined;
    if (match === null) return "none";
    const { 0: found, index } = match;
    // V8 looks for nothing between the halves of a character, too.
    if (found === "" && isWithinPair(text, index)) return undefined;
    if (this.groups === 0) return [index, index + found.length];
    return match.indices!.flatMap((range) => range ?? [-1, -1]);
  }
}

/** What a search gives; undefined if the engine runs out of the memory that it has for going back. */
function orUnknown<Result>(search: () => Result): Result | undefined {
  try {
    return search();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function codeBefore(text: string, at: number): number {
  return isWithinPair(text, at - 1) ? text.codePointAt(at - 2)! : text.charCodeAt(at - 1);
}

function isWithinPair(text: string, at: number): boolean {
  return at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

/**
 * A pattern for JavaScript's engine, if it means exactly the same there and takes time proportional to the text.
 *
 * @returns or the reason why not
 */
export function nativeOf({ body, names }: Regex): NativeRegex | UnsupportedPattern {
  try {
    const whole = plain(body);
    try {
      mostTries(automatonOf(whole));
      return new NativeRegex(whole, whole, [], names.length);
    } catch (error) {
      const fromStarts = error instanceof UnsupportedPattern ? fromRunStarts(whole) : undefined;
      if (fromStarts === undefined) throw error;
      const { pattern, runs } = fromStarts;
      mostTries(automatonOf(pattern));
      return new NativeRegex(pattern, whole, runs, names.length);
    }
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error;
    // An engine without the flag `v`.
    if (error instanceof SyntaxError) return new UnsupportedPattern("an engine that can't read it");
    throw error;
  }
}
