import { createScanner } from "jsonc-parser";
import { ForeignText } from "./foreign-text.ts";

// jsonc-parser declares its token kinds as ambient const enums, which isolated modules can't read.
export const Token = {
  OpenBrace: 1,
  CloseBrace: 2,
  OpenBracket: 3,
  CloseBracket: 4,
  Comma: 5,
  Colon: 6,
  Null: 7,
  True: 8,
  False: 9,
  String: 10,
  Number: 11,
  LineComment: 12,
  BlockComment: 13,
  LineBreak: 14,
  Trivia: 15,
  Unknown: 16,
  End: 17,
} as const;
export const ScanError = { None: 0, UnexpectedEndOfComment: 1, UnexpectedEndOfString: 2 } as const;

/** A string without escapes and control characters, up to and with its closing quote. */
const PLAIN_STRING = /[^"\\\u0000-\u001f]*"/y;
const PLAIN_NUMBER = /-?(?:0|[1-9]\d*)(?![\d.eE])/y;

/** Token of each punctuation character, by its code; 0 for others. */
const punctuation = new Uint8Array(128);
for (const [character, token] of [
  ["{", Token.OpenBrace],
  ["}", Token.CloseBrace],
  ["[", Token.OpenBracket],
  ["]", Token.CloseBracket],
  [",", Token.Comma],
  [":", Token.Colon],
] as const) {
  punctuation[character.charCodeAt(0)] = token;
}

/**
 * jsonc-parser's scanner with a short cut for the tokens that nearly all of a document consists of: punctuation, plain strings
 * and whole numbers. It halves the time of parsing (`docs/dependencies.md`); whatever is unusual goes to the library.
 */
export class Scanner {
  offset = 0;
  end = 0;
  value = "";
  error: number = ScanError.None;
  /** Quotes that a string has in the source: fewer where one is missing. */
  quotes = 2;
  /** What was passed over although it isn't JSON. */
  readonly foreign: ForeignText;
  private readonly library;
  protected readonly text: string;

  /** @param comments whether comments are given as tokens; else they are passed over */
  constructor(text: string, start: number, comments: boolean) {
    this.text = text;
    this.library = createScanner(text, !comments);
    this.foreign = new ForeignText(text);
    this.end = start;
  }

  /** Reads the next token; sets `offset`, `end`, and of a string its decoded `value`. Blanks are passed over. */
  scan(): number {
    const { text } = this;
    let at = this.end;
    let code = text.charCodeAt(at);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++at);
    const token = code < 128 ? punctuation[code]! : 0;
    if (token !== 0) {
      this.offset = at;
      this.end = at + 1;
      this.error = ScanError.None;
      return token;
    }
    if (code === 34) {
      PLAIN_STRING.lastIndex = at + 1;
      if (PLAIN_STRING.test(text)) {
        this.offset = at;
        this.end = PLAIN_STRING.lastIndex;
        this.value = text.slice(at + 1, this.end - 1);
        this.error = ScanError.None;
        return Token.String;
      }
    } else if ((code >= 48 && code <= 57) || code === 45) {
      PLAIN_NUMBER.lastIndex = at;
      if (PLAIN_NUMBER.test(text)) {
        this.offset = at;
        this.end = PLAIN_NUMBER.lastIndex;
        this.error = ScanError.None;
        return Token.Number;
      }
    }
    return this.unusual(at);
  }

  private unusual(start: number): number {
    const { library } = this;
    for (let at = start; ; ) {
      library.setPosition(at);
      let token = library.scan() as number;
      while (token === Token.LineBreak || token === Token.Trivia) token = library.scan() as number;
      this.offset = library.getTokenOffset();
      this.end = this.offset + library.getTokenLength();
      this.value = library.getTokenValue();
      this.error = library.getTokenError();
      const behind = token === Token.Unknown ? this.foreign.pass(this.offset) : undefined;
      if (behind === undefined) return token;
      at = behind;
    }
  }
}
