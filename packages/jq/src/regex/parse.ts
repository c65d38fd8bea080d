import {
  caseVariants,
  digit,
  ignoringCase,
  newline,
  not,
  posixSet,
  propertySet,
  space,
  tabulated,
  word,
} from "./character-sets.ts";
import { type Assertion, type CharacterTest, type Node, type Regex, RegexError } from "./syntax.ts";

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

interface Escape {
  readonly node?: Node;
  readonly code?: number;
  readonly set?: CharacterTest;
  readonly assertion?: boolean;
}

class Parser {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private groups: Node[] = [{ kind: "empty" }];
  private readonly names: (string | undefined)[] = [];
  /** Checked at the end: a group may be called before it is written. */
  private readonly calls: { group: number; name: string | undefined }[] = [];
  private readonly numbers: number[] = [];

  constructor(text: string) {
    this.text = text;
  }

  parse(options: Options): Regex {
    const body = this.alternatives(options);
    if (this.at < this.text.length) throw new RegexError("unmatched close parenthesis");
    for (const number of this.numbers) {
      if (number > this.names.length) throw new RegexError("invalid backref number/name");
    }
    for (const call of this.calls) this.resolveCall(call);
    this.groups[0] = body;
    return { body, groups: this.groups, names: this.names };
  }

  private resolveCall(call: { group: number; name: string | undefined }): void {
    if (call.name !== undefined) {
      const group = this.names.lastIndexOf(call.name) + 1;
      if (group === 0) throw new RegexError(`undefined name <${call.name}> call`);
      call.group = group;
    } else if (call.group > this.names.length) throw new RegexError("undefined group reference");
    else if (call.group === 0) throw new RegexError("never ending recursion");
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
      items.push(this.repeated(options));
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

  private repeated(options: Options): Node {
    const before = this.at;
    let node = this.atom(options);
    for (;;) {
      if (options.extended) while (this.at < this.text.length && this.blank(this.text[this.at]!));
      const quantifier = this.quantifier();
      if (quantifier === undefined) return node;
      if (node.kind === "assertion" || node.kind === "look" || node.kind === "keep")
        throw new RegexError("target of repeat operator is invalid");
      if (before === this.at) throw new RegexError("target of repeat operator is not specified");
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
    return { min, max, mode: this.take("?") ? "lazy" : "greedy" };
  }

  private atom(options: Options): Node {
    const character = this.text[this.at]!;
    switch (character) {
      case "(":
        return this.group(options);
      case "[":
        this.at++;
        return this.set(this.characterClass(), options);
      case ".":
        this.at++;
        return { kind: "set", test: options.dotAll ? () => true : not(newline) };
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
        return this.character(this.next(), options);
    }
  }

  private character(code: number, { ignoreCase }: Options): Node {
    return { kind: "character", code, ignoreCase: ignoreCase && caseVariants(code).length > 1 };
  }

  private set(test: CharacterTest, { ignoreCase }: Options): Node {
    return { kind: "set", test: ignoreCase ? ignoringCase(test) : test };
  }

  private escape(options: Options): Node {
    if (this.at + 1 >= this.text.length) throw new RegexError("end pattern at escape");
    if (this.text[this.at + 1] === "Q") return this.quoted(options);
    const special = this.reference(options) ?? this.assertion();
    if (special !== undefined) return special;
    const { code, set, node } = this.escaped();
    if (node !== undefined) return node;
    return set === undefined ? this.character(code!, options) : this.set(set, options);
  }

  private quoted(options: Options): Node {
    const start = this.at + 2;
    const end = this.text.indexOf("\\E", start);
    this.at = end < 0 ? this.text.length : end + 2;
    const items = [...this.text.slice(start, end < 0 ? undefined : end)].map((each) =>
      this.character(each.codePointAt(0)!, options),
    );
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
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
      this.numbers.push(Number(number));
      return { kind: "backreference", groups: [Number(number)], ignoreCase };
    }
    const named = /^([kg])(?:<([^<>]*)>|'([^']*)')/.exec(rest);
    if (named === null) return undefined;
    const name = named[2] ?? named[3] ?? "";
    if (name === "") throw new RegexError("group name is empty");
    this.at += 1 + named[0].length;
    const group = /^[+-]?\d+$/.test(name) ? this.numbered(name) : undefined;
    if (named[1] === "g") {
      const call = { kind: "call", group: group ?? 0, name: group === undefined ? name : undefined } as const;
      const mutable = { ...call };
      this.calls.push(mutable);
      return mutable;
    }
    if (group !== undefined) {
      this.numbers.push(group);
      return { kind: "backreference", groups: [group], ignoreCase };
    }
    const groups = this.named(name);
    if (groups.length === 0) throw new RegexError(`undefined name <${name}> reference`);
    return { kind: "backreference", groups, ignoreCase };
  }

  private numbered(name: string): number {
    const number = Number(name);
    if (/^\d/.test(name)) return number;
    const group = number < 0 ? this.names.length + 1 + number : this.names.length + number;
    if (group <= 0) throw new RegexError("invalid backref number/name");
    return group;
  }

