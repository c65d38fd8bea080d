import { builtin, type Call } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Trace, ValuePath } from "./value-path.ts";

/** How values go through jq's builtin functions, as far as that can be told without evaluating anything. */

/** Builtins whose arguments work on the call's own input, as all arguments by value do, `$count`. */
const onInput: ReadonlySet<string> = new Set([
  "select/1",
  "first/1",
  "last/1",
  "del/1",
  "path/1",
  "pick/1",
  "isempty/1",
  "add/1",
  "IN/1",
  "IN/2",
  "limit/2",
  "skip/2",
  "nth/2",
]);

/** Those whose argument works on each item. */
const onItems: ReadonlySet<string> = new Set([
  "map/1",
  "map_values/1",
  "any/1",
  "all/1",
  "sort_by/1",
  "group_by/1",
  "unique_by/1",
  "min_by/1",
  "max_by/1",
  "INDEX/1",
]);

/** Those whose second argument works on what the first one gives. */
const onOutputs: ReadonlySet<string> = new Set(["any/2", "all/2", "INDEX/2"]);

/**
 * Where the input of an argument comes from; undefined if that isn't known.
 *
 * @param outputs where those of the first argument come from
 */
export function argumentInput(
  { name, arguments: { length } }: Call,
  index: number,
  input: Trace,
  outputs: Trace,
): Trace | undefined {
  const signature = `${name.text}/${length}`;
  if (onInput.has(signature) || builtin(name.text, length)?.parameters[index]?.startsWith("$")) return input;
  if (onItems.has(signature)) return (path) => input(["[]", ...path]);
  if (onOutputs.has(signature)) return index === 0 ? input : outputs;
  if (signature !== "with_entries/1") return undefined;
  return ([member, ...path]) => (member === "value" ? input(["[]", ...path]) : []);
}

/** A part of the call's input, or of what an argument gives. */
export interface Given {
  readonly argument?: number;
  readonly path: ValuePath;
}

type Gives = (path: ValuePath, call: Call) => Given | undefined;

const whole: Gives = (path) => ({ path });
const item: Gives = (path) => ({ path: ["[]", ...path] });
const argument =
  (index: number): Gives =>
  (path) => ({ argument: index, path });

const given = new Map<string, Gives>([
  // Some of the input, or all of it in another order.
  ...["select/1", "del/1", "sort/0", "sort_by/1", "unique/0", "unique_by/1", "reverse/0"].map(
    (name) => [name, whole] as const,
  ),
  ...["values/0", "objects/0", "arrays/0", "iterables/0", "scalars/0", "strings/0", "numbers/0"].map(
    (name) => [name, whole] as const,
  ),
  ...["first/0", "last/0", "nth/1", "min/0", "max/0", "min_by/1", "max_by/1"].map(
    (name) => [name, item] as const,
  ),
  ["first/1", argument(0)],
  ["last/1", argument(0)],
  ["limit/2", argument(1)],
  ["skip/2", argument(1)],
  ["nth/2", argument(1)],
  ["map/1", ([first, ...path]) => (first === "[]" ? { argument: 0, path } : undefined)],
  ["map_values/1", ([first, ...path]) => (first === undefined ? undefined : { argument: 0, path })],
  // Lists are joined, and objects merged: a part of the sum is one of a summand.
  ["add/0", (path) => (path.length === 0 ? undefined : { path: ["[]", ...path] })],
  ["add/1", (path) => (path.length === 0 ? undefined : { argument: 0, path })],
  ["group_by/1", ([first, ...path]) => (first === "[]" && path[0] === "[]" ? { path } : undefined)],
  [
    "to_entries/0",
    ([first, second, ...path]) =>
      first === "[]" && second === "value" ? { path: ["[]", ...path] } : undefined,
  ],
  ["INDEX/1", ([first, ...path]) => (first === undefined ? undefined : { path: ["[]", ...path] })],
  ["INDEX/2", ([first, ...path]) => (first === undefined ? undefined : { argument: 0, path })],
  [
    "with_entries/1",
    (path, { arguments: [update] }) =>
      update?.kind === "Call" && update.name.text === "select" ? { path } : undefined,
  ],
  [
    "getpath/1",
    (path, { arguments: [wanted] }) => {
      const keys = wanted === undefined ? undefined : constantOf(wanted);
      if (!Array.isArray(keys)) return undefined;
      return { path: [...keys.map((key) => (typeof key === "string" ? key : "[]")), ...path] };
    },
  ],
]);

/** What a part of a builtin's output is a part of; undefined where the function makes it. */
export function outputGiven(call: Call, path: ValuePath): Given | undefined {
  return given.get(`${call.name.text}/${call.arguments.length}`)?.(path, call);
}
