import type { Expansion } from "../../bind/bound-nodes.ts";
import type { Asking } from "./polling-program.ts";
import { isKind, resolved, type Value } from "./value.ts";

/** A value in a request, without members of its own, by the names above it: `filter`, `last_edited_time`, `on_or_after`. */
export interface Leaf {
  readonly names: readonly string[];
  readonly value: Value;
  /** The value as it was sent: what isn't known of a part may still be the same as elsewhere. */
  readonly given: Value;
  readonly expansion: Expansion;
}

/** The values that an iteration sends, also those in objects that earlier steps make. Several rules ask: without what is known, a check takes 5 % longer. */
export function leavesOf({ sent }: Pick<Asking, "sent">): readonly Leaf[] {
  const known = allLeaves.get(sent) ?? leavesIn(sent);
  allLeaves.set(sent, known);
  return known;
}

const allLeaves = new WeakMap<Asking["sent"], readonly Leaf[]>();

function leavesIn(sent: Asking["sent"]): readonly Leaf[] {
  const leaves: Leaf[] = [];
  for (const { expansion, names, value } of sent) addBelow(value, names, expansion, leaves);
  return leaves;
}

function addBelow(given: Value, names: readonly string[], expansion: Expansion, leaves: Leaf[]): void {
  if (isKind(given, "record"))
    for (const [name, member] of given.members) addBelow(member, [...names, name], expansion, leaves);
  else if (isKind(given, "list")) for (const item of given.items) addBelow(item, names, expansion, leaves);
  else leaves.push({ names, value: resolved(given), given, expansion });
}
