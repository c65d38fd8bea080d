import type { Json } from "../json.ts";
import { canonicalText, exponentOf, numberText } from "./number-text.ts";

const token = /^(-?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** A number taken apart: 0.`digits` times 10 to the power `point`. Zero has no digits. */
interface Decimal {
  readonly negative: boolean;
  /** Without zeros at either end. */
  readonly digits: string;
  readonly point: bigint;
}

/**
 * A number that keeps the text it was written with, for programs compiled with `exact`. It passes through
 * a program unchanged; two of them compare by their exact values, everything else takes its nearest double,
 * as jq 1.8 has it with numeric literals. Those who don't know it get a plain number from `JSON.stringify`.
 */
export class ExactNumber {
  /** A JSON number, as it was written. */
  readonly text: string;
  #double: number | undefined;
  #decimal: Decimal | undefined;

  /** @param text a JSON number; use `exactNumber` where a plain number may do */
  constructor(text: string) {
    this.text = text;
    Object.freeze(this);
  }

  /** The nearest double; what is too large for any is infinite. */
  toNumber(): number {
    this.#double ??= Number(this.text);
    return this.#double;
  }

  valueOf(): number {
    return this.toNumber();
  }

  toJSON(): number {
    return this.toNumber();
  }

  toString(): string {
    return this.text;
  }

  /** The same number with the other sign; zero has none. */
  negated(): ExactNumber {
    if (this.text.startsWith("-")) return new ExactNumber(this.text.slice(1));
    return this.decimal().digits === "" ? this : new ExactNumber(`-${this.text}`);
  }

  /** Negative, 0 or positive: the order of the exact values. */
  compareTo(other: ExactNumber): number {
    const a = this.decimal();
    const b = other.decimal();
    if (a.digits === "" && b.digits === "") return 0;
    const signs = sign(a) - sign(b);
    if (signs !== 0) return signs;
    // Digits without zeros at their end are in the order of texts.
    if (a.point === b.point && a.digits === b.digits) return 0;
    const isSmaller = a.point === b.point ? a.digits < b.digits : a.point < b.point;
    return isSmaller ? -sign(a) : sign(a);
  }

  private decimal(): Decimal {
    this.#decimal ??= decimalOf(this.text);
    return this.#decimal;
  }
}

function sign({ digits, negative }: Decimal): number {
  if (digits === "") return 0;
  return negative ? -1 : 1;
}

function decimalOf(text: string): Decimal {
  const [, minus = "", whole = "", fraction = "", exponent = "0"] = token.exec(text) ?? [];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "");
  const zeros = all.length - digits.length;
  return {
    negative: minus === "-",
    digits: withoutZerosAtEnd(digits),
    point: exponentOf(exponent) + BigInt(whole.length - zeros),
  };
}

/** In linear time, unlike a regular expression that begins anywhere. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

const CERTAIN_DIGITS = 15;

/**
 * A number as a program with `exact` sees it: plain where its double prints as the text does and has at most 15
 * digits; else with its text.
 *
 * @param written a JSON number
 */
export function exactNumber(written: string): Json {
  return plainNumber(written) ?? asJson(new ExactNumber(written));
}

/** The same for what jq itself reads, which it changes to the canonical text: `.5` is `0.5`, `1e5` is `1E+5`. */
export function canonicalNumber(written: string): Json {
  // A double prints its exponent as `e`, and the canonical text has `E`.
  const plain = /e/i.test(written) ? undefined : plainNumber(written);
  if (plain !== undefined) return plain;
  const text = canonicalText(written);
  if (text === undefined) return Number(written);
  return plainNumber(text) ?? asJson(new ExactNumber(text));
}

function plainNumber(text: string): number | undefined {
  if (text.length > CERTAIN_DIGITS + 2) return undefined;
  const double = Number(text);
  return numberText(double) === text && digitsOf(text) <= CERTAIN_DIGITS ? double : undefined;
}

/** `Json` has no member for it, so that those who only know plain numbers needn't ask for it. */
function asJson(exact: ExactNumber): Json {
  return exact as unknown as Json;
}

function digitsOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) count++;
  return count;
}

/** The exact number that a plain one is written as; undefined if it may be the rounded result of arithmetic. */
export function writtenExactly(value: number): ExactNumber | undefined {
  const text = String(value);
  return Number.isFinite(value) && digitsOf(text) <= CERTAIN_DIGITS ? new ExactNumber(text) : undefined;
}

/** The exact number that a value is, if it is one. */
export function asExact(value: Json | undefined): ExactNumber | undefined {
  const candidate: unknown = value;
  return candidate instanceof ExactNumber ? candidate : undefined;
}

/** The double of a number of either kind; undefined for other values. */
export function doubleOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : asExact(value)?.toNumber();
}

/** The value, an exact number replaced by its double. */
export function plain(value: Json): Json {
  return asExact(value)?.toNumber() ?? value;
}
