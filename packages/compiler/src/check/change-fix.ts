import type { Fix } from "../findings/rule.ts";
import { type Document, type Location, type StringPart, spanOf } from "../parse/document.ts";
import { replaceInString } from "./edits.ts";

/** Fixes that write something else where a finding points: text as it stands in the document … */
export function changeTo(document: Document, at: Location, text: string, safe: boolean): Fix {
  return { title: `Change to \`${text}\``, safe, edits: [{ ...spanOf(document, at), newText: text }] };
}

/** … a key or a value that is a string … */
export function changeToString(document: Document, at: Location, text: string, safe: boolean): Fix {
  return {
    ...changeTo(document, at, text, safe),
    edits: [{ ...spanOf(document, at), newText: JSON.stringify(text) }],
  };
}

/** … or a part of a string. */
export function changeInString(
  document: Document,
  { node, from, to }: StringPart,
  text: string,
  safe: boolean,
): Fix {
  return { title: `Change to \`${text}\``, safe, edits: [replaceInString(document, node, from, to, text)] };
}
