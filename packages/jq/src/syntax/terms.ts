import { excerpt } from "../excerpt.ts";
import type { Expression, Name, Term } from "../syntax-tree.ts";
import { parseConditional, parseFold } from "./control.ts";
import { parseDefinition } from "./definitions.ts";
import { atFollower } from "./followers.ts";
import { missingTermHint } from "./hints.ts";
import { parseBreak, parseLabel } from "./labels.ts";
import { lineAt, parseObject } from "./objects.ts";
import { levelOfToken } from "./operators.ts";
import { atString, parseFormat, parseHole, parseString } from "./strings.ts";
import type { Grammar } from "./token-stream.ts";

const aFilter = ["a filter such as “.”"];

/** What suffixes may follow: a literal, a name, a bracket, or what a keyword begins. */
export function parseTerm(grammar: Grammar): Term {
  const { stream } = grammar;
  const token = stream.current;
  const { start, end } = token;
  if (atString(grammar)) return parseString(grammar);
  switch (token.kind) {
    case "number":
      stream.take();
      return { kind: "Number", value: Number(token.text), text: token.text, start, end };
    case "format":
      return parseFormat(grammar);
    case "variable":
      stream.take();
      return token.text === "__loc__"
        ? { kind: "SourceLocation", line: lineAt(stream.text, start), start, end }
        : { kind: "Variable", name: token.text, start, end };
    case "identifier":
      return call(grammar);
    case "hole":
      return parseHole(grammar);
    case "keyword":
      return keywordTerm(grammar);
    case "operator":
      return bracketTerm(grammar);
    default:
      return noTerm(grammar);
  }
}

function bracketTerm(grammar: Grammar): Term {
  const { stream } = grammar;
  const { text, start, end } = stream.current;
  switch (text) {
    case "..":
      stream.take();
      return { kind: "RecurseDefault", start, end };
    case "(": {
      const opener = stream.take();
      const body = grammar.query();
      stream.close(opener, ")");
      return { kind: "Group", body, start, end: stream.end };
    }
    case "[": {
      const opener = stream.take();
      if (stream.takeOperator("]")) return { kind: "Array", start, end: stream.end };
      const body = grammar.query();
      stream.close(opener, "]");
      return { kind: "Array", body, start, end: stream.end };
    }
    case "{":
      return stream.nested<Term>(
        () => parseObject(grammar),
        () => stream.missing(),
      );
    default:
      return noTerm(grammar);
  }
}

function keywordTerm(grammar: Grammar): Term {
  const { stream } = grammar;
  switch (stream.current.text) {
    case "if":
      return parseConditional(grammar);
    case "reduce":
    case "foreach":
      return stream.nested<Term>(
        () => parseFold(grammar),
        () => stream.missing(),
      );
    case "break":
      return parseBreak(grammar);
    default:
      return noTerm(grammar);
  }
}

/** No term begins here. An operator or closer is left for whoever expects it. */
function noTerm(grammar: Grammar): Term {
  const { stream } = grammar;
  const token = stream.current;
  stream.unexpected(aFilter, missingTermHint(token.kind, token.text, stream.previous?.text));
  const result = stream.missing();
  if (token.kind === "keyword" && (token.text === "def" || token.text === "label")) {
    skipNestedDefinition(grammar);
  } else if (token.kind === "invalid") {
    // What a stray sign stands before is still parsed: `!x` without the sign.
    while (stream.current.kind === "invalid") stream.take();
    const suffix = stream.current.kind === "field" || stream.isOperator(".");
    if (!suffix && !atFollower(stream) && levelOfToken(stream.current) === undefined)
      return parseTerm(grammar);
  } else if (!atFollower(stream) && levelOfToken(token) === undefined) {
    stream.take();
  }
  return result;
}

/** A definition or label where only parentheses would allow it. */
function skipNestedDefinition(grammar: Grammar): void {
  if (grammar.stream.isKeyword("def")) parseDefinition(grammar);
  else parseLabel(grammar);
  grammar.stream.nested(
    () => grammar.expression(),
    () => grammar.stream.missing(),
  );
}

function call(grammar: Grammar): Term {
  const { stream } = grammar;
  const { text, start, end } = stream.take();
  const name: Name = { kind: "Name", text, start, end };
  if (!stream.isOperator("(")) return { kind: "Call", name, arguments: [], start, end };
  const opener = stream.take();
  const args: Expression[] = [];
  if (stream.isOperator(")")) {
    stream.unexpected(
      ["an argument"],
      `Call a function without arguments by its name alone: ${excerpt(text)}`,
    );
  } else {
    do args.push(grammar.query());
    while (stream.takeOperator(";"));
  }
  stream.close(opener, ")", ["an operator", "“;”", "“)”"]);
  return { kind: "Call", name, arguments: args, start, end: stream.end };
}
