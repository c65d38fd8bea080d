import { mapParts } from "../operations.ts";
import { array, boolean, number } from "../type.ts";
import { type BuiltinRule, gives, type Kind, maps, type RuleTable } from "./rule.ts";

const numeric: readonly Kind[] = ["number"];

/** Functions of the input, a number, that give a number. */
const ofInput = [
  ...["floor", "ceil", "round", "trunc", "rint", "nearbyint", "sqrt", "cbrt", "fabs", "significand", "logb"],
  ...["exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p"],
  ...["gamma", "lgamma", "tgamma", "erf", "erfc", "j0", "j1", "y0", "y1"],
  ...["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"],
];
/** Functions of two arguments, numbers, that give a number. */
const ofTwo = [
  ...["pow", "atan2", "fmod", "fmin", "fmax", "fdim", "hypot", "copysign", "drem", "remainder"],
  ...["ldexp", "scalb", "scalbln", "nextafter", "nexttoward", "jn", "yn"],
];

function all(names: readonly string[], arity: number, rule: BuiltinRule): RuleTable {
  return Object.fromEntries(names.map((name) => [`${name}/${arity}`, rule]));
}

/** Numbers. */
export const mathRules: RuleTable = {
  ...all(ofInput, 0, gives(number, numeric)),
  ...all(ofTwo, 2, gives(number, undefined, numeric, numeric)),
  "fma/3": gives(number, undefined, numeric, numeric, numeric),
  ...all(["frexp", "modf", "lgamma_r"], 0, gives(array(number), numeric)),
  ...all(["infinite", "nan"], 0, gives(number)),
  ...all(["isinfinite", "isnan", "isfinite", "isnormal"], 0, gives(boolean)),
  "abs/0": maps(["number", "string", "array", "object"], (input) =>
    mapParts(input, (part) => (part.kind === "number" ? number : part)),
  ),
};
