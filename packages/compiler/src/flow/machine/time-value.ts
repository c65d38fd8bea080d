/** The time in seconds that a value is: seconds or milliseconds since 1970, or a date; undefined where it is none. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === "string") {
    const seconds = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) / 1_000 : Number.NaN;
    return Number.isNaN(seconds) ? undefined : seconds;
  }
  if (typeof value !== "number" || !(value > 1e9)) return undefined;
  return value > 1e11 ? value / 1_000 : value;
}
