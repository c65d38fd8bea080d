import { Token } from "../scanner.ts";

/** What the innermost open container waits for. */
export type Expectation =
  | "value"
  | "value-or-end"
  | "name-or-end"
  | "name"
  | "colon"
  | "comma-or-end"
  | "nothing";

/** Kinds of the open containers, outermost first. */
export type OpenKinds = readonly ("object" | "array")[];

/** Mistakes that a grammar passes over: any of commas and colons, or only commas before a closing bracket (`.jsonc`). */
export type Forgiven = "nothing" | "trailing-commas" | "separators";

/**
 * Whether JSON's grammar takes the tokens, from a place inside a document. It builds nothing: it tells a good guess from a bad
 * one.
 */
export class Grammar {
  private readonly open: ("object" | "array")[];
  private expect: Expectation;
  private readonly forgives: Forgiven;

  constructor(open: OpenKinds, expect: Expectation, forgives: Forgiven) {
    this.open = [...open];
    this.expect = expect;
    this.forgives = forgives;
  }

  /** False if the token can't stand here; the state is then of no use any more. */
  take(token: number): boolean {
    if (this.forgives !== "nothing") this.forgive(token);
    const { expect } = this;
    switch (token) {
      case Token.OpenBrace:
      case Token.OpenBracket:
        if (expect !== "value" && expect !== "value-or-end") return false;
        this.open.push(token === Token.OpenBrace ? "object" : "array");
        this.expect = token === Token.OpenBrace ? "name-or-end" : "value-or-end";
        return true;
      case Token.CloseBrace:
      case Token.CloseBracket: {
        const kind = token === Token.CloseBrace ? "object" : "array";
        if (this.open[this.open.length - 1] !== kind) return false;
        if (expect !== "comma-or-end" && expect !== `${kind === "object" ? "name" : "value"}-or-end`)
          return false;
        this.open.pop();
        return this.valueTaken();
      }
      case Token.Comma:
        if (expect !== "comma-or-end") return false;
        this.expect = this.open[this.open.length - 1] === "object" ? "name" : "value";
        return true;
      case Token.Colon:
        if (expect !== "colon") return false;
        this.expect = "value";
        return true;
      case Token.String:
        if (expect === "name" || expect === "name-or-end") {
          this.expect = "colon";
          return true;
        }
        return this.value();
      case Token.Number:
      case Token.True:
      case Token.False:
      case Token.Null:
        return this.value();
      default:
        return false;
    }
  }

  /** Whether a line that begins with this character can follow. A letter may be a name or value without its quote. */
  follows(first: string): boolean {
    switch (first) {
      case "":
        return true;
      case '"':
        return this.expect !== "colon" && this.expect !== "comma-or-end" && this.expect !== "nothing";
      case "{":
        return this.take(Token.OpenBrace);
      case "[":
        return this.take(Token.OpenBracket);
      case "}":
        return this.take(Token.CloseBrace);
      case "]":
        return this.take(Token.CloseBracket);
      case ",":
        return this.take(Token.Comma);
      case ":":
        return this.take(Token.Colon);
      default:
        return this.expect !== "comma-or-end" && this.expect !== "nothing";
    }
  }

  private forgive(token: number): void {
    if (token === Token.Comma || token === Token.Colon) return;
    const kind = this.open[this.open.length - 1];
    if (token === Token.CloseBrace || token === Token.CloseBracket) {
      if (this.expect === "name" || (this.expect === "value" && kind === "array"))
        this.expect = "comma-or-end";
    } else if (this.forgives === "separators") {
      if (this.expect === "comma-or-end") this.expect = kind === "object" ? "name" : "value";
      else if (this.expect === "colon") this.expect = "value";
    }
  }

  private value(): boolean {
    if (this.expect !== "value" && this.expect !== "value-or-end") return false;
    return this.valueTaken();
  }

  private valueTaken(): boolean {
    this.expect = this.open.length === 0 ? "nothing" : "comma-or-end";
    return true;
  }
}
