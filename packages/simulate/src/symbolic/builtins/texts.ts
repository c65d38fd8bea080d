import type { Navigator } from "../navigate.ts";
import { shortened } from "../operators.ts";
import { made, type Value } from "../value.ts";
import { type Builtins, type Call, itemOf } from "./call.ts";

export const texts: Builtins = {
  "tostring/0": ({ input }) => made("text", input),
  "tojson/0": ({ input }) => made("text", input),
  "fromjson/0": fromjson,
  "capture/1": capture,
  "join/1": join,
  "strptime/1": strptime,
};

function fromjson({ input, navigator }: Call): Value {
  return navigator.parsed(input);
}

function capture({ parameters: [argument], input, walk, navigator }: Call): Value {
  const pattern = walk(argument!);
  navigator.use(input, "text");
  if (pattern.kind === "literal" && typeof pattern.value === "string")
    navigator.pattern(input, pattern.value);
  return made("other", input, pattern);
}

function join(call: Call): Value {
  call.navigator.use(itemOf(call), "scalar");
  call.walk(call.parameters[0]!);
  return made("text", call.input);
}

function strptime({ parameters: [argument], input, walk, navigator }: Call): Value {
  const format = walk(argument!);
  const whole = shortened(input);
  navigator.use(whole ?? input, whole === undefined ? "text" : "time");
  if (whole === undefined && format.kind === "literal" && typeof format.value === "string")
    navigator.format(input, format.value);
  if (whole === undefined && format.kind === "literal" && typeof format.value === "string")
    partFormats(input, format.value, navigator);
  return made("time", input);
}

/** `"\\(.day) \\(.time)" | strptime("%Y-%m-%d %H:%M")`: each text is read by the part of the format that stands between the same characters. */
function partFormats(input: Value, format: string, navigator: Navigator): void {
  const parts = input.kind === "made" && input.by === "text" ? input.of.flatMap(textParts) : [];
  let rest = format;
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (part.kind === "literal") {
      rest = rest.startsWith(String(part.value)) ? rest.slice(String(part.value).length) : "";
      continue;
    }
    const end =
      next === undefined ? rest.length : next.kind === "literal" ? rest.indexOf(String(next.value)) : -1;
    if (end <= 0) return;
    navigator.format(part, rest.slice(0, end));
    rest = rest.slice(end);
  }
}

function textParts(value: Value): readonly Value[] {
  return value.kind === "made" && value.by === "text" ? value.of.flatMap(textParts) : [value];
}
