/** A value as a text for people shows it: `customer: {id, name}`, `phones: [{number}]`, `ends_on: "2026-03-01"`. */
export interface ShownValue {
  /** Empty for a record that has none: `Answers {job: …}`. */
  readonly name: string;
  /** Undefined where only its name is shown, or it is described in words. */
  readonly kind: "object" | "list" | "text" | "number" | undefined;
  /** Whether the text says that it may be null. */
  readonly isNullable: boolean;
  /** The members of an object, or of the items of a list; undefined where none are shown. */
  readonly members: readonly ShownValue[] | undefined;
}

/** All values that a text shows in records, the inner ones too; nothing of what isn't written as one. */
export function readRecords(text: string): readonly ShownValue[] {
  const found: ShownValue[] = [];
  if (text.length > LONGEST) return found;
  const reader = new RecordReader(text);
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at)) {
    const record = reader.recordAt(at);
    if (record === undefined) {
      at++;
      continue;
    }
    const value = ownerOf(text.slice(Math.max(0, at - NEAR), at), record.members);
    const isDenied = denied.test(text.slice(Math.max(0, at - NEAR), at));
    // Of a hole in a path, `/sites/{site}`, nothing is shown.
    if (!isDenied && !/[/$?=&]/.test(text[at - 1] ?? "")) collect(value, found);
    at = record.end;
  }
  return found;
}

