/**
 * How many outputs an expression has if it doesn't fail: none; exactly one; none or one; a stream of any
 * number; or not known.
 */
export type Cardinality = "none" | "one" | "maybe" | "many" | "unknown";

/** The outputs of stages in a pipe: each output of the first runs the second. */
export function times(a: Cardinality, b: Cardinality): Cardinality {
  if (a === "none" || b === "none") return "none";
  if (a === "unknown" || b === "unknown") return "unknown";
  if (a === "many" || b === "many") return "many";
  return a === "one" ? b : "maybe";
}

/** The outputs of `a, b`. */
export function plus(a: Cardinality, b: Cardinality): Cardinality {
  if (a === "unknown" || b === "unknown") return "unknown";
  // With an empty part the other may be followed by a failure: as a whole it isn't certain.
  if (a === "none") return b === "one" ? "unknown" : b;
  if (b === "none") return a === "one" ? "unknown" : a;
  return "many";
}

/** The outputs of either `a` or `b`. */
export function either(a: Cardinality, b: Cardinality): Cardinality {
  if (a === b) return a;
  if (a === "unknown" || b === "unknown") return "unknown";
  if (a === "many" || b === "many") return "many";
  return "maybe";
}

/** The outputs if failures, or some outputs, are dropped. */
export function atMost(a: Cardinality): Cardinality {
  return a === "one" ? "maybe" : a;
}
