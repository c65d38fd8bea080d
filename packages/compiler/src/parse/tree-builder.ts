import { MAX_NESTING, ParserState } from "./parser-state.ts";
import { bracketOf } from "./recovery/accepted.ts";
import { type BracketEdit, EditedScanner } from "./recovery/bracket-edit.ts";
import { behindLine, Layout } from "./recovery/layout.ts";
import { LineRecovery } from "./recovery/line-recovery.ts";
import { memberOfOuter, nextMember } from "./recovery/misread-names.ts";
import { ReplayingScanner } from "./recovery/replaying-scanner.ts";
import { ScanError, Scanner, Token } from "./scanner.ts";
import type { SyntaxProblem } from "./syntax-problem.ts";
import {
  ArrayNode,
  BooleanNode,
  type JsonNode,
  NullNode,
  NumberNode,
  ObjectNode,
  StringNode,
} from "./syntax-tree.ts";

/** What was made of a text. */
export interface Reading {
  readonly root: JsonNode | undefined;
  readonly problems: readonly SyntaxProblem[];
  /** Whether nothing was left open at the end: that isn't always a problem of its own. */
  readonly closed: boolean;
}

export interface ReadingOptions {
  /** Whether comments and trailing commas are part of the format. */
  readonly jsonc: boolean;
  /** Whether there may be comments where they aren't part of it. */
  readonly comments: boolean;
  /** How many containers there are around the text, which count for the nesting. */
  readonly around: number;
  /** How far its first line is indented, if that stands before the text. */
  readonly indentation: number;
  /** A bracket to read otherwise than it is written. */
  readonly edit?: BracketEdit;
}

/** Reads a text in one way. Iterative: the depth of the document never becomes depth of the stack. */
export function read(text: string, care: Care, options: ReadingOptions): Reading {
  return new TreeBuilder(text, care, options).build();
}

/** With an eye on the lines, each of which may have a slip with a quote, or on their indentation as well. */
type Care = "plain" | "lines" | "layout";

/** One reading of a text: JSON's grammar over its tokens, with what is made of a token that doesn't fit. */
class TreeBuilder {
  private readonly state: ParserState;
  private readonly scanner: Scanner;
  private readonly jsonc: boolean;
  private readonly lines: LineRecovery | undefined = undefined;
  private reportedNesting = false;

  constructor(text: string, care: Care, { jsonc, comments, around, indentation, edit }: ReadingOptions) {
    this.jsonc = jsonc;
    const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    if (care === "lines" || care === "layout") {
      const scanner = new ReplayingScanner(text, start, comments);
      const layout = new Layout(text, indentation);
      this.scanner = scanner;
      this.state = new ParserState(text, scanner, around, layout);
      this.lines = new LineRecovery(this.state, layout, scanner, jsonc, care === "layout");
    } else {
      this.scanner =
        edit === undefined
          ? new Scanner(text, start, comments)
          : new EditedScanner(text, start, comments, edit);
      this.state = new ParserState(text, this.scanner, around, undefined);
      if (edit !== undefined) this.state.problems.push(edit.problem);
    }
  }

  build(): Reading {
    const { scanner, state, lines } = this;
    for (;;) {
      const token = scanner.scan();
      if (token === Token.End) break;
      if (token === Token.LineComment || token === Token.BlockComment) {
        this.comment();
        continue;
      }
      if (lines?.beginLine() === true) continue;
      this.token(token);
      state.lastEnd = scanner.end;
    }
    this.finish();
    const problems = [...state.problems, ...scanner.foreign.problems];
    return { root: state.root, problems, closed: state.containers.length === 0 };
  }

  private token(token: number): void {
    switch (token) {
      case Token.OpenBrace:
      case Token.OpenBracket:
        this.open(token);
        break;
      case Token.CloseBrace:
      case Token.CloseBracket:
        this.close(token);
        break;
      case Token.Comma:
        this.comma();
        break;
      case Token.Colon:
        this.colon();
        break;
      case Token.String:
        this.string();
        break;
      default:
        this.scalar(token);
    }
  }

  private open(token: number): void {
    const { state } = this;
    if (!state.beforeValue()) return this.skipContainer();
    if (state.isFull()) {
      if (!this.reportedNesting) state.report("nesting", state.here(), `${MAX_NESTING}`);
      this.reportedNesting = true;
      this.skipContainer();
      state.afterValue();
      return;
    }
    const start = this.scanner.offset;
    const node =
      token === Token.OpenBrace
        ? new ObjectNode(start, state.parent())
        : new ArrayNode(start, state.parent());
    state.attach(node);
    state.enter(node, token === Token.OpenBrace ? "name-or-end" : "value-or-end");
  }

  private close(token: number): void {
    const { state } = this;
    const closes = token === Token.CloseBrace ? "object" : "array";
    if (state.container === undefined) return state.unexpected();
    const closed = state.containers.findLast(({ kind }) => kind === closes);
    if (closed !== undefined && this.lines?.isStrayCloser(closed) === true)
      return state.unexpected("no bracket");
    if (state.container.kind !== closes) {
      // `[ … }`: if a container of that kind is open further out, the inner ones were left open; else the token is stray.
      if (!state.containers.some((open) => open.kind === closes))
        return state.unexpected(bracketOf(state.container, "close"));
      while (state.container !== undefined && state.container.kind !== closes) {
        state.unclosed(state.container);
        state.pop(state.lastEnd);
      }
    } else {
      this.beforeClose();
    }
    state.pop(this.scanner.end);
  }

  /** Reports what is missing or too much right before a closing bracket. */
  private beforeClose(): void {
    const { state } = this;
    if (state.expect === "colon" || state.expect === "value") state.missingValue();
    else if (
      state.lastComma !== undefined &&
      (state.expect === "name" || (state.expect === "value-or-end" && state.container!.kind === "array"))
    ) {
      if (!this.jsonc) state.report("trailing-comma", state.lastComma, ",");
    }
  }

