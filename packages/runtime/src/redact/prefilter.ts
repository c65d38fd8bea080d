import type { Form } from "./forms.ts";

/**
 * What may be decoded text that has one of the forms in it, itself or encoded further: a look at bytes that tells most hashes and ids from texts.
 *
 * No decoding makes a text longer, so where a form is there are at least as many bytes. What is encoded is ASCII. So if the forms are, too, nothing
 * else is between its bytes but characters that say where a line may be broken, and what one byte of them may be by itself.
 */
export interface Prefilter {
  /** Bytes that a form has, in whatever encoding. */
  readonly least: number;
  /** By byte: whether it may be part of one. */
  readonly mayBe: Uint8Array;
  /** @param binary one byte a unit */
  passes(binary: string): boolean;
}

/** Breaks and blanks beyond ASCII: U+0085, U+00A0, U+00AD, U+1680, U+2000 to U+200D, U+2028, U+2029, U+202F, U+205F, U+2060, U+3000, U+FEFF. */
const blankBytes = new TextEncoder().encode(
  "\u0085\u00a0\u00ad\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff",
);

export function prefilterOf(forms: readonly Form[]): Prefilter {
  const least = Math.min(...forms.map(({ text }) => text.length));
  const isAscii = forms.every(({ text }) => /^[\0-\x7f]*$/.test(text));
  const mayBe = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) mayBe[byte] = !isControl(byte) && (byte < 0x80 || !isAscii) ? 1 : 0;
  for (const byte of blankBytes) mayBe[byte] = 1;
  return {
    least,
    mayBe,
    passes(binary) {
      let bytes = 0;
      for (let at = 0; at < binary.length; at++) {
        bytes = mayBe[binary.charCodeAt(at)] === 1 ? bytes + 1 : 0;
        if (bytes >= least) return true;
      }
      return false;
    },
  };
}

/** Bytes that no text has. */
export function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}
