import { Token } from "../scanner.ts";
import type { JsonNode } from "../syntax-tree.ts";
import type { BracketEdit } from "./bracket-edit.ts";
import type { Expectation } from "./expectation.ts";
import { Shape } from "./shape.ts";
import type { Tokens } from "./tokens.ts";

/** More names than any object of the language's has: of those of data, the first will do. */
const MAX_NAMES = 32;

/** A container that is open. Ways share those that they were in before they parted. */
interface Open {
  readonly kind: "object" | "array";
  readonly shape: Shape;
  /** Index of its opening bracket. */
  readonly token: number;
  readonly around: Open | undefined;
  /** The last of its first names. */
  readonly names: Names | undefined;
}

interface Names {
  readonly name: string;
  readonly count: number;
  readonly before: Names | undefined;
}

function has(names: Names | undefined, name: string): boolean {
  for (let at = names; at !== undefined; at = at.before) if (at.name === name) return true;
  return false;
}

/** Whether two containers in the same one go on alike. */
function isSame(a: Open | undefined, b: Open | undefined): boolean {
  if (a === b) return true;
  if (a?.around !== b?.around || a?.kind !== b?.kind || a?.shape !== b?.shape) return false;
  let [some, others] = [a?.names, b?.names];
  for (; some !== others; some = some.before, others = others.before)
    if (some === undefined || others === undefined || some.name !== others.name) return false;
  return true;
}

/** One way to read the tokens so far, which counts what the language doesn't know there. */
export class Path {
  open: Open | undefined = undefined;
  expect: Expectation = "value";
  /** How many names and values the language doesn't know where they stand. */
  misfits = 0;
  readonly edit: BracketEdit | undefined;
  /** Of the value that comes next. */
  private shape = Shape.document;

  constructor(edit?: BracketEdit) {
    this.edit = edit;
  }

  /** The same way up to here, with a bracket changed. */
  with(edit: BracketEdit): Path {
    const path = new Path(edit);
    path.open = this.open;
    path.expect = this.expect;
    path.misfits = this.misfits;
    path.shape = this.shape;
    return path;
  }

  /** Whether another one goes on alike. */
  isAt({ open, expect, shape }: Path): boolean {
    return this.expect === expect && this.shape === shape && isSame(this.open, open);
  }

  /** What it comes to if the innermost container ends here. */
  get cost(): number {
    const { misfits, open } = this;
    if (open?.kind !== "object") return misfits;
    return misfits + open.shape.lacking((name) => has(open.names, name));
  }

  /** Goes on to the next token; false if it can't stand here, and the way ends. */
  take({ kinds, names }: Tokens, at: number): boolean {
    const { open, expect } = this;
    const token = kinds[at]!;
    switch (token) {
      case Token.OpenBrace:
      case Token.OpenBracket:
      case Token.CloseBrace:
      case Token.CloseBracket:
        return this.bracket(token, at);
      case Token.Comma:
        if (expect !== "comma-or-end") return false;
        this.expect = open!.kind === "object" ? "name" : "value-or-end";
        if (open!.kind === "array") this.shape = open!.shape.item;
        return true;
      case Token.Colon:
        this.expect = "value";
        return expect === "colon";
      case Token.String: {
        const name = names[at];
        return name === undefined ? this.value("string") : this.name(name);
      }
      case Token.Number:
        return this.value("number");
      case Token.Null:
        return this.value("null");
      case Token.End:
        return expect === "nothing";
      default:
        return this.value("boolean");
    }
  }

  /** Goes into or out of a container. */
  bracket(token: number, at: number): boolean {
    const { open, expect } = this;
    const kind = token === Token.OpenBrace || token === Token.CloseBrace ? "object" : "array";
    if (token === Token.OpenBrace || token === Token.OpenBracket) {
      if (!this.value(kind)) return false;
      this.open = { kind, shape: this.shape, token: at, around: open, names: undefined };
      this.expect = kind === "object" ? "name-or-end" : "value-or-end";
      if (kind === "array") this.shape = this.shape.item;
      return true;
    }
    if (open?.kind !== kind || expect === "colon" || expect === "value") return false;
    this.misfits = this.cost;
    this.open = open.around;
    this.afterValue();
    return true;
  }

  private name(name: string): boolean {
    const { open, expect } = this;
    if (open === undefined || (expect !== "name" && expect !== "name-or-end")) return false;
    const shape = open.shape.member(name);
    if (shape === undefined) this.misfits++;
    this.shape = shape ?? Shape.unknown;
    if (has(open.names, name)) this.misfits++;
    else {
      const { names } = open;
      const count = (names?.count ?? 0) + 1;
      const all = count > MAX_NAMES ? names : { name, count, before: names };
      this.open = { ...open, shape: open.shape.behind(name), names: all };
    }
    this.expect = "colon";
    return true;
  }

  private value(kind: JsonNode["kind"]): boolean {
    if (this.expect !== "value" && this.expect !== "value-or-end") return false;
    if (!this.shape.accepts(kind)) {
      this.misfits++;
      this.shape = Shape.unknown;
    }
    if (kind !== "object" && kind !== "array") this.afterValue();
    return true;
  }

  private afterValue(): void {
    this.expect = this.open === undefined ? "nothing" : "comma-or-end";
    // What came before says no more of what follows.
    this.shape = Shape.unknown;
  }
}
