import type { Json } from "../../json.ts";
import { fail } from "../error.ts";
import { doubleOf } from "../exact-number.ts";
import { countSteps } from "../meter.ts";
import { absolute } from "../operators.ts";
import { described } from "../values.ts";
import type { ValueFunction } from "./contract.ts";
import { fusedMultiplyAdd, nearestRemainder, nextAfter, scaleBinary } from "./exact-arithmetic.ts";
import {
  besselJ,
  besselY,
  complementaryErrorFunction,
  errorFunction,
  gamma,
  logGamma,
} from "./special-functions.ts";

/** Computed with integers of hundreds of bits, for the last digit. */
const STEPS_OF_SERIES = 2000;

function slow(compute: (x: number) => Json): (x: number) => Json {
  return (x) => {
    countSteps(STEPS_OF_SERIES);
    return compute(x);
  };
}

const ofOne: Readonly<Record<string, (x: number) => Json>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round: (x) => (x < 0 ? -roundHalfUp(-x) : roundHalfUp(x)),
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
  exp10: powerOfTen,
  expm1: Math.expm1,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  cbrt: Math.cbrt,
  gamma: slow((x) => logGamma(x)[0]),
  lgamma: slow((x) => logGamma(x)[0]),
  lgamma_r: slow((x) => [...logGamma(x)]),
  tgamma: slow(gamma),
  erf: slow(errorFunction),
  erfc: slow(complementaryErrorFunction),
  j0: slow((x) => besselJ(0, x)),
  j1: slow((x) => besselJ(1, x)),
  y0: slow((x) => besselY(0, x)),
  y1: slow((x) => besselY(1, x)),
  significand: (x) => (x === 0 || !Number.isFinite(x) ? x : split(x)[0] * 2),
  logb: (x) => (x === 0 ? Number.NEGATIVE_INFINITY : Number.isFinite(x) ? split(x)[1] - 1 : Math.abs(x)),
  // The exponent of what has none is left open by C; this is what the reference gives.
  frexp: (x) => (Number.isFinite(x) ? [...split(x)] : [x, 1]),
  modf: (x) => (Math.abs(x) === Number.POSITIVE_INFINITY ? [0, x] : [x - Math.trunc(x), Math.trunc(x)]),
};

const ofTwo: Readonly<Record<string, (x: number, y: number) => Json>> = {
  pow: power,
  atan2: Math.atan2,
  fmod: (x, y) => x % y,
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fdim: (x, y) => (x > y ? x - y : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0),
  hypot: (x, y) => Math.hypot(x, y),
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  drem: nearestRemainder,
  remainder: nearestRemainder,
  nextafter: nextAfter,
  nexttoward: nextAfter,
  // These take a C integer; nan and what is too large have no meaning there, 0 is the harmless choice.
  ldexp: (x, exponent) => scaleBinary(x, Number.isNaN(exponent) ? 0 : exponent),
  scalbln: (x, exponent) => scaleBinary(x, Number.isNaN(exponent) ? 0 : exponent),
  scalb: scaleByFloat,
};

const ofThree: Readonly<Record<string, (x: number, y: number, z: number) => Json>> = {
  fma: fusedMultiplyAdd,
};

export const mathFunctions: Readonly<Record<string, ValueFunction>> = {
  ...Object.fromEntries(
    Object.entries(ofOne).map(([name, compute]): [string, ValueFunction] => [
      `${name}/0`,
      (input, _args, _machine, span) => compute(required(input, span)),
    ]),
  ),
  ...ofArguments(2, ofTwo),
  ...ofArguments(3, ofThree),
  "jn/2": ofOrder("jn", besselJ),
  "yn/2": ofOrder("yn", besselY),
  "infinite/0": () => Number.POSITIVE_INFINITY,
  "nan/0": () => Number.NaN,
  "isnan/0": (input) => Number.isNaN(input),
  "isinfinite/0": (input) => Math.abs(doubleOf(input) ?? 0) === Number.POSITIVE_INFINITY,
  "isnormal/0": (input) => {
    const size = Math.abs(doubleOf(input) ?? 0);
    return size >= 2 ** -1022 && size !== Number.POSITIVE_INFINITY;
  },
  "abs/0": (input, _args, _machine, span) => absolute(input, span),
};

/** Functions of their arguments, which must all be numbers; the first that isn't is the one named. */
function ofArguments(
  count: number,
  functions: Readonly<Record<string, (x: number, y: number, z: number) => Json>>,
): Readonly<Record<string, ValueFunction>> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, compute]): [string, ValueFunction] => [
      `${name}/${count}`,
      (_input, args, _machine, span) => {
        const [x, y, z] = args.map((value) => required(value, span)) as [number, number, number];
        return compute(x, y, z);
      },
    ]),
  );
}

function required(value: Json, span: Parameters<ValueFunction>[3]): number {
  if (typeof value === "number") return value;
  return doubleOf(value) ?? fail(`${described(value)} number required`, span);
}

/** The recurrence over the orders can't be interrupted, so it is kept short. */
const LARGEST_ORDER = 10_000;

function ofOrder(name: string, compute: (order: number, x: number) => number): ValueFunction {
  return (_input, [order, argument], _machine, span) => {
    const [n, x] = [required(order!, span), required(argument!, span)];
    countSteps(STEPS_OF_SERIES);
    if (Math.abs(n) <= LARGEST_ORDER || Number.isNaN(n)) return compute(n, x);
    return fail(
      `${described(order!)} is too large an order for ${name}, which goes up to ${LARGEST_ORDER}`,
      span,
    );
  };
}

/** Halves go up. A fraction just below one half doesn't, as it would if one half were added to it. */
function roundHalfUp(x: number): number {
  const floor = Math.floor(x);
  return x - floor >= 0.5 ? floor + 1 : floor;
}

function halfEven(x: number): number {
  const floor = Math.floor(x);
  const distance = x - floor;
  const isUp = distance > 0.5 || (distance === 0.5 && floor % 2 !== 0);
  const result = isUp ? floor + 1 : floor;
  return result === 0 && x < 0 ? -0 : result;
}

function power(x: number, y: number): number {
  // In C, 1 to any power and -1 to an infinite one are 1, even where JavaScript says nan.
  if (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1;
  if (x === 10) return powerOfTen(y);
  // V8 is exact for powers that are integers, and not for what is one divided by them.
  const inverse = y < 0 ? x ** -y : Number.NaN;
  return Number.isSafeInteger(inverse) ? 1 / inverse : x ** y;
}

function powerOfTen(x: number): number {
  // Literals are the nearest doubles; the power of a base that isn't a power of two may be off.
  return Number.isInteger(x) && Math.abs(x) < 400 ? Number(`1e${x}`) : 10 ** x;
}

/** Mantissa in [0.5, 1) and exponent. */
function split(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  let exponent = Math.floor(Math.log2(Math.abs(x))) + 1;
  let mantissa = scaleBinary(x, -exponent);
  // The logarithm may be off by one beside a power of two.
  if (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent--;
  } else if (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent++;
  }
  return [mantissa, exponent];
}

/** `scalb`, whose exponent is a double: only whole or infinite ones have a meaning. */
function scaleByFloat(x: number, exponent: number): number {
  if (exponent === Number.POSITIVE_INFINITY) return x * exponent;
  if (exponent === Number.NEGATIVE_INFINITY) return x / Number.POSITIVE_INFINITY;
  return Number.isInteger(exponent) ? scaleBinary(x, exponent) : Number.NaN;
}
