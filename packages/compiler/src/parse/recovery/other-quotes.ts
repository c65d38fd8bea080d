/** In offsets of a line. */
export interface LineEdit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/** Quotes of other languages, and those that word processors make of `"`, with what can close each. */
const closers: Readonly<Record<string, string | undefined>> = {
  "'": "'",
  "`": "`",
  "‘": "’",
  "’": "’",
  "“": "”“",
  "”": "”",
  "„": "“”",
};
const JSON_STRING = /"(?:[^"\\]|\\.)*"/y;
/** A string ends where a value or name can. */
const AFTER_STRING = /\s*(?:[,:}\]]|$)/y;

/**
 * The changes that give the strings of a line the quotes of JSON. A name in such quotes, by itself, is another mistake.
 *
 * @returns undefined if all its strings have them, or one of the others isn't closed on the line
 */
export function otherQuotes(line: string): readonly LineEdit[] | undefined {
  const edits: LineEdit[] = [];
  let isValue = false;
  for (let at = 0; at < line.length; ) {
    JSON_STRING.lastIndex = at;
    if (line[at] === '"') {
      if (!JSON_STRING.test(line)) return undefined;
      at = JSON_STRING.lastIndex;
      continue;
    }
    const closing = Object.hasOwn(closers, line[at]!) ? closers[line[at]!] : undefined;
    if (closing === undefined) {
      at++;
      continue;
    }
    const end = closerOf(line, at + 1, closing);
    if (end === undefined) return undefined;
    edits.push({ at, remove: 1, insert: '"' }, ...escapes(line, at + 1, end), {
      at: end,
      remove: 1,
      insert: '"',
    });
    isValue ||= !/^\s*:/.test(line.slice(end + 1, end + 32));
    at = end + 1;
  }
  return isValue ? edits : undefined;
}

function closerOf(line: string, from: number, closing: string): number | undefined {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (closing.includes(line[at]!)) {
      AFTER_STRING.lastIndex = at + 1;
      if (AFTER_STRING.test(line)) return at;
    }
  }
  return undefined;
}

/** Inside of JSON's quotes a `"` is escaped, and an apostrophe isn't. */
function escapes(line: string, from: number, to: number): LineEdit[] {
  const edits: LineEdit[] = [];
  for (let at = from; at < to; at++) {
    if (line[at] === "\\") {
      if (line[at + 1] === "'") edits.push({ at, remove: 1, insert: "" });
      at++;
    } else if (line[at] === '"') edits.push({ at, remove: 0, insert: "\\" });
  }
  return edits;
}
