import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../src/index.ts";

/** To 13 digits; what isn't finite as text, so that zeros and their signs are told apart. */
const rounded = (program: string) =>
  evaluate(program, null).map((value) =>
    typeof value === "number" && Number.isFinite(value) && value !== 0
      ? Number(value.toPrecision(13))
      : JSON.stringify(value, (_key, part: unknown) => (typeof part === "number" ? numberName(part) : part)),
  );

function numberName(value: number): unknown {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? "-0" : String(value);
}

const infinity = '"Infinity"';
const minusInfinity = '"-Infinity"';
const nan = '"NaN"';

describe("special functions", () => {
  test.each<[string, unknown[]]>([
    [
      "(10, 2.5, 171, 0.5, -0.5, -1.5, 1e10) | lgamma",
      [
        12.80182748008, 0.2846828704729, 706.5730622458, 0.5723649429247, 1.265512123485, 0.8600470153765,
        220258509288.8,
      ],
    ],
    [
      "(0, -1, -2, infinite, -infinite, nan) | lgamma",
      [infinity, infinity, infinity, infinity, infinity, nan],
    ],
    ["(1, 2) | lgamma", ["0", "0"]],
    ["(-0.5, 0.5, -1.5) | lgamma_r | .[1]", [-1, 1, 1]],
    [
      "(10, 0.5, -0.5, 171, 1e-5) | tgamma",
      [362880, 1.772453850906, -3.544907701811, 7.257415615308e306, 99999.42279423],
    ],
    ["(0, 0 * -1, -1, 172, -180.5, nan) | tgamma", [infinity, minusInfinity, nan, infinity, "0", nan]],
    [
      "(0.1, 0.5, 1, 2, -1, 7) | erf",
      [0.1124629160183, 0.520499877813, 0.8427007929497, 0.995322265019, -0.8427007929497, 1],
    ],
    [
      "(0.1, 1, 6, -1, 10, -10, 40) | erfc",
      [0.8875370839817, 0.1572992070503, 2.15197367125e-17, 1.84270079295, 2.088487583763e-45, 2, "0"],
    ],
    [
      "(1, 2, 10, 100, -1) | j0",
      [0.765197686558, 0.2238907791412, -0.2459357644513, 0.01998585030422, 0.765197686558],
    ],
    [
      "(1, 2, 10, 100, -1) | j1",
      [0.4400505857449, 0.5767248077569, 0.04347274616886, -0.07714535201411, -0.4400505857449],
    ],
    ["(0.1, 1, 10, 100) | y0", [-1.53423865135, 0.08825696421568, 0.0556711672836, -0.07724431336508]],
    ["(0.1, 1, 10, 100) | y1", [-6.458951094702, -0.7812128213003, 0.249015424207, -0.02037231200276]],
    ["(0, -1) | y0", [minusInfinity, nan]],
    [
      "jn(2; 1.5), jn(-3; 2), jn(5; 100), yn(2; 1.5), yn(3; 0), jn(500; 1)",
      [0.2320876721442, -0.1289432494744, -0.07419573696451, -0.932193759763, minusInfinity, "0"],
    ],
  ])("%s", (program, expected) => {
    expect(rounded(program)).toEqual(expected);
  });

  test("gamma(x + 1) is x gamma(x); the error functions add up to 1", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 160, noNaN: true }), (x) => {
        const [ratio, sum] = evaluate("((. + 1) | tgamma) / (tgamma * .), erf + erfc", x) as [number, number];
        // x + 1 is rounded, and gamma grows faster than its argument.
        const tolerance = 2 ** -52 * (4 + (x + 1) * Math.log(x + 2));
        expect(Math.abs(ratio - 1)).toBeLessThan(tolerance);
        expect(Math.abs(sum - 1)).toBeLessThan(1e-15);
      }),
    );
  });
});

