import type { Value } from "./schema.ts";

/** What a value has to be, for messages and the reference: "a string", "a command or a list". */
export function describeValue(value: Value): string {
  switch (value.kind) {
    case "text":
      return "a string";
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "scalar":
      return "a string, number or boolean";
    case "section":
    case "variant":
    case "map":
      return "an object";
    case "list":
      return "a list";
    case "command":
      return value.orStatic === undefined ? "a command" : `a command or ${describeValue(value.orStatic)}`;
    case "either":
      return value.of.map(describeValue).join(" or ");
    case "data":
      return value.must === undefined ? "any value" : "an object";
  }
}