  private colon(): void {
    const { state } = this;
    if (state.expect === "colon") state.expect = "value";
    else if (!memberOfOuter(state) && !nextMember(state)) state.unexpected();
  }

  private comma(): void {
    const { state } = this;
    const here = state.here();
    if (state.layout !== undefined && state.containers.length > 1 && state.isEmpty()) {
      // `{,`: it was closed once.
      state.unclosed(state.container!);
      state.pop(state.container!.start + 1);
    }
    switch (state.expect) {
      case "comma-or-end":
        state.lastComma = here;
        state.expect = state.container!.kind === "object" ? "name" : "value-or-end";
        return;
      case "colon":
      case "value":
        if (state.container === undefined) return state.unexpected();
        state.missingValue();
        state.lastComma = here;
        state.expect = state.container.kind === "object" ? "name" : "value-or-end";
        state.member = undefined;
        return;
      default:
        state.unexpected();
    }
  }

  private string(): void {
    const { scanner, state } = this;
    const { container, expect, text } = state;
    const { offset: start, end, value, error, quotes } = scanner;
    const valid = error === ScanError.None;
    // Without an escape the source is the value and two quotes.
    const escaped = end - start !== value.length + quotes;
    const isName =
      container?.kind === "object" &&
      (expect === "name" || expect === "name-or-end" || expect === "comma-or-end");
    if (isName) {
      if (expect === "comma-or-end") state.missingComma();
      state.name(new StringNode(start, end, value, escaped, valid, undefined), start, end);
    } else {
      if (!state.beforeValue()) return;
      state.attach(new StringNode(start, end, value, escaped, valid, state.parent()));
      state.afterValue();
    }
    if (!valid) {
      const kind = error === ScanError.UnexpectedEndOfString ? "unclosed-string" : "invalid-string";
      state.report(kind, { start, end }, text.slice(start, Math.min(end, start + 80)));
      // An unclosed string swallowed the rest of its line: what it hid isn't a second mistake.
      if (kind === "unclosed-string") state.quietUntil = behindLine(text, end);
    }
  }

  private scalar(token: number): void {
    const { scanner, state } = this;
    const { offset: start, end } = scanner;
    const inObject = state.container?.kind === "object";
    if (state.expect === "colon" && state.text[start] === "=") return this.equalsSign(start);
    const nameExpected =
      inObject &&
      (state.expect === "name" || state.expect === "name-or-end" || state.expect === "comma-or-end");
    if (nameExpected) return this.unquotedName(start, end);
    if (!state.beforeValue()) return;
    switch (token) {
      case Token.Null:
        state.attach(new NullNode(start, end, state.parent()));
        break;
      case Token.True:
      case Token.False:
        state.attach(new BooleanNode(start, end, token === Token.True, state.parent()));
        break;
      case Token.Number:
        if (scanner.error !== ScanError.None) state.report("invalid-number", { start, end }, scanner.value);
        state.attach(new NumberNode(start, end, Number(state.text.slice(start, end)) || 0, state.parent()));
        break;
      default:
        state.report(
          "unexpected-token",
          { start, end },
          state.text.slice(start, Math.min(end, start + 80)),
          state.accepted(),
        );
    }
    state.afterValue();
  }

  /** `"name" = 1`: read as the colon that it should be. */
  private equalsSign(start: number): void {
    const { state } = this;
    const end = start + (state.text[start + 1] === ">" ? 2 : 1);
    state.report("unexpected-token", { start, end }, state.text.slice(start, end), state.accepted());
    this.scanner.end = end;
    state.expect = "value";
  }

  /** `name: 1` or `'name': 1`: taken as a name if a colon follows, else skipped. */
  private unquotedName(start: number, end: number): void {
    const { state } = this;
    const source = state.text.slice(start, end);
    // The scanner ends an unknown token only at punctuation or a blank, so the colon is the next character but blanks.
    if (!/^\s*:/.test(state.text.slice(end, end + 32))) {
      state.report("unexpected-token", { start, end }, source.slice(0, 80), state.accepted());
      return;
    }
    if (state.expect === "comma-or-end") state.missingComma();
    const name = source.replace(/^'|'$/g, "");
    state.report("unquoted-name", { start, end }, source.slice(0, 80), JSON.stringify(name));
    state.name(new StringNode(start, end, name, true, false, undefined), start, end);
  }

  /** Skips a container that stands where none can, or too deep. */
  private skipContainer(): void {
    const { state } = this;
    let depth = 1;
    while (depth > 0) {
      const token = this.scanner.scan();
      if (token === Token.End) return;
      if (token === Token.OpenBrace || token === Token.OpenBracket) depth++;
      else if (token === Token.CloseBrace || token === Token.CloseBracket) depth--;
    }
    state.quietUntil = Math.max(state.quietUntil, this.scanner.offset + 1);
  }

  private finish(): void {
    const { state } = this;
    const end = state.text.length;
    if (state.root === undefined && state.problems.length === 0) {
      state.report("empty-document", { start: 0, end: Math.min(end, 1) }, "");
      return;
    }
    if (state.containers.length > 0) {
      if (state.expect === "colon" || state.expect === "value") state.missingValue();
      // Only the outermost: the inner ones are open for the same reason.
      state.unclosed(state.containers[0]!);
      for (const open of state.containers) open.closeAt(end);
    }
  }

  private comment(): void {
    const { state } = this;
    const here = state.here();
    state.problems.push({ kind: "comment", span: here, text: state.text.slice(here.start, here.start + 80) });
  }
}
