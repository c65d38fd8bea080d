import type { Cursor } from "./cursor.ts";
import { type Node, RegexError } from "./tree.ts";

/** Behind `(?`: a callout, `{…})`. Nobody listens to it. */
export function readCallout(cursor: Cursor): Node {
  const end = cursor.text.indexOf("})", cursor.at);
  if (end < 0) throw new RegexError("invalid callout pattern");
  cursor.at = end + 2;
  return { kind: "empty" };
}

/** Of the callouts that have a name those that need no counter of their own. */
const verbs: Readonly<Record<string, Node>> = {
  FAIL: { kind: "never" },
  COUNT: { kind: "empty" },
  TOTAL_COUNT: { kind: "empty" },
};

/** Behind `(`: a callout with a name, `*NAME)`. */
export function readVerb(cursor: Cursor): Node {
  const match = cursor.read(/\*([A-Za-z_]\w*)?/y);
  if (match?.[1] === undefined)
    throw new RegexError(cursor.done ? "invalid callout pattern" : "invalid callout name");
  if (cursor.done) throw new RegexError("end pattern in group");
  const node = Object.hasOwn(verbs, match[1]) ? verbs[match[1]] : undefined;
  if (node === undefined) throw new RegexError("undefined callout name");
  if (!cursor.take(")")) throw new RegexError("invalid callout arg");
  return node;
}
