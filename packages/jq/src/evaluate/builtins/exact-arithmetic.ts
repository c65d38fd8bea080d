/** Operations on doubles whose result is the nearest double of the exact one. */

interface Binary {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const view = new DataView(new ArrayBuffer(8));

/** A finite double as a whole number times a power of two. */
function binary(x: number): Binary {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = field === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: x < 0 ? -size : size, exponent: Math.max(field, 1) - 1075 };
}

/** The nearest double, halves to even, of a whole number times a power of two. */
function nearest({ mantissa, exponent }: Binary): number {
  if (mantissa === 0n) return 0;
  const negative = mantissa < 0n;
  let size = negative ? -mantissa : mantissa;
  const bits = size.toString(2).length;
  // What doesn't fit into 53 bits, or lies below the smallest double.
  const cut = Math.max(bits - 53, -1074 - exponent);
  let scale = exponent;
  if (cut > 0) {
    if (cut > bits + 1) return negative ? -0 : 0;
    const shift = BigInt(cut);
    const rest = size & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    size >>= shift;
    if (rest > half || (rest === half && (size & 1n) === 1n)) size += 1n;
    scale += cut;
  }
  const half = Math.trunc(scale / 2);
  const value = Number(size) * 2 ** half * 2 ** (scale - half);
  return negative ? -value : value;
}

function aligned(a: Binary, b: Binary): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.mantissa << BigInt(a.exponent - exponent), b.mantissa << BigInt(b.exponent - exponent), exponent];
}

/** x * y + z, rounded once. */
export function fusedMultiplyAdd(x: number, y: number, z: number): number {
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) {
    return Number.isFinite(x) && Number.isFinite(y) ? z : x * y + z;
  }
  if (x === 0 || y === 0) return x * y + z;
  const [a, b] = [binary(x), binary(y)];
  const product = { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent };
  const [left, right, exponent] = aligned(product, binary(z));
  return nearest({ mantissa: left + right, exponent });
}

/** x minus the multiple of y that is nearest to it, the even one of two. */
export function nearestRemainder(x: number, y: number): number {
  if (!Number.isFinite(x) || Number.isNaN(y) || y === 0) return Number.NaN;
  if (!Number.isFinite(y) || x === 0) return x;
  const [dividend, divisor, exponent] = aligned(binary(Math.abs(x)), binary(Math.abs(y)));
  const quotient = dividend / divisor;
  const rest = dividend - quotient * divisor;
  const over = 2n * rest - divisor;
  const up = over > 0n || (over === 0n && (quotient & 1n) === 1n);
  const result = nearest({ mantissa: up ? rest - divisor : rest, exponent });
  return x < 0 ? -result : result;
}

/** The next double from x towards y. */
export function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  view.setFloat64(0, x);
  // The bits of doubles are in the order of their sizes.
  const away = y > x === x > 0;
  view.setBigUint64(0, view.getBigUint64(0) + (away ? 1n : -1n));
  return view.getFloat64(0);
}

/** x times 2 to the power `exponent`, rounded once. */
export function scaleBinary(x: number, exponent: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const whole = Math.max(-5000, Math.min(5000, Math.trunc(exponent)));
  const { mantissa, exponent: own } = binary(x);
  return nearest({ mantissa, exponent: own + whole });
}
