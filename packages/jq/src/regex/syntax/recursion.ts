import { canBeEmpty } from "./emptiness.ts";
import type { Node } from "./tree.ts";

/** How a part of a pattern comes back to a group: in every match (`always`), or before any text was taken (`atOnce`). */
interface Return {
  readonly always: boolean;
  readonly atOnce: boolean;
}

const never: Return = { always: false, atOnce: false };

/**
 * Whether matching a group would call it again without end.
 *
 * @param groups bodies by number; the first is the whole pattern
 */
export function neverEnds(group: number, groups: readonly Node[]): boolean {
  const known = new Map<string, Return>();

  const visit = (node: Node, atStart: boolean): Return => {
    switch (node.kind) {
      case "sequence": {
        let sum = never;
        let start = atStart;
        for (const item of node.items) {
          const each = visit(item, start);
          sum = { always: sum.always || each.always, atOnce: sum.atOnce || each.atOnce };
          start &&= canBeEmpty(item) && item.kind !== "call";
        }
        return sum;
      }
      case "alternatives": {
        const each = node.items.map((item) => visit(item, atStart));
        return { always: each.every(({ always }) => always), atOnce: each.some(({ atOnce }) => atOnce) };
      }
      case "repeat": {
        if (node.max === 0) return never;
        const body = visit(node.body, atStart);
        return { always: body.always && node.min > 0, atOnce: body.atOnce };
      }
      case "group":
      case "look":
      case "atomic":
        return visit(node.body, atStart);
      case "call":
        return called(node.group, atStart);
      default:
        return never;
    }
  };

  const called = (number: number, atStart: boolean): Return => {
    if (number === group) return { always: true, atOnce: atStart };
    const key = `${number} ${atStart}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    // Inside itself it says nothing new.
    known.set(key, never);
    const found = visit(groups[number]!, atStart);
    known.set(key, found);
    return found;
  };

  const { always, atOnce } = visit(groups[group]!, true);
  return always || atOnce;
}
