import { excerpt } from "../excerpt.ts";
import type { TokenStream } from "./token-stream.ts";

/** Sentences that tell people who come from other languages, or who forgot a sign, what to write. */

export function parameterHint(stream: TokenStream): string | undefined {
  if (stream.isOperator(")")) return "A function without parameters is defined without parentheses.";
  if (stream.current.kind === "keyword") return "It is a word of the language and can't name a parameter.";
  return undefined;
}

export function chainHint(operator: string, previous: string | undefined): string {
  if (operator === "=" && previous === "==") return "Equality is written “==”.";
  return "Comparisons and assignments can't be chained; put parentheses around one of them.";
}

export function strayHint(kind: string, text: string, previous: string | undefined): string | undefined {
  if (previous === "." && (kind === "identifier" || kind === "keyword")) {
    return `A member is written without a blank after the dot: .${excerpt(text)}`;
  }
  if (kind !== "invalid") {
    if (text === "def" || text === "label") return `Put parentheses around “${text} …” to use it here.`;
    return undefined;
  }
  if (text === "&&") return "Write “and”.";
  return invalidHint(text);
}

export function missingTermHint(
  kind: string,
  text: string,
  previous: string | undefined,
): string | undefined {
  if (kind === "invalid") return invalidHint(text);
  if (text === "|" && previous === "|") return "“or” joins two conditions, “//” gives a default.";
  if (text === "=" && previous === "==") return "Equality is written “==”.";
  if (text === ">" && previous === "=") return "“At least” is written “>=”.";
  if (text === "def" || text === "label") return `Put parentheses around “${text} …” to use it here.`;
  if (text === "?//") return "“?//” separates the patterns after “as”.";
  return undefined;
}

function invalidHint(text: string): string | undefined {
  if (text.startsWith("'")) return 'Strings are written in double quotes ("…").';
  if (text === "!") return "Negation is written after the value: … | not.";
  if (text === "$") return "A variable's name follows its $ without a blank.";
  return undefined;
}
