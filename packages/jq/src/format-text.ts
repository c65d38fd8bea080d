import { formatted } from "./editor/lay-out.ts";
import { type FormatOptions, format as onOneLine } from "./format.ts";
import { parse } from "./syntax/parser.ts";
import type { Hole, Program } from "./syntax-tree.ts";

/** How often a text is laid out until nothing changes any more. */
const ROUNDS = 4;

/** What `format` of a text takes. */
export interface FormatTextOptions {
  /** Expansions in the text, as for `parse`. */
  readonly holes?: readonly Hole[];
}

/**
 * Lays out a program: of a text, over several lines where it has more than 80 columns, with its comments; a text with mistakes stays
 * as it is. Of a tree, on one line, without comments, which aren't a part of it. Either has the same tree afterwards, spans aside (of
 * a tree, if the program had no mistakes), and formatting it again changes nothing.
 */
export function format(program: string, options?: FormatTextOptions): string;
export function format(program: Program, options?: FormatOptions): string;
export function format(program: string | Program, options: FormatTextOptions | FormatOptions = {}): string {
  if (typeof program !== "string") return onOneLine(program, options as FormatOptions);
  const { holes = [] } = options as FormatTextOptions;
  // Offsets of holes change with the text: with holes, a text is laid out once.
  let before = program;
  for (let round = 0; round < ROUNDS; round++) {
    const after = formatted(before, round === 0 ? holes : []);
    if (after === before) return before;
    if (!isSame(before, after, holes)) return program;
    if (holes.length > 0) return after;
    before = after;
  }
  return program;
}

/** Whether a program means the same and nothing is lost. Where expansions stand, only blanks may differ. */
function isSame(before: string, after: string, holes: readonly Hole[]): boolean {
  const squeezed = (text: string): string => text.replace(/\s+/g, "");
  if (squeezed(before) !== squeezed(after)) return false;
  return holes.length > 0 || onOneLine(parse(before).program) === onOneLine(parse(after).program);
}
