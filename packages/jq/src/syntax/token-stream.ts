import {
  type DiagnosticArguments,
  diagnostic,
  type JqDiagnostic,
  type JqDiagnosticCode,
} from "../diagnostics.ts";
import { type Expression, type Missing, NESTING_LIMIT, type Span } from "../syntax-tree.ts";
import type { LexResult } from "./lexer.ts";
import { describe, type Token } from "./tokens.ts";

/** After so many mistakes the parser stops looking: more would not help, and recovery would take long. */
const MISTAKE_LIMIT = 50;

/**
 * So many looks at one token mean that a loop of the parser doesn't advance. Leaving the deepest nesting
 * takes some dozens for each level.
 */
const STALL_LIMIT = 400 * NESTING_LIMIT;

/** What the parts of the parser share: a cursor over the tokens, reporting, and recovery. */
export class TokenStream {
  readonly text: string;
  readonly diagnostics: JqDiagnostic[];
  private readonly tokens: readonly Token[];
  private readonly truncated: boolean;
  private index = 0;
  private depth = 0;
  private mistakes = 0;
  private lastMistake = -1;
  private silent = false;
  /** Looks at the current token, ever: a measure of the parser's work. */
  steps = 0;
  /** `steps` when the current token became it. */
  private stepsBefore = 0;
  /** Whether the guard against a parser that doesn't advance had to stop it, which is a mistake of ours. */
  stalled = false;

  constructor(text: string, lexed: LexResult) {
    this.text = text;
    this.tokens = lexed.tokens;
    this.truncated = lexed.truncated;
    this.diagnostics = [...lexed.diagnostics];
  }

  get current(): Token {
    if (++this.steps - this.stepsBefore > STALL_LIMIT) this.stall();
    return this.tokens[this.index]!;
  }

  get next(): Token {
    return this.tokens[Math.min(this.index + 1, this.tokens.length - 1)]!;
  }

  get previous(): Token | undefined {
    return this.tokens[this.index - 1];
  }

  /** The end of the last consumed token. */
  get end(): number {
    return this.previous?.end ?? 0;
  }

  get atEnd(): boolean {
    return this.current.kind === "end";
  }

  take(): Token {
    const token = this.current;
    if (this.index < this.tokens.length - 1) this.moveTo(this.index + 1);
    return token;
  }

  isOperator(text: string): boolean {
    return this.current.kind === "operator" && this.current.text === text;
  }

  isKeyword(text: string): boolean {
    return this.current.kind === "keyword" && this.current.text === text;
  }

  takeOperator(text: string): boolean {
    const found = this.isOperator(text);
    if (found) this.take();
    return found;
  }

  takeKeyword(text: string): boolean {
    const found = this.isKeyword(text);
    if (found) this.take();
    return found;
  }

  /** Parses one more level of nesting; beyond the limit it reports that once and ends the program. */
  nested<Result>(parse: () => Result, refuse: () => Result): Result {
    if (this.depth >= NESTING_LIMIT) {
      this.report("nesting", this.current, { limit: NESTING_LIMIT });
      this.stop();
      return refuse();
    }
    this.depth++;
    const result = parse();
    this.depth--;
    return result;
  }

  missing(): Missing {
    const at = this.atEnd ? this.end : this.current.start;
    return { kind: "Missing", start: at, end: at };
  }

  /** Reports a mistake, unless one was already reported at the current token. */
  report<Code extends JqDiagnosticCode>(
    code: Code,
    span: Span,
    args: DiagnosticArguments[Code],
    more: Parameters<typeof diagnostic<Code>>[3] = {},
  ): void {
    if (this.silent || this.lastMistake === this.index) return;
    this.lastMistake = this.index;
    if (this.truncated && this.current.start >= this.text.length) return;
    // One code of the table makes one member of the union; TypeScript can't see that for a type parameter.
    this.diagnostics.push(diagnostic(code, span, args, more) as unknown as JqDiagnostic);
    if (++this.mistakes >= MISTAKE_LIMIT) this.stop();
  }

  /** Reports that the current token can't stand here. */
  unexpected(expected: readonly string[], hint?: string, more: Parameters<typeof diagnostic>[3] = {}): void {
    const token = this.current;
    if (token.kind === "end") {
      this.report("unexpected-end", { start: this.end, end: this.end }, { expected });
    } else if (token.kind === "hole") {
      this.report("hole-position", token, { position: this.holePosition(token) });
    } else if (token.kind === "misplaced-hole") {
      this.report("hole-position", token, { position: token.text });
    } else if (this.previous?.kind === "hole" && this.previous.end === token.start && isWord(token)) {
      this.report("hole-position", this.previous, { position: "as a part of a name" });
    } else {
      const found = describe(token, this.text);
      this.report(
        "syntax",
        token,
        hint === undefined ? { found, expected } : { found, expected, hint },
        more,
      );
    }
  }

