import { readCallout, readVerb } from "./callouts.ts";
import { anything, newline, not } from "./character-sets.ts";
import { readClass } from "./classes.ts";
import { Cursor } from "./cursor.ts";
import { readEscape } from "./escapes.ts";
import { Groups } from "./groups.ts";
import { lookBehind } from "./look-behind.ts";
import { type Options, readOptions } from "./options.ts";
import { readQuantifier } from "./quantifier.ts";
import { readGroupName, readReference, readTestedGroups } from "./references.ts";
import { type Assertion, type Node, type Regex, RegexError } from "./tree.ts";

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
  private readonly groups = new Groups();

  parse(options: Options): Regex {
    const body = this.alternatives(options);
    if (!this.done) throw new RegexError("unmatched close parenthesis");
    return this.groups.finish(body);
  }

  private alternatives(options: Options): Node {
    if (++this.depth > MAX_DEPTH) throw new RegexError("too deep nest level");
    const items: Node[] = [];
    let current = options;
    do {
      const { node, options: next } = this.sequence(current);
      items.push(node);
      current = next;
    } while (this.take("|"));
    this.depth--;
    return items.length === 1 ? items[0]! : { kind: "alternatives", items };
  }

  /** Options that are set in a sequence hold to the end of the group, in its later alternatives too. */
  private sequence(given: Options): { node: Node; options: Options } {
    let options = given;
    const items: Node[] = [];
    while (!this.done && this.peek() !== "|" && this.peek() !== ")") {
      if (this.blank(options)) continue;
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

  /** Goes behind a blank or a comment that doesn't count in an extended pattern. @returns whether there was one */
  private blank({ extended }: Options): boolean {
    return extended && this.read(/\s|#[^\n]*\n?/y) !== undefined;
  }

  /** Goes behind `(?#…)`. @returns whether there was one */
  private comment(): boolean {
    if (!this.take("(?#")) return false;
    if (this.read(/(?:[^\\)]|\\[\s\S])*\)/y) === undefined) throw new RegexError("end pattern in group");
    return true;
  }

  /** `(?i-x)`, without a colon. */
  private optionSwitch(options: Options): Options | undefined {
    const start = this.at;
    if (!this.take("(?")) return undefined;
    const changed = this.peek() === ")" ? undefined : readOptions(this, options, ")");
    if (changed === undefined) this.at = start;
    return changed;
  }

  private repeated(atom: Node, options: Options): Node {
    let node = atom;
    for (;;) {
      while (this.comment() || this.blank(options));
      const quantifier = readQuantifier(this);
      if (quantifier === undefined) return node;
      if (cannotRepeat(node)) throw new RegexError("target of repeat operator is invalid");
      node = { kind: "repeat", ...quantifier, body: node };
    }
  }

  private atom(options: Options): Node {
    if (this.peek() === "\\") return this.escape(options);
    if (readQuantifier(this) !== undefined)
      throw new RegexError("target of repeat operator is not specified");
    const code = this.next();
    switch (String.fromCodePoint(code)) {
      case "(":
        return this.group(options);
      case "[":
        return this.characterClass(options);
      case ".":
        return { kind: "set", set: options.dotAll ? anything : not(newline) };
      case "^":
        return { kind: "assertion", what: options.lines ? "line-start" : "text-start" };
      case "$":
        return { kind: "assertion", what: options.lines ? "line-end" : "text-end-or-newline" };
      default:
        return character(code, options);
    }
  }

  private characterClass(options: Options): Node {
    const found = readClass(this, options.ignoreCase);
    return "code" in found ? character(found.code, options) : { kind: "set", set: found.set };
  }

  private escape(options: Options): Node {
    if (this.peek(1) === undefined) throw new RegexError("end pattern at escape");
    const special = readReference(this, this.groups, options.ignoreCase) ?? this.assertion();
    if (special !== undefined) return special;
    const { codes, set, node } = readEscape(this, false);
    if (node !== undefined) return node;
    // A set that isn't a class doesn't ignore case.
    if (set !== undefined) return { kind: "set", set };
    const items = codes!.map((code) => character(code, options));
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  /** Behind `\Q`. */
  private quoted(options: Options): Node[] {
    const end = this.text.indexOf("\\E", this.at);
    const text = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 2;
    return [...text].map((each) => character(each.codePointAt(0)!, options));
  }

  private assertion(): Node | undefined {
    const letter = this.peek(1)!;
    const what = Object.hasOwn(assertions, letter) ? assertions[letter]! : undefined;
    if (what === undefined && letter !== "K") return undefined;
    this.at += 2;
    return what === undefined ? { kind: "keep" } : { kind: "assertion", what };
  }

  /** Behind `(`. */
  private group(options: Options): Node {
    if (this.peek() === "*") return readVerb(this);
    if (!this.take("?")) return this.capture(undefined, options);
    if (this.done) throw new RegexError("end pattern in group");
    if (this.peek() === "{") return readCallout(this);
    for (const [opener, make] of openers) if (this.take(opener)) return make(this.closed(options));
    if (this.peek() === "(") return this.condition(options);
    if (this.peek() === "<" || this.peek() === "'") return this.capture(readGroupName(this), options);
    const changed = readOptions(this, options, ":");
    if (changed !== undefined) return this.closed(changed);
    const unfinished = /^[imsx-]*$/.test(this.text.slice(this.at));
    throw new RegexError(unfinished ? "end pattern in group" : "undefined group option");
  }

  private closed(options: Options): Node {
    const body = this.alternatives(options);
    if (!this.take(")")) throw new RegexError("end pattern with unmatched parenthesis");
    return body;
  }

  private capture(name: string | undefined, options: Options): Node {
    const number = this.groups.open(name);
    const body = this.closed(options);
    this.groups.close(number, body);
    return { kind: "group", number, body };
  }

  /** `(?(1)yes|no)`, `(?(<name>)yes|no)`, or with a pattern for a condition. */
  private condition(options: Options): Node {
    const groups = readTestedGroups(this, this.groups);
    const test = groups ?? this.testedPattern(options);
    const empty = this.peek() === ")";
    if (empty && groups === undefined) throw new RegexError("invalid if-else syntax");
    const body = this.closed(options);
    if (empty) return { kind: "condition", test, yes: body, no: { kind: "never" } };
    const [yes, ...rest] = body.kind === "alternatives" ? body.items : [body];
    const no: Node =
      rest.length === 0
        ? { kind: "never" }
        : rest.length === 1
          ? rest[0]!
          : { kind: "alternatives", items: rest };
    return { kind: "condition", test, yes: yes!, no };
  }

  private testedPattern(options: Options): Node {
    this.at++;
    if (this.done || /^[+-]?\d+$/.test(this.text.slice(this.at)))
      throw new RegexError("end pattern in group");
    if (this.take("?{")) {
      this.at--;
      return readCallout(this);
    }
    return /^\*[A-Za-z_]/.test(this.text.slice(this.at, this.at + 2)) ? readVerb(this) : this.closed(options);
  }
}

function character(code: number, { ignoreCase }: Options): Node {
  return ignoreCase ? { kind: "folded", codes: [code] } : { kind: "character", code };
}

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
