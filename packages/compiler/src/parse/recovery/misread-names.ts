import type { ParserState } from "../parser-state.ts";
import { StringNode } from "../syntax-tree.ts";

/** Names that were taken for values, as the colon behind them shows: a value or a closing bracket is missing before them. */

/** `"a":` and `"b": 1` on the next line: what was taken for the value of `a` is the next name, and `a` has none. */
export function nextMember(state: ParserState): boolean {
  const { container } = state;
  if (container?.kind !== "object" || state.expect !== "comma-or-end") return false;
  const last = container.members[container.members.length - 1];
  const key = last?.value;
  if (last === undefined || key?.kind !== "string" || key.end !== state.lastEnd) return false;
  if (!state.text.slice(last.key.end, key.start).includes("\n")) return false;
  last.value = undefined;
  state.report("missing-value", { start: last.key.start, end: last.key.end }, last.name);
  state.name(copyOf(key), key.start, key.end);
  state.expect = "value";
  return true;
}

/** `["a", "name": …`: a name in an array belongs to the object around it, so the array was left open. */
export function memberOfOuter(state: ParserState): boolean {
  const { container } = state;
  if (state.layout === undefined || container?.kind !== "array" || container.parent?.kind !== "member")
    return false;
  const key = container.items[container.items.length - 1];
  if (state.expect !== "comma-or-end" || key?.kind !== "string" || key.end !== state.lastEnd) return false;
  container.items.pop();
  state.unclosed(container);
  state.pop(container.items[container.items.length - 1]?.end ?? container.start + 1);
  state.name(copyOf(key), key.start, key.end);
  state.expect = "value";
  return true;
}

/** The string again, at another place in the tree. */
function copyOf({ start, end, value, escaped, valid }: StringNode): StringNode {
  return new StringNode(start, end, value, escaped, valid, undefined);
}
