/** A pattern for paths with `/`, read. */
export type Glob =
  | { readonly kind: "text"; readonly text: string }
  /** `?` and `[…]`: one character that isn't `/`. */
  | { readonly kind: "character"; readonly matches: (character: string) => boolean }
  /** `*`: whatever has no `/` in it. */
  | { readonly kind: "name" }
  /** `**` and the slash behind it: any folders, or none. */
  | { readonly kind: "folders" }
  /** `**` at the end: everything below, and what stands before it. */
  | { readonly kind: "below" }
  | { readonly kind: "sequence"; readonly of: readonly Glob[] }
  /** `{a,b}`, `@(a|b)` and the like; `!(…)` is what none of them matches, up to the next `/`. */
  | {
      readonly kind: "choice";
      readonly of: readonly Glob[];
      readonly times: "once" | "maybe" | "any" | "some" | "not";
    };

/** Reads a pattern; every text is one: what isn't complete stands for itself. */
export function parseGlob(pattern: string): Glob {
  return new Parser(pattern).sequence("");
}

const kinds = { "@": "once", "?": "maybe", "*": "any", "+": "some", "!": "not" } as const;

/** Groups in groups that are read as such, and of those that repeat or negate: what is deeper stands for itself. */
const DEEPEST = 20;
const DEEPEST_REPEATS = 2;
const LONGEST_CLASS = 200;

class Parser {
  private readonly pattern: string;
  private at = 0;
  private depth = 0;
  private repeats = 0;
  private readonly groups: Set<number>;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.groups = groupsOf(pattern);
  }

  /** Up to one of the characters that end it, or the pattern's end. */
  sequence(ends: string): Glob {
    const of: Glob[] = [];
    for (let next = this.pattern[this.at]; next !== undefined && !ends.includes(next); ) {
      of.push(this.part(next));
      next = this.pattern[this.at];
    }
    return { kind: "sequence", of };
  }

  private part(next: string): Glob {
    const times = this.pattern[this.at + 1] === "(" ? kinds[next as keyof typeof kinds] : undefined;
    if (times !== undefined) {
      const choice = this.repeated(times === "any" || times === "some" || times === "not");
      if (choice !== undefined) return { kind: "choice", of: choice, times };
    }
    if (next === "{") {
      const choice = this.range() ?? this.choice(this.at + 1, ",", "}");
      if (choice !== undefined) return { kind: "choice", of: choice, times: "once" };
    }
    if (next === "*") return this.stars();
    if (next === "?") {
      this.at++;
      return { kind: "character", matches: () => true };
    }
    if (next === "[") {
      const matches = this.class();
      if (matches !== undefined) return { kind: "character", matches };
    }
    if (next === "\\" && this.at + 1 < this.pattern.length) this.at++;
    return { kind: "text", text: this.pattern[this.at++]! };
  }

  private stars(): Glob {
    const start = this.at;
    while (this.pattern[this.at] === "*") this.at++;
    const before = this.pattern[start - 1];
    const after = this.pattern[this.at];
    const isWhole = (before === undefined || before === "/") && (after === undefined || after === "/");
    if (this.at - start < 2 || !isWhole) return { kind: "name" };
    if (after === undefined) return { kind: "below" };
    this.at++;
    return { kind: "folders" };
  }

  private repeated(isRepeat: boolean): Glob[] | undefined {
    if (!isRepeat) return this.choice(this.at + 2, "|", ")");
    if (this.repeats >= DEEPEST_REPEATS) return undefined;
    this.repeats++;
    const choice = this.choice(this.at + 2, "|", ")");
    this.repeats--;
    return choice;
  }

  /** The alternatives of a group; undefined, with nothing read, if it isn't closed or has only one in braces. */
  private choice(start: number, separator: string, end: string): Glob[] | undefined {
    const opened = this.at;
    if (this.depth >= DEEPEST || !this.groups.has(opened)) return undefined;
    this.depth++;
    const of: Glob[] = [];
    this.at = start;
    do of.push(this.sequence(separator + end));
    while (this.pattern[this.at++] === separator);
    this.depth--;
    if (this.pattern[this.at - 1] === end && (end === ")" || of.length > 1)) return of;
    this.groups.delete(opened);
    this.at = opened;
    return undefined;
  }

  /** `{1..12}`, with as many digits as its ends are written with, or `{a..e}`. */
  private range(): Glob[] | undefined {
    const found = /^\{(?:(\d{1,3})\.\.(\d{1,3})|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))\}/.exec(
      this.pattern.slice(this.at, this.at + 12),
    );
    if (found === null) return undefined;
    const [whole, first, last, ...letters] = found;
    this.at += whole.length;
    const [low, high] = letters.filter((letter) => letter !== undefined);
    if (low !== undefined && high !== undefined)
      return span(low.charCodeAt(0), high.charCodeAt(0)).map((code) => text(String.fromCharCode(code)));
    const width = /^0\d/.test(first!) || /^0\d/.test(last!) ? Math.max(first!.length, last!.length) : 0;
    return span(Number(first), Number(last)).map((number) => text(String(number).padStart(width, "0")));
  }

  /** `[a-z_]`, `[!0-9]`, `[[:alpha:]]`; undefined, with nothing read, if it isn't closed. */
  private class(): ((character: string) => boolean) | undefined {
    const found = /^\[([!^]?)(\]?(?:\\.|\[:\w{1,9}:\]|[^\]\\])*)\]/s.exec(
      this.pattern.slice(this.at, this.at + LONGEST_CLASS),
    );
    if (found === null) return undefined;
    const [whole, negated, members = ""] = found;
    this.at += whole.length;
    const tests: ((character: string) => boolean)[] = [];
    const parts = members.matchAll(/\[:(\w+):\]|(\\?.)-(\\?.)|(\\?.)/gsu);
    for (const [, name, from, to, single] of parts) {
      const [low, high] = [from ?? single, to ?? single].map((each) => each?.replace(/^\\(?=.)/s, ""));
      const named = name === undefined ? undefined : namedClasses[name];
      if (named !== undefined) tests.push((character) => named.test(character));
      else if (low !== undefined && high !== undefined)
        tests.push((character) => low <= character && character <= high);
    }
    return (character) => tests.some((test) => test(character)) !== (negated !== "");
  }
}

/** Where groups begin that are closed, and those in braces that have a comma: found in one pass, so that none is tried in vain. */
function groupsOf(pattern: string): Set<number> {
  const groups = new Set<number>();
  const open: { readonly at: number; readonly end: string; hasComma: boolean }[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const next = pattern[at]!;
    const inner = open.at(-1);
    if (next === "\\") at++;
    else if (next === "{") open.push({ at, end: "}", hasComma: false });
    else if (next in kinds && pattern[at + 1] === "(") open.push({ at: at++, end: ")", hasComma: true });
    else if (next === "," && inner !== undefined) inner.hasComma = true;
    else if (next === inner?.end) {
      open.pop();
      if (inner.hasComma) groups.add(inner.at);
    }
  }
  return groups;
}

const namedClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  digit: /[0-9]/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9a-f]/i,
};

function text(of: string): Glob {
  return { kind: "text", text: of };
}

function span(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + index * step);
}
