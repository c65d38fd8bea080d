import { layOut, onOneLine } from "@configc/jq/internal";
import { parseTemplate } from "../../parse/template.ts";

/** A program as it is shown in a document of its own: over several lines where it is long. */
export function laidOutProgram(text: string): string {
  return layOut(text, holesOf(text));
}

/**
 * The string that an edited program is written as: on one line as before, unless its author has written several lines, or comments,
 * which end with them. Where only blanks are others, nothing is.
 *
 * @param before the string as it is
 */
export function writtenProgram(before: string, text: string): string {
  const after = onOneLine(text, holesOf(text));
  if (onOneLine(before, holesOf(before)) === after) return before;
  return before.includes("\n") ? text : after;
}

function holesOf(text: string) {
  return (parseTemplate(text)?.expansions ?? []).map(({ start, end }) => ({ start, end }));
}
