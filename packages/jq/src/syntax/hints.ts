import { excerpt } from "../excerpt.ts";
import type { TokenStream } from "./token-stream.ts";

/** Sentences that tell people who come from other languages, or who forgot a sign, what to write. */

export function parameterHint(stream: TokenStream): string | undefined {
  if (stream.isOperator(")")) return "Define a function without parameters without parentheses.";
  if (stream.current.kind === "keyword") return "It is a keyword and can't name a parameter.";
  return undefined;
}

export function chainHint(operator: string, previous: string | undefined): string {
  if (operator === "=" && previous === "==") return "Write “==” for equality.";
  return "Comparisons and assignments can't be chained. Put parentheses around one of them.";
}

export function strayHint(kind: string, text: string, previous: string | undefined): string | undefined {
  if (previous === "." && (kind === "identifier" || kind === "keyword")) {
    return `Write a member without a space after the dot: .${excerpt(text)}`;
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
  if (text === "|" && previous === "|") return "Use “or” to join two conditions, or “//” to give a default.";
  if (text === "=" && previous === "==") return "Write “==” for equality.";
  if (text === ">" && previous === "=") return "Write “>=” for “at least”.";
  if (text === "def" || text === "label") return `Put parentheses around “${text} …” to use it here.`;
  if (text === "?//") return "“?//” separates the patterns after “as”.";
  return undefined;
}

function invalidHint(text: string): string | undefined {
  if (text.startsWith("'")) return 'Write strings in double quotes ("…").';
  if (text === "!") return "Write negation after the value: … | not.";
  if (text === "$") return "Write a variable's name without a space after its $.";
  return undefined;
}
