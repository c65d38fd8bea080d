import { sparks } from "../../../../test/properties/arbitraries.ts";

/** A source of chance that gives the same each time for a seed. */
export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }
}

type EditKind = (text: string, chance: Chance) => string;

/** What people and editors do to a document between one look at it and the next. */
export const edits: Readonly<Record<string, EditKind>> = {
  "a character typed in a string": (text, chance) => {
    const [start, end] = stringIn(text, chance);
    const at = start + chance.below(end - start + 1);
    return splice(text, at, at, chance.of([...'ab1 .|$}{-_"\\:']));
  },
  "a character deleted in a string": (text, chance) => {
    const [start, end] = stringIn(text, chance);
    if (start === end) return text;
    const at = start + chance.below(end - start);
    return splice(text, at, at + 1, "");
  },
  "a string like another one": (text, chance) => {
    const [start, end] = stringIn(text, chance);
    const [from, to] = stringIn(text, chance);
    return splice(text, start, end, text.slice(from, to));
  },
  "a name changed everywhere": (text, chance) => {
    const [start, end] = stringIn(text, chance);
    const name = text.slice(start, end);
    return name.length < 3 ? text : text.replaceAll(name, `${name}${chance.below(3)}`);
  },
  "a spark anywhere": (text, chance) => {
    const at = chance.below(text.length + 1);
    return splice(text, at, at, chance.of(sparks));
  },
  "a character deleted anywhere": (text, chance) => {
    const at = chance.below(text.length);
    return splice(text, at, at + 1, "");
  },
  "a member half typed": (text, chance) => {
    const [start] = lineIn(text, chance);
    const member = '"help_text": {"!jq": ".a | [.b]"},\n';
    return splice(text, start, start, member.slice(0, 1 + chance.below(member.length)));
  },
  "a conflict between versions": (text, chance) => {
    const [start] = lineIn(text, chance);
    const [at, end] = lineIn(text, chance);
    const from = Math.min(start, at);
    const lines = text.slice(from, end);
    return splice(text, from, end, `<<<<<<< ours\n${lines}=======\n${lines}>>>>>>> theirs\n`);
  },
  "a marker of a conflict, or a blank of another kind": (text, chance) => {
    const [start] = lineIn(text, chance);
    return splice(
      text,
      start,
      start,
      chance.of(["<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n", "\u00a0"]),
    );
  },
  "a line twice": (text, chance) => {
    const [start, end] = lineIn(text, chance);
    return splice(text, end, end, text.slice(start, end));
  },
  "a line deleted": (text, chance) => {
    const [start, end] = lineIn(text, chance);
    return splice(text, start, end, "");
  },
  "a value moved": (text, chance) => {
    const [start, end] = blockIn(text, chance);
    const [from, to] = blockIn(text, chance);
    return splice(text, start, end, text.slice(from, to));
  },
  "a member moved to another object": (text, chance) => {
    const document = parsed(text);
    const objects = objectsIn(document);
    if (objects.length === 0) return text;
    const [from, to] = [chance.of(objects), chance.of(objects)];
    const names = Object.keys(from);
    if (names.length === 0) return text;
    const name = chance.of(names);
    const value = from[name];
    if (objectsIn(value).includes(to)) return text;
    delete from[name];
    to[name] = value;
    return JSON.stringify(document, undefined, 2);
  },
  "an item twice": (text, chance) => {
    const [start, end] = itemIn(text, chance);
    return splice(text, end, end, `,${text.slice(start, end)}`);
  },
  "an item deleted": (text, chance) => {
    const [start, end] = itemIn(text, chance);
    return text[end] === "," ? splice(text, start, end + 1, "") : splice(text, start, end, "");
  },
  "items in another order": (text, chance) => {
    const [[a, b], [c, d]] = [itemIn(text, chance), itemIn(text, chance)].sort(([x], [y]) => x - y) as [
      Range,
      Range,
    ];
    if (c < b) return text;
    return text.slice(0, a) + text.slice(c, d) + text.slice(b, c) + text.slice(a, b) + text.slice(d);
  },
  "laid out anew": (text, chance) => {
    const document = parsed(text);
    return document === undefined ? text : JSON.stringify(document, undefined, chance.below(5));
  },
  "blanks before all": (text) => ` \n${text}`,
  "no change": (text) => text,
};

/** Undefined where it isn't JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All objects in a value, at any depth. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

type Range = readonly [start: number, end: number];

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** The inside of a string; an empty range where there is none. */
function stringIn(text: string, chance: Chance): Range {
  const all = [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)];
  if (all.length === 0) return [0, 0];
  const { index, 1: inside = "" } = chance.of(all);
  return [index + 1, index + 1 + inside.length];
}

function lineIn(text: string, chance: Chance): Range {
  const at = chance.below(text.length + 1);
  const end = text.indexOf("\n", at);
  return [text.lastIndexOf("\n", at - 1) + 1, end < 0 ? text.length : end + 1];
}

/** An object or array with what belongs to it, as far as brackets tell. */
function blockIn(text: string, chance: Chance): Range {
  const starts = [...text.matchAll(/[{[]/g)];
  return starts.length === 0 ? [0, 0] : blockAt(text, chance.of(starts).index);
}

/** An intake or a workflow. */
function itemIn(text: string, chance: Chance): Range {
  const starts = [...text.matchAll(/\{\s*"(?:type|name)":\s*"(?:webhook|polling|acme-|[a-z-]+-)/g)];
  return starts.length === 0 ? [0, 0] : blockAt(text, chance.of(starts).index);
}

function blockAt(text: string, start: number): Range {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\\n]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    if ((token === "}" || token === "]") && --depth === 0) return [start, start + index + 1];
  }
  return [start, start];
}
