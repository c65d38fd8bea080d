import { base64Texts, CUT, hexBytes } from "./encoded-blocks.ts";
import type { Form } from "./forms.ts";
import { prefilterOf } from "./prefilter.ts";
import type { Scan, Span } from "./views.ts";

/** Steps are bytes, and longer ones are hardly faster. */
const LONGEST_HEAD = 48;

/** Units that the beginnings of an escape have at most. */
const MOST_BROKEN = 10;

/** Two units, of a text or of a form, as one number: all beyond ASCII are alike. */
const PAIRS = 128 * 128;

/**
 * Finds forms of secrets in a text as it stands. Most places are never looked at (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994): two units
 * that are in no form's beginning let the search go on behind them.
 */
export class Search {
  readonly hexBytes: Scan;
  readonly base64Texts: Scan;
  /** Whether a break in one may hide a blank. */
  readonly hasBlanks: boolean;
  readonly #forms: readonly Form[];
  /** So much of each form is looked for at first. */
  readonly #head: number;
  /** By pair: by how much the search may go on when this pair stands at the end of a head. */
  readonly #steps: Uint8Array;
  /** By pair: the forms whose heads end with it. */
  readonly #ends = new Map<number, Form[]>();

  constructor(forms: readonly Form[]) {
    this.#forms = [...forms].sort((a, b) => b.text.length - a.text.length);
    this.hasBlanks = forms.some(({ text, folded }) => folded && /\s/.test(text));
    const sieve = prefilterOf(forms);
    this.hexBytes = hexBytes(sieve);
    this.base64Texts = base64Texts(sieve);
    this.#head = Math.min(LONGEST_HEAD, sieve.least);
    this.#steps = new Uint8Array(PAIRS).fill(this.#head - 1);
    for (const form of this.#forms) this.#enter(form);
  }

  #enter(form: Form): void {
    const units = Array.from({ length: this.#head }, (_, at) => unitsOf(form, at));
    for (let at = 1; at < this.#head; at++) {
      const step = this.#head - 1 - at;
      const pairs = new Set(units[at - 1]!.flatMap((one) => units[at]!.map((two) => pairOf(one, two))));
      for (const pair of pairs) {
        this.#steps[pair] = Math.min(this.#steps[pair]!, step);
        if (step === 0) this.#ends.set(pair, [...(this.#ends.get(pair) ?? []), form]);
      }
    }
  }

  /** @param least units that a form must have */
  find(text: string, least: number): Span[] {
    const spans: Span[] = [];
    const [head, steps] = [this.#head, this.#steps];
    for (let end = head - 1; end < text.length; ) {
      const pair = pairOf(text.charCodeAt(end - 1), text.charCodeAt(end));
      const step = steps[pair]!;
      if (step > 0) {
        end += step;
        continue;
      }
      const start = end - head + 1;
      const form = this.#ends
        .get(pair)
        ?.find((each) => each.text.length >= least && agreed(each, text, start) === each.text.length);
      if (form === undefined) end++;
      else {
        spans.push([start, start + form.text.length]);
        end += form.text.length;
      }
    }
    return spans;
  }

  /** What stands before the cuts and may be the beginning of a secret, with the marks. */
  findHalves(text: string): Span[] {
    const spans: Span[] = [];
    for (let cut = text.indexOf(CUT); cut >= 0; cut = text.indexOf(CUT, cut + 1)) {
      // The last few units may be halves of an escape or of a character.
      let least = cut;
      for (let end = cut; end >= Math.max(0, cut - MOST_BROKEN); end--)
        for (const form of this.#forms) least = Math.min(least, end - begun(form, text, end));
      if (least < cut) spans.push([least, cut + CUT.length]);
    }
    return spans;
  }
}

/** How many units before that end are the beginning of a form. */
function begun(form: Form, text: string, end: number): number {
  let known = Math.min(form.text.length - 1, end);
  while (known > 0 && agreed(form, text, end - known, known) < known) known--;
  return known;
}

/** How many units of a form stand at a place. */
function agreed({ text: form, folded }: Form, text: string, start: number, most = form.length): number {
  let at = 0;
  while (at < most && isSame(form[at]!, text[start + at], folded)) at++;
  return at;
}

function isSame(known: string, given: string | undefined, folded: boolean): boolean {
  if (known === given) return true;
  if (!folded || given === undefined) return false;
  return (known === " " && given === "+") || others(known).includes(given);
}

function pairOf(one: number, two: number): number {
  return ((one < 127 ? one : 127) << 7) | (two < 127 ? two : 127);
}

/** The units that may stand for one of a form. */
function unitsOf({ text, folded }: Form, at: number): number[] {
  const unit = text[at]!;
  const units = folded ? [unit, ...others(unit), ...(unit === " " ? ["+"] : [])] : [unit];
  return units.map((each) => each.charCodeAt(0));
}

/** A letter in its other cases, where that is one unit. */
function others(unit: string): string[] {
  return [unit.toLowerCase(), unit.toUpperCase()].filter((each) => each !== unit && each.length === 1);
}
