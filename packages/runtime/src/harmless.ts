/** Characters that would do something to a terminal, a log or the reading order, instead of being seen. */
const active =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/**
 * Text as it may leave the process, wherever it is from: what would act is shown as an escape, `\u001b`, which in JSON says the same. Line breaks and
 * tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(active, escaped);
}

/** The same for an entry of a log that has one line: what comes from others makes no second one. */
export function harmlessLine(text: string): string {
  return harmless(text.replaceAll("\r\n", "\n")).replace(/[\n\t]/g, (sign) =>
    sign === "\t" ? "\\t" : "\\n",
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