/** `The answer isn't {job: …}`, `the old version answered {job: …}` */
const denied =
  /(?:\b(?:not|never|no longer|instead of|rather than)|n't)\s+(?:a |an |the )?["`]?$|\b(?:old|older|previous|former|earlier) (?:version|API|format|shape|answer|form)s?\b[^.;{}]*$/i;

/** Comments are short; what is longer is data. */
const LONGEST = 5_000;
/** So far before a record its name is looked for. */
const NEAR = 60;
const DEEPEST = 8;

function collect(value: ShownValue, found: ShownValue[]): void {
  found.push(value);
  for (const member of value.members ?? []) collect(member, found);
}

/** The value that a record is, by what is written before it: `customer = {`, `lines: [{`, `answers is a list of {`. */
function ownerOf(before: string, members: readonly ShownValue[]): ShownValue {
  // `A rental: {…}` is a kind of record, and no member that is called so.
  const [, name = "", word, bracket] =
    /(?<![\w/?&.-])(?<!\b(?:an?|the|each|every|its?|their)[ "`]{1,2})([A-Za-z_]\w*)["`]?\s*(?:[:=]|\b(is|are))\s*(?:like\s+)?(?:an?\s+)?((?:list|array)s? of\s+|\[\s*)?$/i.exec(
      before,
    ) ?? [];
  const isList = bracket !== undefined || word === "are";
  // `Gives the tenant with its tenancies: {id, tenancies: […]}` is the tenant.
  const isOther = members.some((member) => member.name === name);
  const isNamed = name !== "" && !isOther && (bracket !== undefined || !pronoun.test(name));
  return { name: isNamed ? name : "", kind: isList ? "list" : "object", isNullable: false, members };
}

const pronoun =
  /^(?:it|that|this|which|they|what|there|these|those|one|ones|some|others?|all|both|and|or|lists?|answers?|bod(?:y|ies)|payloads?|deliver(?:y|ies)|samples?|examples?)$/i;

interface Read<T> {
  readonly value: T;
  readonly end: number;
}

/** Reads a record as people write it: names alone, with a value, or with words about it. */
class RecordReader {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  recordAt(
    start: number,
    depth = 0,
  ): { readonly members: readonly ShownValue[]; readonly end: number } | undefined {
    const members: ShownValue[] = [];
    let at = this.blanks(start + 1);
    while (depth < DEEPEST && at < this.text.length) {
      if (this.text[at] === "}") return members.length === 0 ? undefined : { members, end: at + 1 };
      const dots = this.match(/(?:…|\.\.\.)\s*,?\s*/y, at);
      if (dots !== undefined) {
        at += dots.length;
        continue;
      }
      const member = this.memberAt(at, depth);
      if (member === undefined) return undefined;
      members.push(member.value);
      at = this.blanks(this.text[member.end] === "," ? member.end + 1 : member.end);
    }
    return undefined;
  }

  private memberAt(start: number, depth: number): Read<ShownValue> | undefined {
    const written = this.match(/"[A-Za-z_$][\w.$-]*"|[A-Za-z_$][\w.$-]*/y, start);
    if (written === undefined) return undefined;
    const name = written.replaceAll('"', "");
    let at = this.blanks(start + written.length);
    const isAlone = this.text[at] !== ":" && this.text[at] !== "{" && this.text[at] !== "[";
    if (this.text[at] === ":") at = this.blanks(at + 1);
    const value: Read<Omit<ShownValue, "name">> | undefined = isAlone
      ? { value: unknown, end: at }
      : this.valueAt(at, depth);
    if (value === undefined) return undefined;
    const end = this.endOfWords(value.end);
    if (end === undefined) return undefined;
    const words = this.text.slice(value.end, end);
    // `{no record, but prose}`
    if (isAlone && !/^\s*(?:$|[(?!=|]|or\b)/.test(words)) return undefined;
    const isOr = /^\s*(?:\||or\b)/.test(words);
    const isOnlyNull = /^\s*(?:\||or)\s*null\b/.test(words);
    return {
      value: {
        name,
        ...value.value,
        ...(isOr && !isOnlyNull ? { kind: undefined } : {}),
        isNullable: value.value.isNullable || /\bnull\b/.test(words),
      },
      end,
    };
  }

  private valueAt(start: number, depth: number): Read<Omit<ShownValue, "name">> | undefined {
    const nothing = this.match(/null\s*(?:\||or)\s*(?=[[{"\d])/y, start);
    const at = start + (nothing?.length ?? 0);
    const isNullable = nothing !== undefined;
    if (this.text[at] === "{") {
      const record = this.recordAt(at, depth + 1);
      // `owner: {…}`
      const end = record?.end ?? this.pastBracket(at);
      return end === undefined
        ? undefined
        : { value: { kind: "object", isNullable, members: record?.members }, end };
    }
    if (this.text[at] === "[") {
      const first = this.blanks(at + 1);
      const record = this.text[first] === "{" ? this.recordAt(first, depth + 1) : undefined;
      const end = this.pastBracket(at);
      return end === undefined
        ? undefined
        : { value: { kind: "list", isNullable, members: record?.members }, end };
    }
    const text = this.match(/"[^"\n]*"/y, at);
    if (text !== undefined) return { value: { ...unknown, kind: "text", isNullable }, end: at + text.length };
    const number = this.match(/-?\d+(?:\.\d+)?(?![\w.:-])/y, at);
    if (number !== undefined)
      return { value: { ...unknown, kind: "number", isNullable }, end: at + number.length };
    return { value: unknown, end: at };
  }

  /** Where the words about a member end: at the next comma or bracket outside of round brackets. */
  private endOfWords(start: number): number | undefined {
    let open = 0;
    for (let at = start; at < this.text.length; at++) {
      const character = this.text[at]!;
      if (character === "(") open++;
      else if (character === ")") open--;
      else if (open <= 0 && (character === "," || character === "}")) return at;
      else if (character === "{") return undefined;
      if (at - start > NEAR * 4) return undefined;
    }
    return undefined;
  }

  /** Behind the bracket that closes the one at a place. */
  private pastBracket(start: number): number | undefined {
    let open = 0;
    for (let at = start; at < this.text.length; at++) {
      const character = this.text[at]!;
      if (character === "{" || character === "[") open++;
      else if ((character === "}" || character === "]") && --open === 0) return at + 1;
    }
    return undefined;
  }

  private blanks(start: number): number {
    return start + (this.match(/\s+/y, start)?.length ?? 0);
  }

  private match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0];
  }
}

const unknown = { kind: undefined, isNullable: false, members: undefined } as const;
