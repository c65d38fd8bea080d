import { base64 } from "./base64.ts";
import { blanks, breaks, pageEscapes, quotedBytes, scriptEscapes } from "./escapes.ts";
import { SHORTEST } from "./mask.ts";
import { replaced, without } from "./views.ts";

/** A text that is looked for. */
export interface Form {
  readonly text: string;
  /** Whether its letters may be capitals or not, and its blanks plus signs, as in forms. */
  readonly folded: boolean;
}

/** Longer texts aren't changed as a whole by chance. */
const LONG_DIGITS = 12;
/** Of longer ones it isn't looked for in capitals below base64. */
const LONGEST_CHANGED = 256;

const MOST_FORMS = 8;

/**
 * How a secret may stand in a text, once its escapes are undone; and in base64, which can't always be told from words.
 *
 * A secret that looks as if it had escapes itself is also looked for without them.
 */
export function formsOf(secret: string): Form[] {
  const plain = new Set([secret]);
  for (const text of plain)
    for (const view of [
      ...[scriptEscapes, pageEscapes, quotedBytes].map((scan) => replaced(text, scan)),
      ...[breaks, blanks].map((pattern) => without(text, pattern)),
    ])
      if (view !== undefined && plain.size < MOST_FORMS) plain.add(view.text);
  const forms = [...plain].map((text): Form => ({ text, folded: true }));
  // Among bytes that aren't text.
  forms.push({ text: hexOf(new TextEncoder().encode(secret)), folded: true });
  const changed = secret.length > LONGEST_CHANGED ? [] : [secret.toLowerCase(), secret.toUpperCase()];
  for (const text of new Set([secret, ...changed]))
    for (const digits of base64Forms(new TextEncoder().encode(text)))
      forms.push({ text: digits, folded: digits.length >= LONG_DIGITS });
  return forms.filter(({ text }) => text.length >= SHORTEST);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The characters that stand for the bytes at each of the three alignments, in both alphabets. */
function base64Forms(bytes: Uint8Array): Set<string> {
  const forms = new Set<string>();
  for (const offset of [0, 1, 2]) {
    const padded = new Uint8Array(offset + bytes.length);
    padded.set(bytes, offset);
    const text = base64(padded);
    // Characters that also depend on what stands before or behind are left out, unless the secret stands alone.
    const first = offset === 0 ? 0 : offset + 1;
    const rest = (offset + bytes.length) % 3;
    const inner = text.slice(first, rest === 0 ? text.length : text.length - (rest === 1 ? 3 : 2));
    for (const form of offset === 0 ? [text, text.replace(/=+$/, ""), inner] : [inner])
      if (form.length >= SHORTEST) forms.add(form).add(form.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}
