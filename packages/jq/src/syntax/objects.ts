import type { Expression, ObjectConstruction, ObjectEntry, ObjectKey } from "../syntax-tree.ts";
import { atString, parseHole, parseString } from "./strings.ts";
import type { Grammar, TokenStream } from "./token-stream.ts";

const keyForms = ["a member's name", "a string", "a variable", "“(”"] as const;

/** `{ key: value, … }`; the current token is the brace. */
export function parseObject(grammar: Grammar): ObjectConstruction {
  const { stream } = grammar;
  const opener = stream.take();
  const entries: ObjectEntry[] = [];
  while (!stream.isOperator("}") && !stream.atEnd) {
    const entry = parseEntry(grammar);
    if (entry !== undefined) entries.push(entry);
    if (stream.takeOperator(",")) continue;
    if (stream.isOperator("}") || stream.atEnd) break;
    stream.unexpected(["“,”", "“}”"], separatorHint(grammar));
    if (atKey(stream)) continue;
    if (!stream.skipTo([",", "}"])) break;
    stream.takeOperator(",");
  }
  stream.close(opener, "}", ["“,”", "“}”"]);
  return { kind: "Object", entries, start: opener.start, end: stream.end };
}

/** A word before a colon: where an operator is missing, the next member begins. */
export function atKey(stream: TokenStream): boolean {
  const { kind, text } = stream.current;
  if (kind !== "identifier" && kind !== "keyword" && kind !== "variable") return false;
  // The name of a module's function, `a::b`, can't be a key, so it begins no member.
  if (text.includes("::")) return false;
  return stream.next.kind === "operator" && stream.next.text === ":";
}

function separatorHint({ stream }: Grammar): string | undefined {
  if (stream.isOperator(";")) return "Separate members by commas.";
  if (stream.isKeyword("as")) return "Put parentheses around a value that binds a variable.";
  return undefined;
}

function parseEntry(grammar: Grammar): ObjectEntry | undefined {
  const { stream } = grammar;
  const { start } = stream.current;
  const key = parseKey(grammar);
  if (key === undefined) {
    const quoted = stream.current.kind === "number" || stream.current.kind === "field";
    stream.unexpected(
      keyForms,
      quoted ? "Write any other key as a string or, if it is computed, in parentheses." : undefined,
    );
    return undefined;
  }
  const alone = key.kind !== "Group" && key.kind !== "Hole";
  if (key.kind === "SourceLocation" || (alone && !stream.isOperator(":"))) {
    return { kind: "Entry", key, start, end: stream.end };
  }
  if (!stream.takeOperator(":")) {
    stream.unexpected(["“:”"]);
    return { kind: "Entry", key, start, end: stream.end };
  }
  const value = parseValue(grammar);
  return { kind: "Entry", key, value, start, end: stream.end };
}

function parseKey(grammar: Grammar): ObjectKey | undefined {
  const { stream } = grammar;
  const { kind, text, start, end } = stream.current;
  if (kind === "identifier" || kind === "keyword") {
    // `a::b` is one token, and no key.
    if (text.includes("::")) return undefined;
    stream.take();
    return { kind: "Name", text, start, end };
  }
  if (kind === "variable") {
    stream.take();
    if (text === "__loc__") return { kind: "SourceLocation", line: lineAt(stream.text, start), start, end };
    return { kind: "Variable", name: text, start, end };
  }
  if (kind === "hole") return parseHole(grammar);
  if (atString(grammar)) return parseString(grammar);
  if (!stream.isOperator("(")) return undefined;
  const opener = stream.take();
  const body = grammar.query();
  stream.close(opener, ")");
  return { kind: "Group", body, start, end: stream.end };
}

/** A value may contain `|` but neither `,` nor `as`. */
function parseValue(grammar: Grammar): Expression {
  const first = grammar.expression();
  if (!grammar.stream.isOperator("|")) return first;
  const stages = [first];
  while (grammar.stream.takeOperator("|")) stages.push(grammar.expression());
  return { kind: "Pipeline", stages, start: first.start, end: grammar.stream.end };
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
