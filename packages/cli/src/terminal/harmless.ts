import { randomBytes } from "node:crypto";
import { harmless } from "@configc/runtime/internal";

/** What stands in our own colours, and in nobody else's: a service may send any other sequence to a terminal that shows colours. */
const own = randomBytes(8).toString("hex");
const markedColour = new RegExp(`\\u001b${own}(\\[[\\d;]*m)`, "g");

/** Tells the colours in a text for our own. Whatever else is in it has to be harmless. */
export function asOwn(text: string): string {
  return text.replace(/\u001b(?=\[[\d;]*m)/g, `\u001b${own}`);
}

/** Text as it may leave the process: what would act is shown as an escape, our own colours excepted. */
export function shown(text: string): string {
  let safe = "";
  let from = 0;
  for (const { index, 0: whole, 1: colour } of text.matchAll(markedColour)) {
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
