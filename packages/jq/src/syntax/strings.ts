import type { Format, HoleValue, StringLiteral, StringPart } from "../syntax-tree.ts";
import type { Grammar } from "./token-stream.ts";

/** Whether a string, perhaps with a format before it, begins at the current token. */
export function atString({ stream }: Grammar): boolean {
  return (
    stream.current.kind === "string-start" ||
    (stream.current.kind === "format" && stream.next.kind === "string-start")
  );
}

/** `"…"` or `@format "…"`; call it only where `atString` holds. */
export function parseString(grammar: Grammar): StringLiteral {
  const { stream } = grammar;
  const { start } = stream.current;
  const format = stream.current.kind === "format" ? parseFormat(grammar) : undefined;
  stream.take();
  const parts: StringPart[] = [];
  while (stream.current.kind !== "string-end" && !stream.atEnd) parts.push(part(grammar));
  if (!stream.atEnd) stream.take();
  const string = { kind: "String", parts, start, end: stream.end } as const;
  return format === undefined ? string : { ...string, format };
}

function part(grammar: Grammar): StringPart {
  const { stream } = grammar;
  const token = stream.current;
  const { start, end } = token;
  switch (token.kind) {
    case "string-text":
      stream.take();
      return { kind: "StringText", value: token.text, start, end };
    case "hole":
      return { kind: "Interpolation", expression: parseHole(grammar), start, end };
    default: {
      const opener = stream.take();
      const expression = grammar.query();
      if (stream.current.kind === "interpolation-end") stream.take();
      else stream.close(opener, "\\)", ["an operator", "“)”"]);
      return { kind: "Interpolation", expression, start, end: stream.end };
    }
  }
}

export function parseFormat({ stream }: Grammar): Format {
  const { text: name, start, end } = stream.take();
  return { kind: "Format", name, start, end };
}

export function parseHole({ stream }: Grammar): HoleValue {
  const { hole, start, end } = stream.take();
  return { kind: "Hole", hole, start, end };
}
