import type { Expression } from "@configc/jq";
import { assume } from "../assume.ts";
import { choice, literal, made, nothing, type Value } from "../value.ts";
import { type Builtins, type Call, unchanged, walkAll } from "./call.ts";

/** Constants, conditions, and what gives some of its outputs. */
export const control: Builtins = {
  "null/0": () => nothing,
  "true/0": () => literal(true),
  "false/0": () => literal(false),
  "now/0": () => ({ kind: "place", root: { kind: "clock" }, path: [] }),
  "not/0": not,
  "empty/0": () => choice([]),
  "error/0": () => choice([]),
  "error/1": ({ parameters: [message], walk }) => {
    walk(message!);
    return choice([]);
  },
  "select/1": select,
  "values/0": unchanged,
  "nulls/0": unchanged,
  "strings/0": unchanged,
  "numbers/0": unchanged,
  "booleans/0": unchanged,
  "arrays/0": unchanged,
  "objects/0": unchanged,
  "iterables/0": unchanged,
  "scalars/0": unchanged,
  "first/1": outputsOf,
  "last/1": outputsOf,
  "add/1": outputsOf,
  "recurse/1": outputsOf,
  "isempty/1": (call) => made("boolean", outputsOf(call)),
  "limit/2": someOutputs,
  "skip/2": someOutputs,
  "nth/2": someOutputs,
  "pow/2": reckoned,
  "range/1": reckoned,
  "range/2": reckoned,
  "range/3": reckoned,
};

function not({ input, navigator }: Call): Value {
  for (const use of ["condition", "negated"] as const) navigator.use(input, use);
  return made("boolean", input);
}

function select({ parameters: [test], input, walk, navigator }: Call): Value {
  navigator.use(walk(test!), "condition");
  // What is passed over is there now and then, and not as a rule.
  for (const part of conjunctsOf(test!)) if (isNullTest(part)) assume(part, true, walk, navigator, input);
  return input;
}

/** The parts of a condition that all have to hold. */
function conjunctsOf(node: Expression): readonly Expression[] {
  if (node.kind === "Group") return conjunctsOf(node.body);
  return node.kind === "Logical" && node.operator === "and" ? node.operands.flatMap(conjunctsOf) : [node];
}

/** `.closed_at == null` */
function isNullTest(node: Expression): boolean {
  return (
    node.kind === "Comparison" &&
    node.operator === "==" &&
    node.right.kind === "Call" &&
    node.right.name.text === "null"
  );
}

function outputsOf({ parameters: [source], walk }: Call): Value {
  return walk(source!);
}

function someOutputs({ parameters: [count, source], walk }: Call): Value {
  walk(count!);
  return walk(source!);
}

/** The arguments, which have to be numbers. */
function numbersIn({ navigator, ...call }: Call): Value[] {
  const values = walkAll({ navigator, ...call });
  for (const value of values) navigator.use(value, "number");
  return values;
}

function reckoned(call: Call): Value {
  return made("number", ...numbersIn(call));
}
