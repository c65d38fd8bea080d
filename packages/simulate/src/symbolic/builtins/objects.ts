import type { Expression } from "@configc/jq";
import { VALUES } from "../../service/json.ts";
import type { Navigator } from "../navigate.ts";
import { lookedUp } from "../operators.ts";
import { made, type Value } from "../value.ts";
import { type Builtins, type Call, itemOf, unchanged } from "./call.ts";

export const objects: Builtins = {
  "map_values/1": mapValues,
  "with_entries/1": withEntries,
  "to_entries/0": toEntries,
  "from_entries/0": fromEntries,
  "INDEX/1": (call) => indexed(itemOf(call), call.parameters[0]!, call),
  "INDEX/2": (call) => indexed(call.walk(call.parameters[0]!), call.parameters[1]!, call),
  "getpath/1": getpath,
  "has/1": has,
  "del/1": unchanged,
  "delpaths/1": unchanged,
  "pick/1": unchanged,
};

function mapValues({ parameters: [change], input, walk, navigator }: Call): Value {
  navigator.use(input, "keyed");
  walk(change!, navigator.item(input));
  return input;
}

function withEntries({ parameters: [change], input, walk, navigator }: Call): Value {
  navigator.use(input, "keyed");
  // Members are renamed or left out; which they are isn't known, and most stay.
  walk(change!, entryOf(input, navigator));
  return input;
}

function toEntries({ input, navigator }: Call): Value {
  navigator.use(input, "keyed");
  return { kind: "list", item: entryOf(input, navigator) };
}

/** The values of entries that the program writes itself, by keys that only show when it runs. */
function fromEntries({ input, navigator }: Call): Value {
  if (input.kind !== "list" || input.item.kind !== "object") return made("other", input);
  const { members } = input.item;
  const name = ["value", "v", "Value", "V"].find((each) => members.has(each));
  if (name === undefined) return made("other", input);
  // What was taken apart and is put together again has most of its members still.
  const value = members.get(name);
  if (value?.kind === "place" && value.path.at(-1) === VALUES)
    return { ...value, path: value.path.slice(0, -1) };
  const key = ["key", "k", "name", "Name", "Key", "K"].find((each) => members.has(each));
  if (key !== undefined) {
    lookedUp(members.get(key)!, navigator);
    // An entry without a key fails.
    navigator.use(members.get(key)!, "present");
  }
  const item = navigator.member(input.item, name);
  navigator.use(item, "indexed");
  return { kind: "list", item, isKeyed: true };
}

/** Items by what is read of each. */
function indexed(item: Value, key: Expression, { walk, navigator }: Call): Value {
  lookedUp(walk(key, item), navigator);
  navigator.use(item, "indexed");
  return { kind: "list", item, isKeyed: true };
}

/** A member of an object as `to_entries` gives it. */
function entryOf(input: Value, navigator: Navigator): Value {
  return {
    kind: "object",
    members: new Map([
      ["key", made("text", input)],
      ["value", input.kind === "place" ? navigator.member(input, VALUES) : made("other", input)],
    ]),
  };
}

function getpath({ parameters: [argument], input, walk, navigator }: Call): Value {
  const path = walk(argument!);
  if (path.kind !== "literal" || !Array.isArray(path.value)) return made("other", input);
  return path.value.reduce<Value>(
    (value, step) => (typeof step === "string" ? navigator.member(value, step) : navigator.item(value)),
    input,
  );
}

function has({ parameters: [argument], input, walk, navigator }: Call): Value {
  const key = walk(argument!);
  if (key.kind !== "literal" || typeof key.value !== "string") return made("boolean", input);
  const member = navigator.member(input, key.value);
  navigator.use(member, "presence");
  return made("boolean", member);
}
