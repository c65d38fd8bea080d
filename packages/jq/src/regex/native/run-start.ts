import type { PlainSet } from "../syntax/tree.ts";
import type { Plain } from "./plain-tree.ts";

/** How a pattern begins: with a run of a set's characters, any number from `min` on. */
export interface LeadingRun {
  readonly set: PlainSet;
  readonly min: number;
}

/**
 * Lets a pattern that begins with a run of characters begin only where the run does: what matches from within a run matches from
 * its start too, and that comes first. So `\d+-` isn't tried again from each digit of a number that no dash follows. It holds for
 * searches that don't begin within a run themselves.
 *
 * @returns undefined if no alternative of the pattern begins with a run
 */
export function fromRunStarts(pattern: Plain): { pattern: Plain; runs: readonly LeadingRun[] } | undefined {
  const runs: LeadingRun[] = [];
  const alternatives = pattern.kind === "alternatives" ? pattern.items : [pattern];
  const items = alternatives.map((item): Plain => {
    const run = leadingRun(item);
    if (run === undefined) return item;
    runs.push(run);
    const outside: Plain = { kind: "look", behind: true, negate: true, body: { kind: "set", set: run.set } };
    return { kind: "sequence", items: [outside, item] };
  });
  return runs.length === 0 ? undefined : { pattern: { kind: "alternatives", items }, runs };
}

function leadingRun(node: Plain): LeadingRun | undefined {
  switch (node.kind) {
    case "sequence":
      return node.items[0] && leadingRun(node.items[0]);
    case "group":
      return leadingRun(node.body);
    case "repeat": {
      const { min, max, body } = node;
      return max === Number.POSITIVE_INFINITY && body.kind === "set" ? { set: body.set, min } : undefined;
    }
    default:
      return undefined;
  }
}
