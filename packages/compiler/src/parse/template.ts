import { ROOT_NAMES } from "../language/expansion-names.ts";
import type { Span } from "./syntax-tree.ts";
import { TextCache } from "./text-cache.ts";

/**
 * Templates: strings with expansions (D6, D7). All offsets are UTF-16 units in the decoded string, so a template depends on
 * its text alone and is shared between documents.
 */
export interface Template {
  readonly text: string;
  readonly expansions: readonly ExpansionSyntax[];
  /** The `$` of each `$${`: with an expansion behind it, or (then `literal`) writing `${` as text. */
  readonly doubledDollars: readonly DoubledDollar[];
}

interface DoubledDollar extends Span {
  readonly literal: boolean;
}

export interface ExpansionSyntax extends Span {
  readonly opener: "${" | "$<";
  readonly path: readonly Segment[];
  readonly filters: readonly FilterSyntax[];
  /** At most one: the first mistake inside the expansion. */
  readonly problem: ExpansionProblem | undefined;
}

interface Segment extends Span {
  readonly text: string;
  /** Written `[0]` rather than `.0`. */
  readonly bracketed: boolean;
  /** The `::` before this segment, the old spelling of `.`. */
  readonly legacySeparator: Span | undefined;
}

interface FilterSyntax extends Span {
  readonly name: string;
  readonly nameSpan: Span;
  /** `default:TEXT`: TEXT without outer blanks. */
  readonly argument: (Span & { readonly text: string }) | undefined;
}

export type ExpansionProblemKind =
  | "unclosed"
  | "empty"
  | "empty-segment"
  | "unexpected-character"
  | "bad-index"
  | "missing-filter"
  | "opener-in-argument";

export interface ExpansionProblem extends Span {
  readonly kind: ExpansionProblemKind;
}

const KNOWN_ROOT = new RegExp(`\\s*(?:${ROOT_NAMES.join("|")})(?=[\\s.:|[\\]{}<>]|$)`, "y");
const SEGMENT = /[^\s.:|[\]{}<>]+/y;
const BLANKS = /\s*/y;

const cache = new TextCache<Template>(500_000);

/**
 * Reads the expansions of a string; never fails.
 *
 * @param text the decoded string
 * @returns undefined where there is nothing to expand
 */
export function parseTemplate(text: string): Template | undefined {
  if (text.indexOf("$") < 0) return undefined;
  const template = text.length <= 10_000 ? cache.of(text, parsed) : parsed(text);
  return template.expansions.length === 0 && template.doubledDollars.length === 0 ? undefined : template;
}

const parsed = (text: string): Template => new TemplateParser(text).parse();

/** Whether a string is nothing but one expansion, so that it keeps the type of its value (D8). */
export function isWhole(template: Template): boolean {
  const [only, ...others] = template.expansions;
  return only !== undefined && others.length === 0 && only.start === 0 && only.end === template.text.length;
}

/** Whether a name can stand in a path as one segment (D6). */
export function isSegment(name: string): boolean {
  SEGMENT.lastIndex = 0;
  return SEGMENT.test(name) && SEGMENT.lastIndex === name.length;
}

class TemplateParser {
  private readonly expansions: ExpansionSyntax[] = [];
  private readonly doubledDollars: DoubledDollar[] = [];
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Template {
    const { text } = this;
    for (;;) {
      const dollar = text.indexOf("$", this.at);
      if (dollar < 0) break;
      const next = text.charAt(dollar + 1);
      if (next === "$" && isBracket(text.charAt(dollar + 2))) this.doubled(dollar);
      else if (next === "{" || (next === "<" && this.knownRootAt(dollar + 2))) this.expansion(dollar);
      else this.at = dollar + 1;
    }
    return { text, expansions: this.expansions, doubledDollars: this.doubledDollars };
  }

  /** `$${`: a literal `${`, unless a known root follows. */
  private doubled(dollar: number): void {
    const literal = !this.knownRootAt(dollar + 3);
    // `$$<` without a root has nothing to escape: `$<` alone would be text as well.
    if (!literal || this.text.charAt(dollar + 2) === "{") {
      this.doubledDollars.push({ start: dollar, end: dollar + 1, literal });
    }
    if (literal) this.at = dollar + 3;
    else this.expansion(dollar + 1);
  }

