import { ExactNumber, type Json } from "@configc/runtime";

/** Deep equality; numbers are compared by what they are, not by how they are written: `1.50` is `1.5`. */
export function sameValue(one: Json, other: Json): boolean {
  const waiting: [Json, Json][] = [[one, other]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [a, b] = pair;
    if (isNumber(a) && isNumber(b)) {
      if (
        a instanceof ExactNumber && b instanceof ExactNumber ? a.compareTo(b) !== 0 : Number(a) !== Number(b)
      )
        return false;
    } else if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
      if (a !== b) return false;
    } else {
      const [names, others] = [Object.keys(a), Object.keys(b)];
      if (Array.isArray(a) !== Array.isArray(b) || names.length !== others.length) return false;
      const [left, right] = [a, b] as [Record<string, Json>, Record<string, Json>];
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        waiting.push([left[name] as Json, right[name] as Json]);
      }
    }
  }
  return true;
}

function isNumber(value: Json): boolean {
  return typeof value === "number" || value instanceof ExactNumber;
}
