import { shortened } from "../operators.ts";
import { made, type Value } from "../value.ts";
import { type Builtins, type Call, itemOf } from "./call.ts";

export const texts: Builtins = {
  "tostring/0": ({ input }) => made("text", input),
  "tojson/0": ({ input }) => made("text", input),
  "fromjson/0": fromjson,
  "join/1": join,
  "strptime/1": strptime,
};

function fromjson({ input, navigator }: Call): Value {
  navigator.use(input, "parsed");
  return made("other", input);
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
  return made("time", input);
}