  private expansion(start: number): void {
    const { text } = this;
    const opener = text.startsWith("${", start) ? "${" : "$<";
    const closer = opener === "${" ? "}" : ">";
    const path: Segment[] = [];
    const filters: FilterSyntax[] = [];
    let problem: ExpansionProblem | undefined;
    const fail = (kind: ExpansionProblemKind, from: number, to: number): void => {
      problem ??= { kind, start: from, end: to };
    };
    this.at = start + 2;
    this.blanks();
    if (this.peek() === closer) fail("empty", start, this.at + 1);
    else this.path(path, closer, fail);
    this.blanks();
    while (problem === undefined && this.peek() === "|") this.filter(filters, closer, fail);
    if (problem === undefined && this.peek() !== closer && this.at < text.length && !this.openerAt(this.at)) {
      fail("unexpected-character", this.at, this.at + 1);
    }
    // After a mistake the closer is looked for, up to the next opener: what stands between is one broken expansion.
    while (this.at < text.length && this.peek() !== closer) {
      if (this.openerAt(this.at) && (problem as ExpansionProblem | undefined)?.kind !== "opener-in-argument")
        break;
      this.at++;
    }
    const closed = this.at < text.length && this.peek() === closer;
    if (closed) this.at++;
    else problem = { kind: "unclosed", start, end: start + 2 };
    this.expansions.push({ start, end: this.at, opener, path, filters, problem });
  }

  private path(path: Segment[], closer: string, fail: Fail): void {
    let legacySeparator: Span | undefined;
    for (;;) {
      const start = this.at;
      const text = this.segment();
      if (text === "") {
        if (this.at < this.text.length) {
          const stops =
            this.peek() === closer || this.peek() === "." || this.peek() === "|" || path.length > 0;
          fail(stops ? "empty-segment" : "unexpected-character", start, start + 1);
        }
        return;
      }
      path.push({ text, start, end: this.at, bracketed: false, legacySeparator });
      while (this.peek() === "[") if (!this.index(path, fail)) return;
      if (this.peek() === ".") {
        legacySeparator = undefined;
        this.at++;
      } else if (this.text.startsWith("::", this.at)) {
        legacySeparator = { start: this.at, end: this.at + 2 };
        this.at += 2;
      } else return;
    }
  }

  private index(path: Segment[], fail: Fail): boolean {
    const match = /\[\s*(\d+)\s*\]/y;
    match.lastIndex = this.at;
    const found = match.exec(this.text);
    if (found === null) {
      fail("bad-index", this.at, this.at + 1);
      return false;
    }
    const end = this.at + found[0].length;
    path.push({ text: found[1]!, start: this.at, end, bracketed: true, legacySeparator: undefined });
    this.at = end;
    return true;
  }

  private filter(filters: FilterSyntax[], closer: string, fail: Fail): void {
    const bar = this.at++;
    this.blanks();
    const start = this.at;
    const name = this.segment();
    if (name === "") return fail("missing-filter", bar, bar + 1);
    const nameSpan = { start, end: this.at };
    this.blanks();
    let argument: FilterSyntax["argument"];
    if (this.peek() === ":") {
      const from = ++this.at;
      while (
        this.at < this.text.length &&
        this.peek() !== closer &&
        this.peek() !== "|" &&
        !this.openerAt(this.at)
      )
        this.at++;
      const raw = this.text.slice(from, this.at);
      const lead = raw.length - raw.trimStart().length;
      const text = raw.trim();
      argument = { text, start: from + lead, end: from + lead + text.length };
      if (this.openerAt(this.at)) {
        fail("opener-in-argument", this.at, this.at + 2);
        this.skipNested();
      }
    }
    filters.push({ name, nameSpan, argument, start, end: argument?.end ?? nameSpan.end });
  }

  /** `$` is a segment character, but not where it opens another expansion: then the one around it wasn't closed. */
  private segment(): string {
    const text = this.match(SEGMENT);
    if (!text.endsWith("$") || !this.openerAt(this.at - 1)) return text;
    this.at--;
    return text.slice(0, -1);
  }

  /** Passes over an expansion inside a filter's argument, so that the outer closer is found. */
  private skipNested(): void {
    const closer = this.text.startsWith("${", this.at) ? "}" : ">";
    const end = this.text.indexOf(closer, this.at + 2);
    this.at = end < 0 ? this.text.length : end + 1;
  }

  private openerAt(offset: number): boolean {
    if (this.text.charAt(offset) !== "$") return false;
    const next = this.text.charAt(offset + 1);
    return next === "{" || (next === "<" && this.knownRootAt(offset + 2));
  }

  private knownRootAt(offset: number): boolean {
    KNOWN_ROOT.lastIndex = offset;
    return KNOWN_ROOT.test(this.text);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return "";
    this.at = pattern.lastIndex;
    return found[0];
  }

  private blanks(): void {
    this.match(BLANKS);
  }

  private peek(): string {
    return this.text.charAt(this.at);
  }
}

type Fail = (kind: ExpansionProblemKind, start: number, end: number) => void;

function isBracket(character: string): boolean {
  return character === "{" || character === "<";
}
