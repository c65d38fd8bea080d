import { CUT } from "./blocks.ts";
import type { Form } from "./forms.ts";
import type { Span } from "./views.ts";

/** So much of a form stands in the pattern; the rest is compared. */
const HEAD = 48;

/** Units that the beginnings of an escape have at most. */
const MOST_BROKEN = 10;

/** Finds forms of secrets in a text as it stands. */
export class Search {
  readonly #forms: readonly Form[];
  readonly #pattern: RegExp;
  /** Whether a break in one may hide a blank. */
  readonly hasBlanks: boolean;

  constructor(forms: readonly Form[]) {
    this.#forms = [...forms].sort((a, b) => b.text.length - a.text.length);
    this.hasBlanks = forms.some(({ text, folded }) => folded && /\s/.test(text));
    const heads = new Set(this.#forms.map((form) => patternOf(form)));
    this.#pattern = new RegExp([...heads].join("|"), "g");
  }

  /** @param least units that a form must have */
  find(text: string, least: number): Span[] {
    const spans: Span[] = [];
    const pattern = this.#pattern;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const start = match.index;
      const form = this.#forms.find(
        (each) => each.text.length >= least && agreed(each, text, start) === each.text.length,
      );
      const end = start + (form?.text.length ?? 0);
      if (form !== undefined) spans.push([start, end]);
      pattern.lastIndex = Math.max(end, start + 1);
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

function patternOf({ text, folded }: Form): string {
  return Array.from(text.slice(0, HEAD).split(""), (unit) => {
    const units = folded ? [unit, ...others(unit), ...(unit === " " ? ["+"] : [])] : [unit];
    const escaped = units.map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
    return escaped.length === 1 ? escaped[0] : `[${escaped.join("")}]`;
  }).join("");
}

/** A letter in its other cases, where that is one unit. */
function others(unit: string): string[] {
  return [unit.toLowerCase(), unit.toUpperCase()].filter((each) => each !== unit && each.length === 1);
}