describe("parts of numbers", () => {
  test.each<[string, unknown]>([
    [
      "[0, 10, -0.3, 1e-320, 5e-324, infinite] | map(frexp)",
      [
        [0, 0],
        [0.625, 4],
        [-0.6, -1],
        [0.98828125, -1063],
        [0.5, -1073],
        [Number.POSITIVE_INFINITY, 1],
      ],
    ],
    [
      "[3.7, -3.5, 5] | map(modf | map(. * 10 | round))",
      [
        [7, 30],
        [-5, -30],
        [0, 50],
      ],
    ],
    ["[10, 1e-320, -0.3, 8] | map(logb)", [3, -1064, -2, 3]],
    ["[10, -0.3, 8, 0] | map(significand)", [1.25, -1.2, 1, 0]],
    [
      "[ldexp(1; 3), ldexp(3; -1075), ldexp(1; 2000), scalbln(1; -1074), scalb(1; 3), ldexp(1; 1.5)]",
      [8, 1e-323, Number.POSITIVE_INFINITY, 5e-324, 8, 2],
    ],
    ["[scalb(0; infinite), scalb(1; 1.5)] | map(isnan)", [true, true]],
    [
      "[drem(5; 3), drem(10; 4), drem(6; 4), drem(-5; 3), drem(5; infinite), remainder(1e300; 7)]",
      [-1, 2, -2, 1, 5, 1],
    ],
    ["[drem(5; 0), drem(infinite; 1)] | map(isnan)", [true, true]],
    [
      "[nextafter(1; 2), nextafter(0; 1), nextafter(0; -1), nextafter(-1; 0), nextafter(1; 1), nexttoward(1; 0)]",
      [1.0000000000000002, 5e-324, -5e-324, -0.9999999999999999, 1, 0.9999999999999999],
    ],
    [
      "[fma(2; 3; 4), fma(0.1; 10; -1), fma(1e308; 10; -infinite), fma(5e-324; 0.5; 5e-324)]",
      [10, 5.551115123125783e-17, Number.NEGATIVE_INFINITY, 1e-323],
    ],
    [
      "[0.5, 1.5, 2.5, -1.5, 0.49999999999999994] | map([rint, nearbyint, round, trunc])",
      [
        [0, 0, 1, 0],
        [2, 2, 2, 1],
        [2, 2, 3, 2],
        [-2, -2, -2, -1],
        [0, 0, 0, 0],
      ],
    ],
    ["[pow(1; nan), pow(-1; infinite), pow(nan; 0), pow(2; 0.5)]", [1, 1, 1, Math.SQRT2]],
    [
      "[hypot(3; 4), hypot(infinite; nan), fmin(1; nan), fmax(nan; 1), fdim(5; 3), fdim(3; 5), copysign(1; -2)]",
      [5, Number.POSITIVE_INFINITY, 1, 1, 2, 0, -1],
    ],
    ["[1, 22, -5, 400, -400] | map(exp10)", [10, 1e22, 1e-5, Number.POSITIVE_INFINITY, 0]],
    ["[pow(2, 3; 10, 20)]", [1024, 59049, 1048576, 3486784401]],
    [
      "[pow(10; -5, -2, -23, 23, 0), pow(3; -6), pow(0; -1, -2)]",
      [1e-5, 0.01, 1e-23, 1e23, 1, 1 / 729, Infinity, Infinity],
    ],
    ['[range(1; 40) as $n | pow(10; -$n) == ("1e-\\($n)" | tonumber)] | all', true],
    ["[fma(1, 2; 3, 4; 5, 6)]", [8, 11, 9, 13, 9, 12, 10, 14]],
  ])("%s", (program, expected) => {
    expect(evaluate(program, null)).toEqual([expected]);
  });

  test.each([
    "floor",
    "frexp",
    "lgamma_r",
    "erf",
    'pow("a"; 1)',
    'pow(1; "a")',
    'fma(1; "a"; 1)',
    'jn(1; "a")',
  ])("%s wants numbers", (program) => {
    expect(evaluate(`try ${program} catch .`, "a")).toEqual(['string ("a") number required']);
  });

  test("orders that would take long are refused", () => {
    expect(evaluate("try jn(1e9; 1e10) catch .", null)).toEqual([
      "number (1000000000) is too large an order for jn, which goes up to 10000",
    ]);
  });

  test("frexp and ldexp undo each other", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(evaluate("frexp as [$m, $e] | ldexp($m; $e)", x)).toEqual([x]);
      }),
    );
  });
});
