import { anything, newline, not } from "./character-sets.ts";
import { readClass } from "./classes.ts";
import { Cursor } from "./cursor.ts";
import { readEscape } from "./escapes.ts";
import { lookBehind } from "./look-behind.ts";
import { neverEnds } from "./recursion.ts";
import { type Assertion, type Node, type Regex, RegexError } from "./tree.ts";

/** Options that hold from a place on (`(?i)`), or from outside. */
export interface Options {
  readonly ignoreCase: boolean;
  /** Blanks and comments in the pattern don't count. */
  readonly extended: boolean;
  /** `.` matches line breaks too. */
  readonly dotAll: boolean;
  /** `^` and `$` match at each line. */
  readonly lines: boolean;
}

const MAX_REPEAT = 100_000;
const MAX_DEPTH = 1_000;

/**
 * Reads a pattern in the syntax that jq gives to Oniguruma (Perl's, with named groups that don't stop numbered ones from
 * counting): nested classes and `&&` are plain characters, `^` and `$` mean the text unless `(?m)` says lines.
 *
 * @throws RegexError in Oniguruma's words
 */
export function parseRegex(pattern: string, options: Options): Regex {
  return new Parser(pattern).parse(options);
}

class Parser extends Cursor {
  private depth = 0;
  private groups: Node[] = [{ kind: "empty" }];
  private readonly names: (string | undefined)[] = [];
  /** Checked at the end: a group may be called before it is written. */
  private readonly calls: { group: number; name: string | undefined }[] = [];
  private readonly numbers: number[] = [];
  private usesGroups = false;

  parse(options: Options): Regex {
    const body = this.alternatives(options);
    if (this.at < this.text.length) throw new RegexError("unmatched close parenthesis");
    for (const number of this.numbers) {
      if (number > this.names.length) throw new RegexError("invalid backref number/name");
    }
    this.groups[0] = body;
    for (const call of this.calls) this.resolveCall(call);
    for (const group of new Set(this.calls.map((call) => call.group)))
      if (neverEnds(group, this.groups)) throw new RegexError("never ending recursion");
    return { body, groups: this.groups, names: this.names, usesGroups: this.usesGroups };
  }

  private resolveCall(call: { group: number; name: string | undefined }): void {
    if (call.name === undefined) {
      if (call.group > this.names.length) throw new RegexError(`undefined group <${call.group}> reference`);
      return;
    }
    const [group, ...more] = this.named(call.name);
    if (group === undefined) throw new RegexError(`undefined name <${call.name}> reference`);
    if (more.length > 0) throw new RegexError(`multiplex definition name <${call.name}> call`);
    call.group = group;
  }

  private alternatives(options: Options): Node {
    if (++this.depth > MAX_DEPTH) throw new RegexError("too deep nest level");
    const items: Node[] = [];
    let current = options;
    for (;;) {
      const { node, options: next } = this.sequence(current);
      items.push(node);
      current = next;
      if (this.text[this.at] !== "|") break;
      this.at++;
    }
    this.depth--;
    return items.length === 1 ? items[0]! : { kind: "alternatives", items };
  }

  /** Options that are set in a sequence hold to the end of the group, in its later alternatives too. */
  private sequence(given: Options): { node: Node; options: Options } {
    let options = given;
    const items: Node[] = [];
    while (this.at < this.text.length) {
      const character = this.text[this.at]!;
      if (character === "|" || character === ")") break;
      if (options.extended && this.blank(character)) continue;
      const changed = this.optionSwitch(options);
      if (changed !== undefined) {
        options = changed;
        continue;
      }
      if (this.comment()) continue;
      // Only the last quoted character is repeated.
      const atoms = this.take("\\Q") ? this.quoted(options) : [this.atom(options)];
      for (const each of atoms.slice(0, -1)) append(items, each);
      append(items, this.repeated(atoms.at(-1) ?? { kind: "empty" }, options));
    }
    return { node: items.length === 1 ? items[0]! : { kind: "sequence", items }, options };
  }

  /** Passes over what doesn't count in an extended pattern. */
  private blank(character: string): boolean {
    if (/\s/.test(character)) {
      this.at++;
      return true;
    }
    if (character !== "#") return false;
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end + 1;
    return true;
  }

  /** `(?i-x)`, without a colon. */
  private optionSwitch(options: Options): Options | undefined {
    const match = /^\(\?([imsx]*)(?:-([imsx]*))?\)/.exec(this.text.slice(this.at, this.at + 24));
    if (match === null || match[0] === "(?)") return undefined;
    this.at += match[0].length;
    return switched(options, match[1]!, match[2] ?? "");
  }

