import { asExact } from "./json.ts";
import { MASK } from "./redact/index.ts";

/**
 * A JSON value without secrets in its texts and names, however deep (D29); members that are undefined are left out. A number is masked
 * only if it is a secret as a whole: its digits may happen to be in many others.
 *
 * @param redact masks secrets in a text (`redact` of the run's tracer, when it is over)
 */
export function redactedValue(value: unknown, redact: (text: string) => string): unknown {
  let result: unknown;
  const waiting: [value: unknown, put: (safe: unknown) => void][] = [
    [
      value,
      (safe) => {
        result = safe;
      },
    ],
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [item, put] = next;
    if (Array.isArray(item)) {
      const items: unknown[] = new Array(item.length);
      put(items);
      for (const [at, each] of item.entries())
        waiting.push([
          each,
          (safe) => {
            items[at] = safe;
          },
        ]);
    } else if (typeof item !== "object" || item === null || asExact(item) !== undefined) {
      put(redactedScalar(item, redact));
    } else {
      const members = Object.entries(item)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => [redact(name), member] as const);
      // All names at once, for their order is that of the value.
      const object = Object.fromEntries(members) as Record<string, unknown>;
      put(object);
      for (const [name, member] of members)
        waiting.push([member, (safe) => void Object.defineProperty(object, name, { value: safe })]);
    }
  }
  return result;
}

function redactedScalar(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  const isNumber = typeof value === "number" || asExact(value) !== undefined;
  return isNumber && redact(String(value)) === MASK ? MASK : value;
}
