import { randomBytes } from "node:crypto";
import { harmless } from "@configc/runtime/internal";

/** The sign of our own colours, and how they are found by it. */
interface Mark {
  readonly sign: string;
  readonly colour: RegExp;
}

/** Made with the first colour: most output has none, and to load what draws it takes longer than to check a small config. */
let mark: Mark | undefined;

function marked(): Mark {
  if (mark === undefined) {
    const sign = randomBytes(8).toString("hex");
    mark = { sign, colour: new RegExp(`\\u001b${sign}(\\[[\\d;]*m)`, "g") };
  }
  return mark;
}

/** Tells the colours in a text for our own, and nobody else's: a service may send any other sequence. Whatever else is in it has to be harmless. */
export function asOwn(text: string): string {
  return text.replace(/\u001b(?=\[[\d;]*m)/g, () => `\u001b${marked().sign}`);
}

/** Text as it may leave the process: what would act is shown as an escape, our own colours excepted. */
export function shown(text: string): string {
  if (mark === undefined) return harmless(text);
  let safe = "";
  let from = 0;
  for (const { index, 0: whole, 1: colour } of text.matchAll(mark.colour)) {
    safe += `${harmless(text.slice(from, index))}\u001b${colour}`;
    from = index + whole.length;
  }
  return safe + harmless(text.slice(from));
}

/** Lines that a runner of GitHub would take for commands; only the format `github` means them. */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*)(?:(:)(?=:)|(#)(?=#\[))/gm, (_, indent: string, colon?: string) =>
    colon === undefined ? `${indent}\\u0023` : `${indent}\\u003a`,
  );
}