  private named(name: string): number[] {
    return this.names.flatMap((each, index) => (each === name ? [index + 1] : []));
  }

  /** An escape that stands for a character or a set, in a class or outside. */
  private escaped(): Escape {
    this.at++;
    if (this.at >= this.text.length) throw new RegexError("end pattern at escape");
    const code = this.next();
    const letter = String.fromCodePoint(code);
    if (Object.hasOwn(sets, letter)) return { set: sets[letter]! };
    if (Object.hasOwn(controls, letter)) return { code: controls[letter]! };
    switch (letter) {
      case "x":
        return { code: this.hexadecimal() };
      case "c":
        return { code: this.next() & 0x1f };
      case "p":
      case "P":
        return this.property(letter === "P") ?? { code };
      case "R":
        return { node: lineBreak };
      case "X":
        return { node: { kind: "grapheme" } };
    }
    if (/[0-7]/.test(letter)) return { code: this.octal(letter) };
    return { code };
  }

  private hexadecimal(): number {
    const braced = /^\{\s*([0-9A-Fa-f]{1,8})\s*\}/.exec(this.text.slice(this.at, this.at + 16));
    const match = braced ?? /^()([0-9A-Fa-f]{0,2})/.exec(this.text.slice(this.at, this.at + 2))!;
    this.at += match[0].length;
    const code = Number.parseInt(match[1] || match[2] || "0", 16);
    // No character has such a code.
    return code > 0x10ffff ? -1 : code;
  }

  private octal(first: string): number {
    const more = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2))![0];
    this.at += more.length;
    return Number.parseInt(first + more, 8) & 0xff;
  }

  private property(negated: boolean): Escape | undefined {
    const match = /^\{(\^?)([^{}]*)\}/.exec(this.text.slice(this.at, this.at + 80));
    if (match === null) return undefined;
    this.at += match[0].length;
    const set = propertySet(match[2]!);
    return { set: negated !== (match[1] === "^") ? not(set) : set };
  }

  /** After the opening bracket. A bracket right behind it, or behind `^`, is a character. */
  private characterClass(): CharacterTest {
    const negated = this.take("^");
    const tests: CharacterTest[] = [];
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; ; first = false) {
      if (this.at >= this.text.length) throw new RegexError("premature end of char-class");
      if (this.text[this.at] === "]" && !first) break;
      const from = this.classItem();
      const dash =
        this.text[this.at] === "-" && this.text[this.at + 1] !== "]" && this.at + 1 < this.text.length;
      if (from.set !== undefined || from.code === undefined) {
        if (from.set !== undefined) tests.push(from.set);
        continue;
      }
      if (!dash) {
        ranges.push([from.code, from.code]);
        continue;
      }
      this.at++;
      const to = this.classItem();
      if (to.code === undefined) throw new RegexError("char-class value at end of range");
      if (to.code < from.code) throw new RegexError("empty range in char class");
      ranges.push([from.code, to.code]);
    }
    this.at++;
    const test: CharacterTest = (code) =>
      ranges.some(([low, high]) => low <= code && code <= high) || tests.some((each) => each(code));
    return tabulated(negated ? not(test) : test);
  }

  private classItem(): Escape {
    const character = this.text[this.at]!;
    if (character === "\\") {
      if (this.text[this.at + 1] === "b") {
        this.at += 2;
        return { code: 8 };
      }
      return this.escaped();
    }
    const posix = /^\[:(\^?)(\w*):\]/.exec(this.text.slice(this.at, this.at + 24));
    if (posix === null) return { code: this.next() };
    this.at += posix[0].length;
    const set = posixSet(posix[2]!);
    return { set: posix[1] === "^" ? not(set) : set };
  }

  private group(options: Options): Node {
    this.at++;
    if (this.text[this.at] === "*") return this.verb();
    if (!this.take("?")) return this.capture(undefined, options);
    if (this.at >= this.text.length) throw new RegexError("end pattern in group");
    const rest = this.text.slice(this.at, this.at + 3);
    if (rest.startsWith("#")) return this.comment();
    if (rest.startsWith("{")) return this.callout();
    for (const [opener, make] of openers) {
      if (!rest.startsWith(opener)) continue;
      this.at += opener.length;
      const body = this.closed(options);
      checkLookbehind(opener, body);
      return make(body);
    }
    if (rest.startsWith("(")) return this.condition(options);
    if (rest.startsWith("<") || rest.startsWith("'")) return this.capture(this.groupName(), options);
    const flags = /^([imsx]*)(?:-([imsx]*))?:/.exec(this.text.slice(this.at, this.at + 24));
    if (flags === null) throw new RegexError("undefined group option");
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
    const closer = this.text[this.at] === "<" ? ">" : "'";
    const end = this.text.indexOf(closer, this.at + 1);
    if (end < 0) throw new RegexError("end pattern with unmatched parenthesis");
    const name = this.text.slice(this.at + 1, end);
    if (name === "") throw new RegexError("group name is empty");
    if (!/^[\p{L}\p{M}\p{Pc}][\p{L}\p{M}\p{N}\p{Pc}]*$/u.test(name))
      throw new RegexError(`invalid group name <${name}>`);
    this.at = end + 1;
    return name;
  }

  /** `(?(1)yes|no)` */
  private condition(options: Options): Node {
    const match = /^\((?:<([^<>()]+)>|'([^'()]+)'|(-?\d+))\)/.exec(this.text.slice(this.at, this.at + 100));
    if (match === null) throw new RegexError("invalid conditional pattern");
    this.at += match[0].length;
    const name = match[1] ?? match[2] ?? match[3]!;
    const groups = /^-?\d+$/.test(name) ? [this.numbered(name)] : this.named(name);
    if (groups.length === 0 || groups.some((group) => group > this.names.length))
      throw new RegexError("invalid backref number/name");
    const body = this.closed(options);
    const [yes, no, ...more] = body.kind === "alternatives" ? body.items : [body];
    if (more.length > 0) throw new RegexError("invalid conditional pattern");
    return { kind: "condition", groups, yes: yes!, no: no ?? { kind: "empty" } };
  }

  private comment(): Node {
    const end = this.text.indexOf(")", this.at);
    if (end < 0) throw new RegexError("end pattern in group");
    this.at = end + 1;
    return { kind: "empty" };
  }

  /** Nobody listens to callouts. */
  private callout(): Node {
    const end = this.text.indexOf("})", this.at);
    if (end < 0) throw new RegexError("invalid callout pattern");
    this.at = end + 2;
    return { kind: "empty" };
  }

  private verb(): Node {
    const match = /^\*(\w+)[^)]*\)/.exec(this.text.slice(this.at, this.at + 80));
    if (match?.[1] !== "FAIL") throw new RegexError("undefined callout name");
    this.at += match[0].length;
    return { kind: "never" };
  }

  private next(): number {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new RegexError("end pattern at escape");
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }
}

