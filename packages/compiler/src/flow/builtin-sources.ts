import { builtin, type Call, constantOf } from "@configc/jq";
import type { Trace, ValuePath } from "./value-path.ts";

/** How values go through jq's builtin functions, as far as that can be told without evaluating anything. */

/** What an argument works on: the call's own input, each of its items or entries, or what the first argument gives. */
type Taken = "input" | "items" | "entries" | "outputs";

/** By the positions of the arguments. Those by value, such as `$count`, always work on the call's own input. */
const taken = new Map<string, readonly (Taken | undefined)[]>([
  ...["select/1", "first/1", "last/1", "del/1", "path/1", "pick/1", "isempty/1", "add/1", "IN/1"].map(
    (name) => [name, ["input"]] as const,
  ),
  ...["map/1", "map_values/1", "any/1", "all/1", "INDEX/1"].map((name) => [name, ["items"]] as const),
  ...["sort_by/1", "group_by/1", "unique_by/1", "min_by/1", "max_by/1"].map(
    (name) => [name, ["items"]] as const,
  ),
  ["with_entries/1", ["entries"]],
  ["limit/2", [undefined, "input"]],
  ["skip/2", [undefined, "input"]],
  ["nth/2", [undefined, "input"]],
  ["IN/2", ["input", "input"]],
  ["any/2", ["input", "outputs"]],
  ["all/2", ["input", "outputs"]],
  ["INDEX/2", ["input", "outputs"]],
]);

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
  const isValue = builtin(name.text, length)?.parameters[index]?.startsWith("$");
  switch (isValue ? "input" : taken.get(`${name.text}/${length}`)?.[index]) {
    case "input":
      return input;
    case "items":
      return (path) => input(["[]", ...path]);
    case "entries":
      return ([member, ...path]) => (member === "value" ? input(["[]", ...path]) : []);
    case "outputs":
      return outputs;
    default:
      return undefined;
  }
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
