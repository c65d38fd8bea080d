import { type Json, printExact } from "@configc/jq";
import { isMap } from "@configc/jq/internal";

/** Deeper values are written on one line. */
const DEEPEST = 500;

/**
 * JSON laid out for people; numbers keep all their digits.
 *
 * @param indentation of the line that it begins on
 */
export function laidOut(value: Json, indentation = ""): string {
  const write = (item: Json, outer: string, depth: number): string => {
    const isList = Array.isArray(item);
    if (depth > DEEPEST || (!isList && !isMap(item))) return printExact(item);
    const inner = `${outer}  `;
    const parts = isList
      ? item.map((each) => write(each, inner, depth + 1))
      : Object.keys(item).map(
          (name) => `${JSON.stringify(name)}: ${write(item[name] ?? null, inner, depth + 1)}`,
        );
    const [open, close] = isList ? "[]" : "{}";
    if (parts.length === 0) return `${open}${close}`;
    return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${close}`;
  };
  return write(value, indentation, 0);
}
