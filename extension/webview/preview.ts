/** The beginning of a text. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** What is in a list or an object, on one line. */
export function preview(value: object): string {
  const parts = Array.isArray(value)
    ? value.slice(0, 3).map(brief)
    : Object.entries(value)
        .slice(0, 4)
        .map(([key, each]) => `${key}: ${brief(each)}`);
  return shortened(parts.join(", "), 80);
}

/** A value in a few characters. */
export function brief(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : "[…]";
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0 ? "{}" : "{…}";
  return shortened(JSON.stringify(value) ?? "", 30);
}
