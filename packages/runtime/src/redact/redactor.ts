import { CUT, mayBeEncoded } from "./encoded-blocks.ts";
import {
  blanks,
  breakSigns,
  breaks,
  pageEscapes,
  quotedBytes,
  scriptEscapes,
  softBreaks,
} from "./escapes.ts";
import { formsOf } from "./forms.ts";
import { MASK, SHORTEST } from "./mask.ts";
import { Search } from "./search.ts";
import { extracted, replaced, type Span, type View, without } from "./views.ts";

/** So many times hex, base64 and the encoding of mails may lie in one another. */
const DEEPEST = 6;
/** So many steps undo escapes and breaks, at each depth. */
const MOST_STEPS = 6;
/** Characters that all readings of a text have together, as a multiple of its own. */
const MOST_READ = 12;
/** Shorter secrets aren't looked for across line breaks: two numbers in two lines would be one. */
const LEAST_BROKEN = 8;

/**
 * Masks secrets in texts, however a response echoes them (D29): as they are, and behind escapes of JSON, HTML, URLs and mail, hex,
 * base64, other cases, line breaks, and several of these at once. Exactly what stands for the secret is masked.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  #search: Search | undefined;

  /** A text that must not appear, from now on. Blanks around it come from copying, and a service may echo it without them. */
  add(text: string): void {
    const secret = text.trim();
    if (secret.length < SHORTEST || this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#search = undefined;
  }

  /** @param longest UTF-16 units of the text that are looked at; what comes behind them is left out */
  redact(text: string, longest = text.length): string {
    if (this.#secrets.size === 0) return text.slice(0, longest);
    if (text.length <= longest)
      return text.length < SHORTEST ? text : masked(text, this.#find(text), text.length);
    // The cut may go through a secret: what stands before it is one too.
    const spans = this.#find(text.slice(0, longest) + CUT);
    const half = spans.find(([, end]) => end > longest);
    return masked(text, spans, Math.min(longest, half?.[0] ?? longest));
  }

  #find(text: string): Span[] {
    this.#search ??= new Search([...this.#secrets].flatMap(formsOf));
    const reading = new Reading(this.#search, text);
    reading.read({ text, back: (spans) => [...spans] }, { depth: DEEPEST, steps: MOST_STEPS, least: 0 });
    return joined(reading.found);
  }
}

/** How far a reading may still go. */
interface Bounds {
  readonly depth: number;
  readonly steps: number;
  /** Units that a secret must have to be looked for. */
  readonly least: number;
}

/** One text in all its readings. */
class Reading {
  readonly found: Span[] = [];
  readonly #search: Search;
  readonly #breaks: RegExp;
  readonly #isCut: boolean;
  /** Most ways lead to the same texts. */
  readonly #seen = new Set<string>();
  #left: number;

  constructor(search: Search, text: string) {
    this.#search = search;
    this.#breaks = search.hasBlanks ? blanks : breaks;
    this.#isCut = text.endsWith(CUT);
    this.#left = MOST_READ * text.length + 60_000;
  }

  read(view: View, bounds: Bounds): void {
    const { text } = view;
    const { depth, steps } = bounds;
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.#look(view, bounds.least);
    if (!mayBeEncoded.test(text)) return;
    const deeper = { depth: depth - 1, steps: MOST_STEPS, least: 0 };
    const isPlain = [
      this.#follow(view, has(text, "\\") && replaced(text, scriptEscapes), { ...bounds, steps: steps - 1 }),
      this.#follow(view, has(text, "%", "&") && replaced(text, pageEscapes), { ...bounds, steps: steps - 1 }),
      this.#follow(view, formText(text), { ...bounds, steps: steps - 1 }),
      this.#follow(view, has(text, "=\n", "=\r") && without(text, softBreaks), {
        ...bounds,
        steps: steps - 1,
      }),
      this.#follow(view, mayBreak(text, this.#breaks) && without(text, this.#breaks), {
        depth,
        steps: steps - 1,
        least: LEAST_BROKEN,
      }),
    ].every((changed) => !changed);
    if (depth === 0) return;
    this.#follow(view, has(text, "=") && replaced(text, quotedBytes), deeper);
    if (!isPlain) return;
    this.#follow(view, extracted(text, this.#search.hexBytes), deeper);
    this.#follow(view, extracted(text, this.#search.base64Texts), deeper);
  }

  /** @returns whether there is another reading that way */
  #follow(from: View, view: View | undefined | false, bounds: Bounds): boolean {
    if (view === undefined || view === false || bounds.steps < 0) return false;
    this.#left -= view.text.length;
    if (this.#left >= 0) this.read({ text: view.text, back: (spans) => from.back(view.back(spans)) }, bounds);
    return true;
  }

  #look({ text, back }: View, least: number): void {
    const spans = this.#search.find(text, least);
    if (spans.length > 0) for (const span of back(spans)) this.found.push(span);
    const halves = this.#isCut ? this.#search.findHalves(text) : [];
    if (halves.length > 0) for (const span of back(halves)) this.found.push(span);
  }
}

/** Whether one of these signs is in a text, without which there is nothing to undo: much faster than to look for what it would be. */
function has(text: string, ...signs: readonly string[]): boolean {
  return signs.some((sign) => text.includes(sign));
}

/** Whether there is something to leave out. A text without breaks is searched for them in far less time than with the whole pattern. */
function mayBreak(text: string, pattern: RegExp): boolean {
  return pattern === blanks || breakSigns.test(text) || has(text, "<", "&");
}

/** The blanks of a form that is written as parameters of URLs are. */
function formText(text: string): View | undefined {
  if (!text.includes("+") || !/%[\da-f]{2}/i.test(text)) return undefined;
  return { text: text.replaceAll("+", " "), back: (spans) => [...spans] };
}

/** Ascending, and one for those that overlap. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}

function masked(text: string, spans: readonly Span[], end: number): string {
  let safe = "";
  let from = 0;
  for (const [start, stop] of spans) {
    if (start >= end) break;
    safe += text.slice(from, start) + MASK;
    from = stop;
  }
  return safe + text.slice(from, end);
}
