/** What jq prints for infinity: the largest double there is. */
const LARGEST = "1.7976931348623157e+308";

/** A number as jq prints it: 17 digits at most, exponents with two digits, nan as null. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "null";
  if (value === Number.POSITIVE_INFINITY) return LARGEST;
  if (value === Number.NEGATIVE_INFINITY) return `-${LARGEST}`;
  if (Object.is(value, -0)) return "-0";
  const size = Math.abs(value);
  // There the engine writes the same digits in the same form.
  if (size < 1e15 && (size >= 1e-4 || Number.isInteger(value))) return String(value);
  const [mantissa, exponentText] = value.toExponential().split("e") as [string, string];
  const exponent = Number(exponentText);
  const negative = mantissa.startsWith("-");
  const digits = mantissa.replace("-", "").replace(".", "");
  const point = exponent + 1;
  let text: string;
  if (point <= -4 || point > digits.length + 15) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const power = String(Math.abs(exponent)).padStart(2, "0");
    text = `${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${power}`;
  } else if (point <= 0) text = `0.${"0".repeat(-point)}${digits}`;
  else if (point >= digits.length) text = digits + "0".repeat(point - digits.length);
  else text = `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${text}` : text;
}

const parts = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** jq's decimal numbers reach this far; what is larger is infinite. */
const LARGEST_EXPONENT = 999_999_999n;

/**
 * A number that was written as `text`, as jq prints it: all its digits, with an exponent if it has one that makes
 * the number larger, or smaller than a millionth (the scientific notation of decimal arithmetic: `1e5` is `1E+5`,
 * `007.10` is `7.10`).
 *
 * @param text what `tonumber` takes, but not `nan` or `infinity`
 * @returns undefined for what is infinite to jq
 */
export function canonicalText(text: string): string | undefined {
  const [, sign, whole = "", fraction = "", written = "0"] = parts.exec(text)!;
  const minus = sign === "-" ? "-" : "";
  const digits = whole === "" ? fraction.replace(/^0+/, "") || "0" : whole + fraction;
  const exponent = exponentOf(written) - BigInt(fraction.length);
  const size = exponent + BigInt(digits.length - 1);
  if (size > LARGEST_EXPONENT) return undefined;
  if (exponent === 0n) return minus + digits;
  if (exponent < 0n && size >= -6n) return minus + withPoint(digits, digits.length + Number(exponent));
  return `${minus}${withPoint(digits, 1)}E${size < 0n ? "" : "+"}${size}`;
}

/** An exponent of any length, in constant time: what is farther away than any number of digits is as good as that. */
export function exponentOf(written: string): bigint {
  const digits = written.replace(/^[+-]?0*/, "");
  const size = digits.length > 15 ? 10n ** 15n : BigInt(digits);
  return written.startsWith("-") ? -size : size;
}

/** The digits with a point after the first `before` ones; zeros stand where there are none. */
function withPoint(digits: string, before: number): string {
  if (before >= digits.length) return digits;
  return before > 0
    ? `${digits.slice(0, before)}.${digits.slice(before)}`
    : `0.${"0".repeat(-before)}${digits}`;
}
