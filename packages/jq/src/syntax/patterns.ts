import { excerpt } from "../excerpt.ts";
import type { Pattern, PatternEntry, VariablePattern } from "../syntax-tree.ts";
import { atString, parseHole, parseString } from "./strings.ts";
import type { Grammar } from "./token-stream.ts";

/** `pattern ?// pattern ?// …`, what follows `as`. */
export function parsePatterns(grammar: Grammar): readonly Pattern[] {
  const patterns = [parsePattern(grammar)];
  while (grammar.stream.takeOperator("?//")) patterns.push(parsePattern(grammar));
  return patterns;
}

function parsePattern(grammar: Grammar): Pattern {
  const { stream } = grammar;
  const nothing = (): Pattern => {
    const { start, end } = stream.missing();
    return { kind: "ArrayPattern", items: [], start, end };
  };
  if (stream.current.kind === "variable") return variablePattern(grammar);
  if (stream.isOperator("[")) return stream.nested(() => arrayPattern(grammar), nothing);
  if (stream.isOperator("{")) return stream.nested(() => objectPattern(grammar), nothing);
  const hint =
    stream.current.kind === "identifier"
      ? `Write $${excerpt(stream.current.text)}: variables begin with $.`
      : undefined;
  stream.unexpected(["a variable", "“[”", "“{”"], hint);
  if (stream.current.kind === "identifier") stream.take();
  return nothing();
}

function variablePattern({ stream }: Grammar): VariablePattern {
  if (stream.current.text === "__loc__") stream.unexpected(["the name of a variable"]);
  const { text: name, start, end } = stream.take();
  return { kind: "VariablePattern", name, start, end };
}

function arrayPattern(grammar: Grammar): Pattern {
  const { stream } = grammar;
  const opener = stream.take();
  const items = [parsePattern(grammar)];
  while (stream.takeOperator(",")) items.push(parsePattern(grammar));
  stream.close(opener, "]", ["“,”", "“]”"]);
  return { kind: "ArrayPattern", items, start: opener.start, end: stream.end };
}

function objectPattern(grammar: Grammar): Pattern {
  const { stream } = grammar;
  const opener = stream.take();
  const entries: PatternEntry[] = [];
  do {
    const entry = patternEntry(grammar);
    if (entry !== undefined) entries.push(entry);
  } while (stream.takeOperator(","));
  stream.close(opener, "}", ["“,”", "“}”"]);
  return { kind: "ObjectPattern", entries, start: opener.start, end: stream.end };
}

function patternEntry(grammar: Grammar): PatternEntry | undefined {
  const { stream } = grammar;
  const { start } = stream.current;
  const key = patternKey(grammar);
  if (key === undefined) {
    stream.unexpected(["a variable", "a member's name", "a string", "“(”"]);
    stream.skipTo([",", "}"]);
    return undefined;
  }
  if (key.kind === "VariablePattern" && !stream.isOperator(":")) {
    return { kind: "PatternEntry", key, start, end: stream.end };
  }
  if (!stream.takeOperator(":")) {
    stream.unexpected(["“:”"]);
    stream.skipTo([",", "}"]);
    return { kind: "PatternEntry", key, start, end: stream.end };
  }
  const pattern = parsePattern(grammar);
  return { kind: "PatternEntry", key, pattern, start, end: stream.end };
}

function patternKey(grammar: Grammar): PatternEntry["key"] | undefined {
  const { stream } = grammar;
  const { kind, text, start, end } = stream.current;
  if (kind === "variable") return variablePattern(grammar);
  if (kind === "identifier" || kind === "keyword") {
    stream.take();
    return { kind: "Name", text, start, end };
  }
  if (kind === "hole") return parseHole(grammar);
  if (atString(grammar)) return parseString(grammar);
  if (!stream.isOperator("(")) return undefined;
  const opener = stream.take();
  const body = grammar.query();
  stream.close(opener, ")");
  return { kind: "Group", body, start, end: stream.end };
}