function switched(options: Options, on: string, off: string): Options {
  const set = (letter: string, now: boolean) =>
    on.includes(letter) ? true : off.includes(letter) ? false : now;
  return {
    ignoreCase: set("i", options.ignoreCase),
    extended: set("x", options.extended),
    dotAll: set("s", options.dotAll),
    lines: set("m", options.lines),
  };
}

const openers: readonly (readonly [string, (body: Node) => Node])[] = [
  [":", (body) => body],
  ["=", (body) => ({ kind: "look", behind: false, negate: false, body })],
  ["!", (body) => ({ kind: "look", behind: false, negate: true, body })],
  [">", (body) => ({ kind: "atomic", body })],
  ["~", (body) => ({ kind: "absence", body })],
  ["<=", (body) => ({ kind: "look", behind: true, negate: false, body })],
  ["<!", (body) => ({ kind: "look", behind: true, negate: true, body })],
];

/** Oniguruma wants alternatives of one length there, and nothing captured where nothing may match. */
function checkLookbehind(opener: string, body: Node): void {
  if (!opener.startsWith("<")) return;
  const lengths = body.kind === "alternatives" ? new Set(body.items.map(fixedLength)) : new Set();
  if (lengths.size > 1 || (opener === "<!" && captures(body)))
    throw new RegexError("invalid pattern in look-behind");
}

function fixedLength(node: Node): number | undefined {
  switch (node.kind) {
    case "character":
    case "set":
      return 1;
    case "sequence":
      return node.items.reduce<number | undefined>((sum, item) => {
        const length = fixedLength(item);
        return sum === undefined || length === undefined ? undefined : sum + length;
      }, 0);
    case "group":
    case "atomic":
      return fixedLength(node.body);
    case "repeat": {
      const length = fixedLength(node.body);
      return node.min === node.max && length !== undefined ? length * node.min : undefined;
    }
    case "empty":
    case "look":
    case "assertion":
    case "keep":
      return 0;
    default:
      return undefined;
  }
}

function captures(node: Node): boolean {
  switch (node.kind) {
    case "group":
      return true;
    case "sequence":
    case "alternatives":
      return node.items.some(captures);
    case "repeat":
    case "atomic":
    case "look":
    case "absence":
      return captures(node.body);
    default:
      return false;
  }
}

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

const sets: Readonly<Record<string, CharacterTest>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
  N: not(newline),
  O: () => true,
};

const controls: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, a: 7, e: 27 };

const lineBreak: Node = {
  kind: "atomic",
  body: {
    kind: "alternatives",
    items: [
      {
        kind: "sequence",
        items: [
          { kind: "character", code: 13, ignoreCase: false },
          { kind: "character", code: 10, ignoreCase: false },
        ],
      },
      {
        kind: "set",
        test: (code) => (code >= 10 && code <= 13) || code === 0x85 || code === 0x2028 || code === 0x2029,
      },
    ],
  },
};