  private holePosition(token: Token): string {
    const glued = this.previous !== undefined && this.previous.end === token.start && isWord(this.previous);
    return glued ? "as a part of a name" : "here";
  }

  /** Consumes an operator or keyword; otherwise reports it and continues after it if it comes later. */
  expect(text: string): boolean {
    if (this.matches(text)) {
      this.take();
      return true;
    }
    this.unexpected([`“${text}”`]);
    return this.skipTo([text]) && this.take() !== undefined;
  }

  /**
   * Consumes the closer of a bracket or an `if`. If something else stands here, everything up to the
   * closer is skipped; if there is none, the bracket is reported as unclosed.
   */
  close(opener: Token, closer: string, expected: readonly string[] = ["an operator", `“${closer}”`]): void {
    if (this.matches(closer)) {
      this.take();
      return;
    }
    const found = this.find([closer]);
    if (found !== undefined) {
      this.unexpected(expected);
      if (!this.silent) this.moveTo(found);
      this.takeIf(closer);
      return;
    }
    const span = this.atEnd ? { start: this.end, end: this.end } : this.current;
    this.report(
      "unclosed",
      span,
      {
        opener: `“${this.text.slice(opener.start, opener.end)}”`,
        closer: `“${closer}”`,
        found: describe(this.current, this.text),
      },
      { related: [{ start: opener.start, end: opener.end, role: "opener" }] },
    );
  }

  private takeIf(text: string): void {
    if (this.matches(text)) this.take();
  }

  /** Skips to one of the given tokens within the brackets that are open here; tells whether there is one. */
  skipTo(texts: readonly string[]): boolean {
    const found = this.find(texts);
    if (found !== undefined) this.moveTo(found);
    return found !== undefined;
  }

  /** Where `skipTo` would go. */
  private find(texts: readonly string[]): number | undefined {
    let open = 0;
    for (let at = this.index; at < this.tokens.length - 1; at++) {
      const token = this.tokens[at]!;
      if (open === 0 && texts.some((text) => isWritten(token, text))) return at;
      if (isOpener(token)) open++;
      else if (isCloser(token) && open-- === 0) return undefined;
    }
    return undefined;
  }

  /** Skips one token, or one balanced group of brackets. */
  skipOne(): void {
    let open = 0;
    do {
      if (isOpener(this.current)) open++;
      else if (isCloser(this.current)) open--;
      this.take();
    } while (open > 0 && !this.atEnd);
  }

  private matches(text: string): boolean {
    return isWritten(this.current, text);
  }

  /** The parser only moves ahead: that, and the limit of `current`, make it end. */
  private moveTo(index: number): void {
    if (index !== this.index) this.stepsBefore = this.steps;
    this.index = index;
  }

  private stop(): void {
    this.silent = true;
    this.moveTo(this.tokens.length - 1);
  }

  /** Gives up as after too many mistakes; a program that was read to its end only in part has a finding. */
  private stall(): void {
    this.stalled = true;
    this.stepsBefore = this.steps;
    this.unexpected([]);
    this.stop();
  }
}

/** What the grammar's parts need of each other. */
export interface Grammar {
  readonly stream: TokenStream;
  /** A whole filter: everything up to a closing bracket, `;` or keyword. */
  query(): Expression;
  /** A filter without `|`, `,`, `as` and definitions. */
  expression(): Expression;
}

function isWritten(token: Token, text: string): boolean {
  if (text === "\\)") return token.kind === "interpolation-end";
  return (token.kind === "operator" || token.kind === "keyword") && token.text === text;
}

function isOpener(token: Token): boolean {
  if (token.kind === "string-start" || token.kind === "interpolation-start") return true;
  if (token.kind === "keyword") return token.text === "if";
  return token.kind === "operator" && (token.text === "(" || token.text === "[" || token.text === "{");
}

function isCloser(token: Token): boolean {
  if (token.kind === "string-end" || token.kind === "interpolation-end") return true;
  if (token.kind === "keyword") return token.text === "end";
  return token.kind === "operator" && (token.text === ")" || token.text === "]" || token.text === "}");
}

function isWord(token: Token): boolean {
  return ["identifier", "keyword", "field", "variable", "number", "format"].includes(token.kind);
}
