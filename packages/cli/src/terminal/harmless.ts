/** Characters that would do something to a terminal, a log or the reading order, instead of being seen. */
const active =
  /(\u001b\[[\d;]*m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/**
 * Text as it may leave the process: what would act is shown as an escape, `\u001b`, which in JSON says the same. Line breaks and tabs stay.
 *
 * @param colour whether colours may be in it
 */
export function harmless(text: string, colour: boolean): string {
  return text.replace(active, (all, isColour?: string) =>
    isColour === undefined ? escaped(all) : colour ? all : escaped(all[0]!) + all.slice(1),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Lines that a runner of GitHub would take for commands; only the format `github` means them. */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*)(?:(:)(?=:)|(#)(?=#\[))/gm, (_, indent: string, colon?: string) =>
    colon === undefined ? `${indent}\\u0023` : `${indent}\\u003a`,
  );
}
