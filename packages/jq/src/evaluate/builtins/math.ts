import type { Json } from "../../json.ts";
import { fail } from "../error.ts";
import { negate } from "../operators.ts";
import { compare, described } from "../values.ts";
import type { ValueFunction } from "./contract.ts";

const ofOne: Readonly<Record<string, (x: number) => Json>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round: (x) => (x < 0 ? -Math.round(-x) : Math.round(x)),
  rint: halfEven,
  nearbyint: halfEven,
  sqrt: Math.sqrt,
  fabs: Math.abs,
  exp2: (x) => 2 ** x,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  exp: Math.exp,
  exp10: (x) => 10 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  cbrt: Math.cbrt,
  significand: (x) => (x === 0 || !Number.isFinite(x) ? x : split(x)[0] * 2),
  logb: (x) => (x === 0 ? Number.NEGATIVE_INFINITY : Number.isFinite(x) ? split(x)[1] - 1 : Math.abs(x)),
  frexp: (x) => [...split(x)],
  modf: (x) => (Number.isFinite(x) ? [x - Math.trunc(x), Math.trunc(x)] : [0, x]),
  isnan: Number.isNaN,
  isinfinite: (x) => Math.abs(x) === Number.POSITIVE_INFINITY,
  isnormal: (x) => Number.isFinite(x) && Math.abs(x) >= 2 ** -1022,
};

const ofTwo: Readonly<Record<string, (x: number, y: number) => Json>> = {
  pow: (x, y) => (x === 1 ? 1 : x ** y),
  atan2: Math.atan2,
  fmod: (x, y) => x % y,
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fdim: (x, y) => (x > y ? x - y : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0),
  hypot: Math.hypot,
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  ldexp: scale,
  scalb: scale,
  scalbln: scale,
};

export const mathFunctions: Readonly<Record<string, ValueFunction>> = {
  ...Object.fromEntries(
    Object.entries(ofOne).map(([name, compute]): [string, ValueFunction] => [
      `${name}/0`,
      (input, _args, _machine, span) =>
        typeof input === "number" ? compute(input) : fail(`${described(input)} number required`, span),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ofTwo).map(([name, compute]): [string, ValueFunction] => [
      `${name}/2`,
      (_input, [x, y], _machine, span) => {
        if (typeof x !== "number") return fail(`${described(x!)} number required`, span);
        return typeof y === "number" ? compute(x, y) : fail(`${described(y!)} number required`, span);
      },
    ]),
  ),
  "infinite/0": () => Number.POSITIVE_INFINITY,
  "nan/0": () => Number.NaN,
  // Everything below 0 in jq's order is negated; only numbers can be.
  "abs/0": (input, _args, _machine, span) => (compare(input, 0) < 0 ? negate(input, span) : input),
};

function halfEven(x: number): number {
  const floor = Math.floor(x);
  const distance = x - floor;
  if (distance < 0.5) return floor;
  if (distance > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Mantissa in [0.5, 1) and exponent. */
function split(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1);
  let mantissa = x * 2 ** -exponent;
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent--;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent++;
  }
  return [mantissa, exponent];
}

function scale(x: number, exponent: number): number {
  const whole = Math.trunc(exponent);
  // In two steps, so that neither overflows before the product is known.
  const half = Math.trunc(whole / 2);
  return x * 2 ** half * 2 ** (whole - half);
}
