import { isIdentifier } from "@configc/jq/internal";
import { ExactNumber, type Json, parseExact, printExact } from "@configc/runtime";
import type { EditTarget } from "./edit-target.ts";

/** A value as a person sees it in a list: its text, and where to ask for what is in it. */
export interface ShownValue {
  readonly name: string;
  /** Masked, and short. */
  readonly text: string;
  readonly type: string;
  /** For `children`; 0 where nothing is in it. */
  readonly reference: number;
  /** Items of an array. */
  readonly items?: number;
  /** Members of an object. */
  readonly members?: number;
  /** The jq path from what the frame has: for watching it. */
  readonly expression?: string;
  /** Whether another value can be put in its place. */
  readonly editable: boolean;
}

/** A value that has a name where it is shown. */
export interface NamedValue {
  readonly name: string;
  readonly value: Json;
  readonly expression?: string;
  readonly target?: EditTarget;
  /** What people read instead of the value's own text. */
  readonly text?: string;
}

interface Kept {
  readonly named: () => readonly NamedValue[];
  /** Of the value itself. */
  readonly size: number;
  readonly isArray: boolean;
}

/** Characters of a text in a list. */
const SHORT = 200;
/** Characters of a text that a person asks for by name. */
const LONG = 1_000_000;

/** The values that somebody looks at while a run stands. They are made into text only then, page by page. */
export class Values {
  private readonly redact: (text: string, longest?: number) => string;
  private kept = new Map<number, Kept>();
  private last = 0;

  constructor(redact: (text: string, longest?: number) => string) {
    this.redact = redact;
  }

  /** Nobody asks for what was seen before the run went on. */
  forget(): void {
    this.kept = new Map();
  }

  /** A list of named values, such as a scope. */
  keep(named: () => readonly NamedValue[]): number {
    this.kept.set(++this.last, { named, size: 0, isArray: false });
    return this.last;
  }

  /**
   * What is in a value.
   *
   * @param start of its items or members, for a page
   */
  children(reference: number, start = 0, count?: number): readonly ShownValue[] {
    const kept = this.kept.get(reference);
    if (kept === undefined) return [];
    return kept
      .named()
      .slice(start, count === undefined || count === 0 ? undefined : start + count)
      .map((each) => this.shown(each));
  }

  /** The child of that name: to put another value in its place. */
  child(reference: number, name: string): NamedValue | undefined {
    return this.kept
      .get(reference)
      ?.named()
      .find((each) => this.name(each.name) === name);
  }

  shown({ name, value, expression, target, text }: NamedValue): ShownValue {
    const inside = this.inside(value, expression, target);
    return {
      name: this.name(name),
      text: text ?? this.short(value),
      type: typeOf(value),
      reference: inside?.reference ?? 0,
      ...(inside?.isArray === true ? { items: inside.size } : {}),
      ...(inside?.isArray === false ? { members: inside.size } : {}),
      ...(expression === undefined ? {} : { expression }),
      editable: target !== undefined,
    };
  }

  /** The whole value as JSON, exact, as far as somebody can read it. */
  whole(value: Json, longest = LONG): string {
    const whole = printExact(value);
    // Redacted before it is cut: half of a secret is one too.
    const text = this.redact(whole, 16 * longest);
    return text.length > longest ? `${text.slice(0, longest)}… (${whole.length} characters)` : text;
  }

  private name(name: string): string {
    return this.redact(name);
  }

  private inside(
    value: Json,
    expression: string | undefined,
    target: EditTarget | undefined,
  ): { readonly reference: number; readonly size: number; readonly isArray: boolean } | undefined {
    if (typeof value !== "object" || value === null || value instanceof ExactNumber) return undefined;
    const isArray = Array.isArray(value);
    const keys = isArray ? undefined : Object.keys(value);
    const size = keys?.length ?? (value as readonly Json[]).length;
    if (size === 0) return undefined;
    const base = expression === "." ? "" : expression;
    const child = (key: string | number): NamedValue => ({
      name: String(key),
      value: (value as Readonly<Record<string | number, Json>>)[key] as Json,
      ...(base === undefined ? {} : { expression: `${base}${step(key, base)}` }),
      ...(target === undefined ? {} : { target: { ...target, path: [...target.path, key] } }),
    });
    const list: LazyList = {
      slice: (start, end) =>
        keys === undefined
          ? (value as readonly Json[]).slice(start, end).map((_, at) => child(start + at))
          : keys.slice(start, end).map(child),
    };
    this.kept.set(++this.last, { named: () => lazily(list, size, child, keys), size, isArray });
    return { reference: this.last, size, isArray };
  }

  private short(value: Json): string {
    if (typeof value === "string") {
      const safe = this.redact(value, 16 * SHORT);
      const cut = safe.length > SHORT || value.length > 16 * SHORT;
      return cut
        ? `${JSON.stringify(safe.slice(0, SHORT))}… (${value.length} characters)`
        : JSON.stringify(safe);
    }
    if (typeof value !== "object" || value === null || value instanceof ExactNumber)
      return this.redact(printExact(value));
    if (Array.isArray(value)) return `[${value.length === 1 ? "1 item" : `${value.length} items`}]`;
    const names = Object.keys(value);
    const shown = names.slice(0, 6).map((name) => this.name(name));
    return names.length === 0 ? "{}" : `{${shown.join(", ")}${names.length > 6 ? ", …" : ""}}`;
  }
}

interface LazyList {
  slice(start: number, end: number | undefined): readonly NamedValue[];
}

/** An array of which only what somebody takes is made. */
function lazily(
  list: LazyList,
  size: number,
  child: (key: string | number) => NamedValue,
  keys: readonly string[] | undefined,
): readonly NamedValue[] {
  return {
    length: size,
    slice: (start = 0, end?: number) => [...list.slice(start, end)],
    find: (isWanted: (value: NamedValue) => boolean) => {
      for (let at = 0; at < size; at++) {
        const each = child(keys === undefined ? at : keys[at]!);
        if (isWanted(each)) return each;
      }
      return undefined;
    },
  } as unknown as readonly NamedValue[];
}

/** A step of a jq path. */
function step(key: string | number, before: string): string {
  if (typeof key === "number") return before === "" ? `.[${key}]` : `[${key}]`;
  return isIdentifier(key) ? `.${key}` : `${before === "" ? "." : ""}[${JSON.stringify(key)}]`;
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return value instanceof ExactNumber ? "number" : typeof value;
}

/** Reads what a person types as a new value: JSON, or else a text as it stands. */
export function readValue(text: string): Json {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
