import { memoize } from "@configc/jq/internal";

/** A name that says it is one end of a window: `updated_from`, `createdBefore`, `until`. */
export interface BoundName {
  readonly end: "lower" | "upper";
  /** What is bounded: `updated` of `updated_from`, empty for `since`. */
  readonly subject: string;
}

const lower: ReadonlySet<string> = new Set(["since", "from", "after", "start", "begin", "gt", "gte", "min"]);
const upper: ReadonlySet<string> = new Set(["until", "to", "before", "end", "lt", "lte", "max"]);

/** What a parameter's or key's name says; undefined where it names no end of a window, or both. */
export function boundName(name: string): BoundName | undefined {
  const words = wordsOf(name);
  const bounds = words.filter((word) => lower.has(word) || upper.has(word));
  const [bound, ...others] = bounds;
  if (bound === undefined || others.length > 0) return undefined;
  const subject = words.filter((word) => word !== bound).join(" ");
  return { end: lower.has(bound) ? "lower" : "upper", subject };
}

/** `created[gte]` and `createdGte` have the words `created` and `gte`. */
export const wordsOf: (name: string) => readonly string[] = memoize(
  (name): readonly string[] => {
    const isLower = name.toLowerCase() === name;
    const spaced = isLower ? name : name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
    const words = spaced.split(/[^a-z\d]+/);
    // What isn't part of a word may stand at the ends.
    return words[0] === "" || words.at(-1) === "" ? words.filter((word) => word !== "") : words;
  },
  // The names of a large document.
  5_000,
);
