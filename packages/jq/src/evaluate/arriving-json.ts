import type { Json } from "../json.ts";
import { Reader, type ReaderOptions } from "./json-reader.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_END = 0x0a;

/** JSON values of a text that arrives part by part, cut anywhere. What was read isn't kept. */
export class ArrivingJson {
  private readonly reader: Reader;
  /** What came behind the last place between two tokens: the beginning of a text, number or name. */
  private begun: string[] = [];
  private isInText = false;
  private isEscaped = false;

  constructor(options: ReaderOptions) {
    this.reader = new Reader("", options);
  }

  /**
   * The values that are complete with the next part.
   * @throws JsonSyntaxError after those before the mistake
   */
  *read(part: string): Generator<Json> {
    const end = this.endOfTokens(part);
    if (end === 0) {
      this.begun.push(part);
      return;
    }
    this.reader.feed(this.begun.join("") + part.slice(0, end));
    this.begun = [part.slice(end)];
    yield* this.complete();
  }

  /**
   * The values that are complete because nothing follows.
   * @throws JsonSyntaxError also if one isn't
   */
  *end(): Generator<Json> {
    this.reader.feed(this.begun.join(""));
    yield* this.complete();
    this.reader.finish();
  }

  private *complete(): Generator<Json> {
    while (!this.reader.atEnd) {
      const value = this.reader.advance();
      if (value !== undefined) yield value;
    }
  }

  /** Where the last line ends or, if none does, the last token; 0 if that lies before this part. */
  private endOfTokens(part: string): number {
    let token = 0;
    let line = 0;
    for (let at = 0; at < part.length; at++) {
      const unit = part.charCodeAt(at);
      if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (unit === BACKSLASH) this.isEscaped = true;
        else if (unit === QUOTE) {
          this.isInText = false;
          token = at + 1;
        }
      } else if (unit === QUOTE) this.isInText = true;
      else if (
        unit <= 0x20 ||
        unit === 0x2c ||
        unit === 0x3a ||
        (unit & 0xdf) === 0x5d ||
        (unit & 0xdf) === 0x5b
      ) {
        token = at + 1;
        if (unit === LINE_END) line = token;
      }
    }
    return line > 0 ? line : token;
  }
}
