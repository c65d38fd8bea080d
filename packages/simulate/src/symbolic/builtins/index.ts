import type { Expression } from "@configc/jq";
import type { Navigator } from "../navigate.ts";
import { completed, shortened } from "../operators.ts";
import { made, type Value } from "../value.ts";
import { type WalkArgument, walkAll } from "./call.ts";
import { control } from "./control.ts";
import { lists } from "./lists.ts";
import { objects } from "./objects.ts";
import { takes } from "./taken.ts";
import { texts } from "./texts.ts";

const builtins = new Map(Object.entries({ ...control, ...lists, ...objects, ...texts }));

/** What a builtin gives, where something is known of it. */
export function callBuiltin(
  name: string,
  parameters: readonly Expression[],
  input: Value,
  walk: WalkArgument,
  navigator: Navigator,
): Value {
  const call = { parameters, input, walk, navigator };
  const taken = takes.get(name);
  if (taken !== undefined) {
    const [use, by] = taken;
    const whole = use === "time" ? completed(input) : undefined;
    if (whole !== undefined) navigator.format(whole.place, whole.format);
    // A time is one too where something is cut off or added before it is read.
    if (use !== undefined) navigator.use(use === "time" ? (shortened(input) ?? input) : input, use);
    if (name === "tonumber") navigator.numbered(input);
    if (name !== "sub" && name !== "gsub") return made(by, input, ...walkAll(call));
    // What is put in is made of what was captured.
    const [pattern, put, ...flags] = parameters;
    return made(
      by,
      input,
      ...[pattern, ...flags].flatMap((each) => (each === undefined ? [] : [walk(each)])),
      ...(put === undefined ? [] : [walk(put, made("other", input))]),
    );
  }
  return builtins.get(`${name}/${parameters.length}`)?.(call) ?? made("other", input, ...walkAll(call));
}
