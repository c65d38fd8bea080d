/**
 * The functions of C's mathematics that JavaScript lacks: gamma, error and Bessel functions. They are
 * computed in fixed point on big integers, with more bits than a double has, so that what cancels in a
 * series doesn't show in the result.
 */

/** Bits behind the point. */
const BITS = 256n;
const ONE = 1n << BITS;

const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;
const over = (a: bigint, b: bigint): bigint => (a << BITS) / b;

/** A finite double as fixed point; bits below the last are cut. */
function fixed(x: number): bigint {
  // A double below 2^969 times 2^52 is still one, and whole numbers convert exactly.
  const whole = Math.trunc(x);
  return (BigInt(whole) << BITS) + (BigInt((x - whole) * 2 ** 512) >> BITS);
}

/** The nearest double of `value` times 2 to the power `exponent`. */
function toDouble(value: bigint, exponent = 0): number {
  const bits = (value < 0n ? -value : value).toString(2).length;
  // A hundred bits decide the rounding; the rest is only scale.
  const surplus = Math.max(0, bits - 100);
  const scale = exponent + surplus - Number(BITS);
  const half = Math.trunc(scale / 2);
  return Number(value >> BigInt(surplus)) * 2 ** half * 2 ** (scale - half);
}

/** Sums a series until its terms vanish. */
function series(first: bigint, next: (term: bigint, k: bigint) => bigint): bigint {
  let sum = first;
  let term = first;
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    term = next(term, k);
    sum += term;
  }
  return sum;
}

/** The sum of odd powers of 1/n, each divided by its exponent: atanh, or with signs atan. */
function arc(n: bigint, sign: bigint): bigint {
  let sum = 0n;
  let power = ONE / n;
  for (let k = 1n, s = 1n; power !== 0n; k += 2n, s *= sign, power /= n * n) sum += (s * power) / k;
  return sum;
}

const LN2 = 2n * arc(3n, 1n);
const PI = 16n * arc(5n, -1n) - 4n * arc(239n, -1n);
const EULER =
  (57721566490153286060651209008240243104215933593992359880576723488486772677766467n << BITS) / 10n ** 80n;

/** e to the power x as a mantissa and a power of two. */
function exponential(x: bigint): readonly [mantissa: bigint, exponent: number] {
  const exponent = x / LN2;
  const rest = x - exponent * LN2;
  return [series(ONE, (term, k) => times(term, rest) / k), Number(exponent)];
}

/** The natural logarithm of a positive number. */
function logarithm(x: bigint): bigint {
  const exponent = x.toString(2).length - 1 - Number(BITS);
  const mantissa = exponent >= 0 ? x >> BigInt(exponent) : x << BigInt(-exponent);
  // From a double's precision, each step triples it.
  let result = fixed(Math.log(toDouble(mantissa)));
  for (let step = 0; step < 2; step++) {
    const [power, scale] = exponential(result);
    const guess = scale >= 0 ? power << BigInt(scale) : power >> BigInt(-scale);
    result += 2n * over(mantissa - guess, mantissa + guess);
  }
  return result + BigInt(exponent) * LN2;
}

/** Stirling's series for the logarithm of gamma, good for x of 128 and more. */
function stirling(x: bigint): bigint {
  const square = times(x, x);
  let power = over(ONE, x);
  let sum = times(x - ONE / 2n, logarithm(x)) - x + logarithm(2n * PI) / 2n;
  for (const [top, bottom] of stirlingTerms) {
    sum += (power * top) / bottom;
    power = over(power, square);
  }
  return sum;
}

const stirlingTerms: readonly (readonly [bigint, bigint])[] = [
  [1n, 12n],
  [-1n, 360n],
  [1n, 1260n],
  [-1n, 1680n],
  [1n, 1188n],
  [-691n, 360360n],
  [1n, 156n],
  [-3617n, 122400n],
];

/** The product x (x + 1) … up to 128, and that last factor's successor: gamma(x) = gamma(end) / product. */
function shifted(x: number): readonly [end: bigint, product: bigint] {
  let end = fixed(x);
  let product = ONE;
  for (; end < 128n * ONE; end += ONE) product = times(product, end);
  return [end, product];
}

const SMALLEST_SHIFTED = -200;

/** The logarithm of the absolute value of gamma, and the sign of gamma. */
export function logGamma(x: number): readonly [value: number, sign: 1 | -1] {
  if (Number.isNaN(x)) return [x, 1];
  if (!Number.isFinite(x) || (x <= 0 && Number.isInteger(x))) {
    return [Number.POSITIVE_INFINITY, Object.is(x, -0) ? -1 : 1];
  }
  // The only zeros, which the series only comes close to.
  if (x === 1 || x === 2) return [0, 1];
  if (Math.abs(x) < 2 ** -70) return [-Math.log(Math.abs(x)), x < 0 ? -1 : 1];
  if (x > 2 ** 60) return [x * (Math.log(x) - 1), 1];
  if (x < SMALLEST_SHIFTED) {
    const sine = Math.sin(Math.PI * (x - 2 * Math.round(x / 2)));
    const value = Math.log(Math.PI / Math.abs(sine)) - logGamma(1 - x)[0];
    return [value, sine * x < 0 ? 1 : -1];
  }
  const [end, product] = shifted(x);
  const size = product < 0n ? -product : product;
  return [toDouble(stirling(end) - logarithm(size)), product < 0n ? -1 : 1];
}

const QUOTIENT_BITS = 1536n;

