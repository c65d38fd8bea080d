import { made, type Value } from "../value.ts";
import { type Builtins, type Call, itemOf } from "./call.ts";

export const lists: Builtins = {
  "map/1": (call) => ({ kind: "list", item: walkItem(call) }),
  "first/0": (call) => end("first", call),
  "last/0": (call) => end("last", call),
  "min/0": itemOf,
  "max/0": itemOf,
  "add/0": itemOf,
  "nth/1": nth,
  "min_by/1": extremeBy,
  "max_by/1": extremeBy,
  "any/1": (call) => made("boolean", walkItem(call)),
  "all/1": (call) => made("boolean", walkItem(call)),
  "any/2": anyOf,
  "all/2": anyOf,
  "sort_by/1": reordered,
  "unique_by/1": reordered,
  "group_by/1": (call) => ({ kind: "list", item: reordered(call) }),
  "sort/0": readWhole,
  "unique/0": readWhole,
  "reverse/0": readWhole,
  "transpose/0": transpose,
  "flatten/0": (call) => ({ kind: "list", item: itemOf(call) }),
  "flatten/1": (call) => ({ kind: "list", item: itemOf(call) }),
  "to_array/0": ({ input }) => input,
};

/** Walks the argument with an item of the input. */
function walkItem(call: Call): Value {
  const item = itemOf(call);
  return call.walk(call.parameters[0]!, item);
}

function end(which: "first" | "last", call: Call): Value {
  call.navigator.use(call.input, which);
  return itemOf(call);
}

function nth(call: Call): Value {
  call.walk(call.parameters[0]!);
  return itemOf(call);
}

function extremeBy(call: Call): Value {
  const item = itemOf(call);
  call.walk(call.parameters[0]!, item);
  return item;
}

function anyOf({ parameters: [source, test], walk }: Call): Value {
  return made("boolean", walk(test!, walk(source!)));
}

function reordered(call: Call): Value {
  walkItem(call);
  return call.input;
}

function readWhole(call: Call): Value {
  itemOf(call);
  return call.input;
}

function transpose(call: Call): Value {
  return { kind: "list", item: { kind: "list", item: call.navigator.item(itemOf(call)) } };
}
