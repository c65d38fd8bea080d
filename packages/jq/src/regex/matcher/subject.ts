import { word } from "../syntax/character-sets.ts";
import type { Assertion } from "../syntax/tree.ts";
import { testOf } from "./character-tests.ts";

const isWord = (code: number): boolean => testOf(word)(code);

/** The text that is searched, character by character; places are UTF-16 offsets between characters. */
export class Subject {
  readonly text: string;
  private boundaries: Set<number> | undefined = undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The place behind the character here; one further on at the end. */
  after(at: number): number {
    return at + ((this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }

  /** The place before the character that ends here. */
  before(at: number): number {
    const low = this.text.charCodeAt(at - 1);
    const high = at > 1 ? this.text.charCodeAt(at - 2) : 0;
    return at - ((low & 0xfc00) === 0xdc00 && (high & 0xfc00) === 0xd800 ? 2 : 1);
  }

  /** The place behind the user-perceived character here; -1 at the end. */
  afterGrapheme(at: number): number {
    if (at >= this.text.length) return -1;
    let end = at + 1;
    while (!this.graphemes().has(end)) end++;
    return end;
  }

  /** @param searchStart where the search began */
  holds(what: Assertion, at: number, searchStart: number): boolean {
    const { text } = this;
    switch (what) {
      case "text-start":
        return at === 0;
      case "text-end":
        return at === text.length;
      case "text-end-or-newline":
        return at === text.length || (at === text.length - 1 && text[at] === "\n");
      case "line-start":
        return at === 0 || (text[at - 1] === "\n" && at < text.length);
      case "line-end":
        return at === text.length || text[at] === "\n";
      case "search-start":
        return at === searchStart;
      case "word-boundary":
        return this.isWordBoundary(at);
      case "no-word-boundary":
        return !this.isWordBoundary(at);
      case "grapheme-boundary":
        return this.graphemes().has(at);
      case "no-grapheme-boundary":
        return !this.graphemes().has(at);
    }
  }

  private isWordBoundary(at: number): boolean {
    const { text } = this;
    const after = at < text.length && isWord(text.codePointAt(at)!);
    const before = at > 0 && isWord(text.codePointAt(this.before(at))!);
    return after !== before;
  }

  /** Places between user-perceived characters. */
  private graphemes(): Set<number> {
    if (this.boundaries === undefined) {
      const segments = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(this.text);
      this.boundaries = new Set([this.text.length]);
      for (const { index } of segments) this.boundaries.add(index);
    }
    return this.boundaries;
  }
}
