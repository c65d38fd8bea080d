import { isMap, pointerToken } from "@configc/jq/internal";
import { capture, type Tracer } from "@configc/runtime";
import type { Match, RunFindResult } from "./protocol.ts";

/** Values that are looked at before others get their turn, and the search may be cancelled. */
const PORTION = 100_000;

/** A list or an object that is being looked through. */
interface Opened {
  readonly items: readonly unknown[];
  readonly names: readonly string[] | undefined;
  next: number;
}

/**
 * Looks for a text in names and values, whatever its case. Secrets aren't found: what is shown has to have the text in it too.
 *
 * @param most matches that are listed
 * @returns undefined if it was cancelled
 */
export async function findText(
  whole: unknown,
  text: string,
  most: number,
  redact: Tracer["redact"],
  isCancelled: () => boolean,
): Promise<RunFindResult | undefined> {
  const wanted = text.toLowerCase();
  const has = (shown: string): boolean =>
    shown.toLowerCase().includes(wanted) && redact(shown).toLowerCase().includes(wanted);
  const matches: Match[] = [];
  let count = 0;
  const opened: Opened[] = [];
  const look = (value: unknown, name: string | undefined): void => {
    const isOpen = Array.isArray(value) || isMap(value);
    if ((name !== undefined && has(name)) || (!isOpen && value !== null && has(String(value)))) {
      count++;
      if (matches.length < most) {
        const { value: shown, cuts } = capture(value, redact);
        matches.push({
          pointer: pointerOf(opened, redact),
          value: shown,
          ...(cuts.length > 0 ? { cuts } : {}),
        });
      }
    }
    if (Array.isArray(value)) opened.push({ items: value, names: undefined, next: 0 });
    else if (isOpen)
      opened.push({ items: Object.values(value as object), names: Object.keys(value as object), next: 0 });
  };
  look(whole, undefined);
  for (let looked = 1; opened.length > 0; looked++) {
    const top = opened[opened.length - 1] as Opened;
    if (top.next === top.items.length) opened.pop();
    else {
      const at = top.next++;
      look(top.items[at], top.names?.[at]);
    }
    if (looked % PORTION === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isCancelled()) return undefined;
    }
  }
  return { matches, count };
}

/** Of the value that was looked at last in each. */
function pointerOf(opened: readonly Opened[], redact: Tracer["redact"]): string {
  return opened
    .map(({ names, next }) => {
      const name = names === undefined ? `${next - 1}` : redact(names[next - 1] ?? "");
      return `/${pointerToken(name)}`;
    })
    .join("");
}
