/** A text that isn't JSON. Line and column count from 1. */
export class JsonStreamError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(text: string, offset: number, message: string) {
    super(message);
    this.name = "JsonStreamError";
    const before = text.slice(0, offset);
    this.line = before.split("\n").length;
    this.column = offset - (before.lastIndexOf("\n") + 1) + 1;
  }
}

/**
 * The JSON values of a text that stand one after the other, with or without blanks between them.
 *
 * @param parse reads one value
 * @throws JsonStreamError at the first value that isn't JSON, after those before it
 */
export function* jsonStream(text: string, parse: (text: string) => unknown = JSON.parse): Generator<unknown> {
  const blank = /[\s\ufeff]*/y;
  for (let at = 0; ; ) {
    blank.lastIndex = at;
    blank.test(text);
    at = blank.lastIndex;
    if (at >= text.length) return;
    const end = endOfValue(text, at);
    let value: unknown;
    try {
      value = parse(text.slice(at, end));
    } catch {
      throw new JsonStreamError(text, at, "This value isn't JSON.");
    }
    yield value;
    at = end;
  }
}

/** Where the value that begins here ends, if it is one: its brackets are counted, nothing else is checked. */
function endOfValue(text: string, start: number): number {
  const token = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^\s"[\]{},:]+|[,:]/gs;
  token.lastIndex = start;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [first] = found[0];
    if (first === "[" || first === "{") depth++;
    else if (first === "]" || first === "}") depth--;
    if (depth <= 0) return token.lastIndex;
  }
  return text.length;
}