export function gamma(x: number): number {
  if (x === 0) return 1 / x;
  if (x === Number.POSITIVE_INFINITY || x > 180) return Number.POSITIVE_INFINITY;
  if (!Number.isFinite(x) || (x < 0 && Number.isInteger(x))) return Number.NaN;
  if (x < SMALLEST_SHIFTED) return logGamma(x)[1] * 0;
  if (Math.abs(x) < 2 ** -70) return 1 / x;
  const [end, product] = shifted(x);
  const [mantissa, exponent] = exponential(stirling(end));
  // The product may be as large as 128!, so the quotient needs bits of its own.
  const quotient = (mantissa << QUOTIENT_BITS) / product;
  return toDouble(quotient, exponent - Number(QUOTIENT_BITS - BITS));
}

/** The part of the error function that its series gives, for up to 6. */
function errorSeries(x: number): bigint {
  const z = fixed(x);
  const square = times(z, z);
  let power = z;
  let sum = z;
  for (let k = 1n; power !== 0n && power !== -1n; k++) {
    power = -times(power, square) / k;
    sum += power / (2n * k + 1n);
  }
  return over(2n * sum, squareRoot(PI));
}

function squareRoot(x: bigint): bigint {
  const target = x << BITS;
  let root = 1n << BigInt((target.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + target / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function errorFunction(x: number): number {
  if (Number.isNaN(x) || Math.abs(x) < 2 ** -100) return x * (2 / Math.sqrt(Math.PI));
  if (Math.abs(x) > 6.5) return Math.sign(x);
  return toDouble(errorSeries(x));
}

export function complementaryErrorFunction(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < -6.5) return 2;
  if (x > 28) return 0;
  if (x < 6) return toDouble(ONE - errorSeries(Math.abs(x) < 2 ** -100 ? 0 : x));
  // A continued fraction, from its far end.
  const z = fixed(x);
  let tail = z;
  for (let k = 400n; k > 0n; k--) tail = z + over((k * ONE) / 2n, tail);
  const [mantissa, exponent] = exponential(-times(z, z));
  return toDouble(over(over(mantissa, tail), squareRoot(PI)), exponent);
}

/** Where the asymptotic expansion is exact to the last bits of a double, and the series is long. */
const FAR = 60;

/** The Bessel function of the first kind. */
export function besselJ(order: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(order)) return Number.NaN;
  const n = Math.trunc(order);
  const oddSign = n % 2 === 0 ? 1 : -1;
  if (n < 0) return oddSign * besselJ(-n, x);
  if (x < 0) return oddSign * besselJ(n, -x);
  if (!Number.isFinite(x)) return 0;
  if (x > FAR && n <= x) return upwards(n, x, far(0, x)[0], far(1, x)[0]);
  // Below the smallest double.
  if (n > 400 && n > 4 * x) return 0;
  return x > 700 ? 0 : toDouble(firstKind(BigInt(n), fixed(x / 2)));
}

/** The Bessel function of the second kind. */
export function besselY(order: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(order) || x < 0) return Number.NaN;
  const n = Math.trunc(order);
  if (n < 0) return (n % 2 === 0 ? 1 : -1) * besselY(-n, x);
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!Number.isFinite(x)) return 0;
  if (x > FAR) return upwards(n, x, far(0, x)[1], far(1, x)[1]);
  if (x < 2 ** -100) {
    const first = -2 / (Math.PI * x);
    return upwards(n, x, (2 / Math.PI) * (Math.log(x / 2) + 0.5772156649015329), first);
  }
  const half = fixed(x / 2);
  return upwards(n, x, toDouble(secondKind(0, half)), toDouble(secondKind(1, half)));
}

/** The series in half of the argument. */
function firstKind(n: bigint, half: bigint): bigint {
  let first = ONE;
  for (let k = 1n; k <= n && first !== 0n; k++) first = times(first, half) / k;
  const square = times(half, half);
  return series(first, (term, k) => -times(term, square) / (k * (k + n)));
}

function secondKind(order: 0 | 1, half: bigint): bigint {
  const n = BigInt(order);
  const square = times(half, half);
  let term = order === 0 ? ONE : half;
  // Harmonic numbers of k and k + n.
  let low = 0n;
  let high = n * ONE;
  let sum = times(term, low + high - 2n * EULER);
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    term = -times(term, square) / (k * (k + n));
    low += ONE / k;
    high += ONE / (k + n);
    sum += times(term, low + high - 2n * EULER);
  }
  const regular = 2n * times(logarithm(half), firstKind(n, half)) - sum;
  return over(order === 0 ? regular : regular - over(ONE, half), PI);
}

/** From orders 0 and 1 to a higher one, by their recurrence. */
function upwards(n: number, x: number, zero: number, one: number): number {
  if (n === 0) return zero;
  let before = zero;
  let now = one;
  for (let k = 1; k < n && Number.isFinite(now); k++) [before, now] = [now, ((2 * k) / x) * now - before];
  return now;
}

/** Hankel's expansion for large arguments: both kinds, of order 0 or 1. */
function far(order: 0 | 1, x: number): readonly [first: number, second: number] {
  const square = 4 * order * order;
  let even = 0;
  let odd = 0;
  let term = 1;
  for (let k = 0; k < 24; k++) {
    const sign = k % 4 < 2 ? 1 : -1;
    if (k % 2 === 0) even += sign * term;
    else odd += sign * term;
    term *= (square - (2 * k + 1) ** 2) / ((k + 1) * 8 * x);
  }
  const scale = Math.sqrt(1 / (Math.PI * x));
  const [sine, cosine] = [Math.sin(x), Math.cos(x)];
  // Of x - pi/4, or x - 3 pi/4, times the root of two.
  const [c, s] = order === 0 ? [cosine + sine, sine - cosine] : [sine - cosine, -sine - cosine];
  return [scale * (even * c - odd * s), scale * (even * s + odd * c)];
}