  private repeated(atom: Node, options: Options): Node {
    let node = atom;
    for (;;) {
      while (this.comment() || (options.extended && !this.done && this.blank(this.text[this.at]!)));
      const quantifier = this.quantifier();
      if (quantifier === undefined) return node;
      if (cannotRepeat(node)) throw new RegexError("target of repeat operator is invalid");
      node = { kind: "repeat", ...quantifier, body: node };
    }
  }

  private quantifier(): { min: number; max: number; mode: "greedy" | "lazy" | "possessive" } | undefined {
    const character = this.text[this.at];
    if (character === "*" || character === "+" || character === "?") {
      this.at++;
      const range = { min: character === "+" ? 1 : 0, max: character === "?" ? 1 : Number.POSITIVE_INFINITY };
      if (this.take("?")) return { ...range, mode: "lazy" };
      return { ...range, mode: this.take("+") ? "possessive" : "greedy" };
    }
    if (character !== "{") return undefined;
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.text.slice(this.at, this.at + 32));
    if (match === null) return undefined;
    this.at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === "" ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY))
      throw new RegexError("too big number for repeat range");
    if (max < min) throw new RegexError("upper is smaller than lower in repeat range");
    if (this.take("?")) return { min, max, mode: "lazy" };
    return { min, max, mode: min !== max && this.take("+") ? "possessive" : "greedy" };
  }

  private atom(options: Options): Node {
    const character = this.text[this.at]!;
    switch (character) {
      case "(":
        return this.group(options);
      case "[":
        this.at++;
        return this.characterClass(options);
      case ".":
        this.at++;
        return { kind: "set", set: options.dotAll ? anything : not(newline) };
      case "^":
        this.at++;
        return { kind: "assertion", what: options.lines ? "line-start" : "text-start" };
      case "$":
        this.at++;
        return { kind: "assertion", what: options.lines ? "line-end" : "text-end-or-newline" };
      case "*":
      case "+":
      case "?":
        throw new RegexError("target of repeat operator is not specified");
      case "\\":
        return this.escape(options);
      default:
        if (this.quantifier() !== undefined)
          throw new RegexError("target of repeat operator is not specified");
        return this.character(this.next(), options);
    }
  }

  private character(code: number, { ignoreCase }: Options): Node {
    return ignoreCase ? { kind: "folded", codes: [code] } : { kind: "character", code };
  }

  private characterClass(options: Options): Node {
    const found = readClass(this, options.ignoreCase);
    return "code" in found ? this.character(found.code, options) : { kind: "set", set: found.set };
  }

  private escape(options: Options): Node {
    if (this.at + 1 >= this.text.length) throw new RegexError("end pattern at escape");
    const special = this.reference(options) ?? this.assertion();
    if (special !== undefined) return special;
    const { codes, set, node } = readEscape(this, false);
    if (node !== undefined) return node;
    // A set that isn't a class doesn't ignore case.
    if (set !== undefined) return { kind: "set", set };
    const items = codes!.map((code) => this.character(code, options));
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  /** Behind `\Q`. */
  private quoted(options: Options): Node[] {
    const end = this.text.indexOf("\\E", this.at);
    const text = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 2;
    return [...text].map((each) => this.character(each.codePointAt(0)!, options));
  }

  private assertion(): Node | undefined {
    const letter = this.text[this.at + 1]!;
    const what = Object.hasOwn(assertions, letter) ? assertions[letter]! : undefined;
    if (what === undefined && letter !== "K") return undefined;
    this.at += 2;
    return what === undefined ? { kind: "keep" } : { kind: "assertion", what };
  }

  /** `\1`, `\k<name>`, `\g<name>`; undefined for anything else. */
  private reference({ ignoreCase }: Options): Node | undefined {
    const rest = this.text.slice(this.at + 1, this.at + 200);
    const number = /^[1-9]\d*/.exec(rest)?.[0];
    if (number !== undefined && (number.length === 1 || Number(number) <= this.names.length)) {
      this.at += 1 + number.length;
      return this.backreference(Number(number), ignoreCase);
    }
    if (/^k[<']/.test(rest)) return this.namedReference(ignoreCase);
    return /^g[<']/.test(rest) ? this.call() : undefined;
  }

  /** `\k<name>`, `\k<1>`, `\k<-1>`. A level of recursion behind it (`+0`) is read, and taken for the innermost one. */
  private namedReference(ignoreCase: boolean): Node {
    this.at += 2;
    const name = this.quotedName();
    if (/^\d+[^\d+-]/.test(name)) throw new RegexError(`invalid group name <${name}>`);
    const plain = name.replace(/(?<=.)[+-]\d+$/, "");
    if (!/^[+-]?[\p{L}\p{M}\p{N}\p{Pc}]+$/u.test(plain))
      throw new RegexError(`invalid char in group name <${name}>`);
    if (/^[+-]?\d+$/.test(plain)) return this.backreference(this.numbered(plain), ignoreCase);
    const groups = this.named(plain);
    if (groups.length === 0) throw new RegexError(`undefined name <${plain}> reference`);
    if (groups.length === 1) return this.backreference(groups[0]!, ignoreCase);
    this.usesGroups = true;
    return { kind: "backreference", groups, ignoreCase, target: undefined };
  }

  private backreference(number: number, ignoreCase: boolean): Node {
    if (number === 0) throw new RegexError("invalid backref number/name");
    this.numbers.push(number);
    this.usesGroups = true;
    return { kind: "backreference", groups: [number], ignoreCase, target: this.groups[number] };
  }

  /** `\g<name>` */
  private call(): Node {
    this.at += 2;
    const name = this.quotedName();
    const call = /^[+-]?\d+$/.test(name)
      ? { kind: "call" as const, group: this.numbered(name), name: undefined }
      : { kind: "call" as const, group: 0, name };
    this.calls.push(call);
    this.usesGroups = true;
    return call;
  }

  /** A name up to its closing `>` or `'`. */
  private quotedName(): string {
    const closer = this.next() === 0x27 ? "'" : ">";
    const end = this.text.slice(this.at).search(closer === ">" ? /[>)]/ : /[')]/);
    const name = this.text.slice(this.at, end < 0 ? undefined : this.at + end);
    if (name === "") throw new RegexError("group name is empty");
    this.at += name.length;
    if (!this.take(closer)) throw new RegexError(`invalid group name <${name}>`);
    return name;
  }

  private numbered(name: string): number {
    const number = Number(name);
    if (/^\d/.test(name)) return number;
    const group = number < 0 ? this.names.length + 1 + number : this.names.length + number;
    if (group < 0) throw new RegexError("invalid backref number/name");
    return group;
  }

  private named(name: string): number[] {
    return this.names.flatMap((each, index) => (each === name ? [index + 1] : []));
  }

  private group(options: Options): Node {
    this.at++;
    if (this.text[this.at] === "*") return this.verb();
    if (!this.take("?")) return this.capture(undefined, options);
    if (this.at >= this.text.length) throw new RegexError("end pattern in group");
    const rest = this.text.slice(this.at, this.at + 3);
    if (rest.startsWith("{")) return this.callout();
    for (const [opener, make] of openers) {
      if (!rest.startsWith(opener)) continue;
      this.at += opener.length;
      return make(this.closed(options));
    }
    if (rest.startsWith("(")) return this.condition(options);
    if (rest.startsWith("<") || rest.startsWith("'")) return this.capture(this.groupName(), options);
    const flags = /^([imsx]*)(?:-([imsx]*))?:/.exec(this.text.slice(this.at, this.at + 24));
    if (flags === null) {
      const unfinished = /^[imsx-]*$/.test(this.text.slice(this.at));
      throw new RegexError(unfinished ? "end pattern in group" : "undefined group option");
    }
    this.at += flags[0].length;
    return this.closed(switched(options, flags[1]!, flags[2] ?? ""));
  }

  private closed(options: Options): Node {
    const body = this.alternatives(options);
    if (!this.take(")")) throw new RegexError("end pattern with unmatched parenthesis");
    return body;
  }

  private capture(name: string | undefined, options: Options): Node {
    this.names.push(name);
    const number = this.names.length;
    const body = this.closed(options);
    this.groups[number] = body;
    return { kind: "group", number, body };
  }

  private groupName(): string {
    if (this.at + 1 >= this.text.length) throw new RegexError("end pattern with unmatched parenthesis");
    const name = this.quotedName();
    if (/^[\d-]/.test(name)) throw new RegexError(`invalid group name <${name}>`);
    if (!/^[\p{L}\p{M}\p{Pc}]/u.test(name)) throw new RegexError(`invalid char in group name <${name}>`);
    return name;
  }

  /** `(?(1)yes|no)`, `(?(<name>)yes|no)`, or with a pattern for a condition. */
  private condition(options: Options): Node {
    const groups = this.testedGroups();
    const test = groups ?? this.testedPattern(options);
    const empty = this.text[this.at] === ")";
    if (empty && groups === undefined) throw new RegexError("invalid if-else syntax");
    const body = this.closed(options);
    if (groups !== undefined && empty) return { kind: "condition", test, yes: body, no: { kind: "never" } };
    const [yes, ...no] = body.kind === "alternatives" ? body.items : [body];
    return {
      kind: "condition",
      test,
      yes: yes!,
      no:
        no.length === 0 ? { kind: "never" } : no.length === 1 ? no[0]! : { kind: "alternatives", items: no },
    };
  }

  private testedGroups(): number[] | undefined {
    const match = this.read(/\((?:<([^<>()]+)>|'([^'()]+)'|([+-]?\d+))\)/y);
    if (match === undefined) return undefined;
    this.usesGroups = true;
    const name = match[1] ?? match[2] ?? match[3]!;
    if (!/^[+-]?\d+$/.test(name)) {
      const groups = this.named(name);
      if (groups.length === 0) throw new RegexError(`undefined name <${name}> reference`);
      return groups;
    }
    const group = this.numbered(name);
    if (group === 0 || group > this.names.length) throw new RegexError("invalid backref number/name");
    return [group];
  }

  private testedPattern(options: Options): Node {
    this.at++;
    if (this.done || /^[+-]?\d+$/.test(this.text.slice(this.at)))
      throw new RegexError("end pattern in group");
    if (this.take("?{")) {
      this.at--;
      return this.callout();
    }
    return this.text[this.at] === "*" && /^\*[A-Za-z_]/.test(this.text.slice(this.at))
      ? this.verb()
      : this.closed(options);
  }

  /** Goes behind a comment. @returns whether there was one */
  private comment(): boolean {
    if (!this.take("(?#")) return false;
    if (this.read(/(?:[^\\)]|\\[\s\S])*\)/y) === undefined) throw new RegexError("end pattern in group");
    return true;
  }

  /** Nobody listens to callouts. */
  private callout(): Node {
    const end = this.text.indexOf("})", this.at);
    if (end < 0) throw new RegexError("invalid callout pattern");
    this.at = end + 2;
    return { kind: "empty" };
  }

  /** Of the verbs only those that need no counter of their own. */
  private verb(): Node {
    const match = this.read(/\*([A-Za-z_]\w*)?/y);
    if (match?.[1] === undefined)
      throw new RegexError(this.done ? "invalid callout pattern" : "invalid callout name");
    if (this.done) throw new RegexError("end pattern in group");
    const node = Object.hasOwn(verbs, match[1]) ? verbs[match[1]] : undefined;
    if (node === undefined) throw new RegexError("undefined callout name");
    if (!this.take(")")) throw new RegexError("invalid callout arg");
    return node;
  }
}

const verbs: Readonly<Record<string, Node>> = {
  FAIL: { kind: "never" },
  COUNT: { kind: "empty" },
  TOTAL_COUNT: { kind: "empty" },
};

/** Adds to a sequence. Characters that don't depend on case are compared together: `ss` is equal to `ß`, two times `s` isn't. */
function append(items: Node[], node: Node): void {
  const last = items.at(-1);
  if (last?.kind === "folded" && node.kind === "folded")
    items[items.length - 1] = { kind: "folded", codes: [...last.codes, ...node.codes] };
  else items.push(node);
}

/** What takes no text isn't repeated; nor are alternatives, one of which takes none. */
function cannotRepeat(node: Node): boolean {
  if (node.kind === "alternatives") return node.items.some(cannotRepeat);
  return node.kind === "assertion" || node.kind === "look" || node.kind === "keep";
}

function switched(options: Options, on: string, off: string): Options {
  const set = (letter: string, now: boolean) => (now || on.includes(letter)) && !off.includes(letter);
  return {
    ignoreCase: set("i", options.ignoreCase),
    extended: set("x", options.extended),
    dotAll: set("s", options.dotAll),
    lines: set("m", options.lines),
  };
}

const openers: readonly (readonly [string, (body: Node) => Node])[] = [
  [":", (body) => body],
  ["=", (body) => ({ kind: "look", behind: false, negate: false, length: 0, body })],
  ["!", (body) => ({ kind: "look", behind: false, negate: true, length: 0, body })],
  [">", (body) => ({ kind: "atomic", body })],
  ["~", (body) => ({ kind: "absence", body })],
  ["<=", (body) => lookBehind(body, false)],
  ["<!", (body) => lookBehind(body, true)],
];

const assertions: Readonly<Record<string, Assertion>> = {
  A: "text-start",
  z: "text-end",
  Z: "text-end-or-newline",
  G: "search-start",
  b: "word-boundary",
  B: "no-word-boundary",
  y: "grapheme-boundary",
  Y: "no-grapheme-boundary",
};
