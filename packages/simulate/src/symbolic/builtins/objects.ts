import { made, type Value } from "../value.ts";
import { type Builtins, type Call, unchanged } from "./call.ts";

export const objects: Builtins = {
  "map_values/1": mapValues,
  "with_entries/1": withEntries,
  "to_entries/0": toEntries,
  "from_entries/0": ({ input }) => made("other", input),
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
  walk(change!, entryOf(input));
  return input;
}

function toEntries({ input, navigator }: Call): Value {
  navigator.use(input, "keyed");
  return { kind: "list", item: entryOf(input) };
}

/** A member of an object as `to_entries` gives it. */
function entryOf(input: Value): Value {
  return {
    kind: "object",
    members: new Map([
      ["key", made("text", input)],
      ["value", made("other", input)],
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
