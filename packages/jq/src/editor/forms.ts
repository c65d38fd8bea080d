import type { Token } from "../syntax/tokens.ts";

/** A form of the syntax that can be written at a place. */
export type SyntaxForm =
  | "if"
  | "then"
  | "elif"
  | "else"
  | "end"
  | "try"
  | "catch"
  | "reduce"
  | "foreach"
  | "as"
  | "def"
  | "label"
  | "and"
  | "or";

/** Forms that a value may begin with. A definition stands where a pipe begins, not behind an operator. */
export function formsBeforeTerm(before: Token | undefined): readonly SyntaxForm[] {
  const beginsPipe =
    before === undefined || pipeStarts.has(before.text) || before.kind === "interpolation-start";
  return beginsPipe ? ["if", "try", "reduce", "foreach", "label", "def"] : ["if", "try", "reduce", "foreach"];
}

const pipeStarts: ReadonlySet<string> = new Set(["|", "(", "[", ",", ":", ";", "if", "then", "elif", "else"]);

/**
 * Forms that may follow a value.
 *
 * @param tokens those before the place
 */
export function formsAfterTerm(tokens: readonly Token[]): readonly SyntaxForm[] {
  const { branch, triesOpen, bindsNext } = situation(tokens);
  if (bindsNext) return ["as"];
  return ["and", "or", "as", ...(triesOpen ? (["catch"] as const) : []), ...(branch ?? [])];
}

interface Situation {
  /** What goes on with the innermost `if` that is open here. */
  readonly branch: readonly SyntaxForm[] | undefined;
  /** Whether a `try` has no `catch` yet. */
  readonly triesOpen: boolean;
  /** Whether this is what a `reduce` or `foreach` goes through. */
  readonly bindsNext: boolean;
}

const branches: Readonly<Record<string, readonly SyntaxForm[]>> = {
  if: ["then"],
  elif: ["then"],
  then: ["elif", "else", "end"],
  else: ["end"],
};

/** Walks through what is open: brackets, and the words that want others. */
function situation(tokens: readonly Token[]): Situation {
  const open: string[] = [];
  const close = (opener: (text: string) => boolean): void => {
    const at = open.findLastIndex(opener);
    if (at >= 0) open.length = at;
  };
  for (const { kind, text } of tokens) {
    if (kind === "interpolation-start") open.push("(");
    else if (kind === "interpolation-end") close((each) => each === "(");
    else if (kind === "operator" && "([{".includes(text)) open.push(text);
    else if (kind === "operator" && text in openerOf) close((each) => each === openerOf[text]);
    // What is tried, and what is gone through, is one term.
    else if (kind === "operator" && ["|", ",", ";"].includes(text)) dropTries(open);
    if (kind !== "keyword") continue;
    if (text === "if" || text === "try" || text === "reduce" || text === "foreach") open.push(text);
    else if (text in branches) {
      close((each) => each in branches);
      open.push(text);
    } else if (text === "end") close((each) => each in branches);
    else if (text === "catch") close((each) => each === "try");
    else if (text === "as") close((each) => each === "reduce" || each === "foreach");
  }
  const innermost = open.at(-1) ?? "";
  const branch = open.findLast((each) => each !== "try");
  return {
    branch: branch === undefined ? undefined : branches[branch],
    triesOpen: innermost === "try",
    bindsNext: innermost === "reduce" || innermost === "foreach",
  };
}

const openerOf: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

function dropTries(open: string[]): void {
  while (open.at(-1) === "try") open.pop();
}
