import { RegexError } from "./tree.ts";

/** A place in a pattern. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** The UTF-16 unit here, or further on. */
  peek(ahead = 0): string | undefined {
    return this.text[this.at + ahead];
  }

  /** The code point here; goes behind it. */
  next(): number {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new RegexError("end pattern at escape");
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /**
   * Goes behind what a sticky expression matches here.
   *
   * @returns undefined if it doesn't match
   */
  read(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }
}
