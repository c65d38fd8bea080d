import type { ArrayNode, ObjectNode } from "../syntax-tree.ts";
import type { Expectation } from "./expectation.ts";

/** What can stand at a place, for messages. */
export function acceptedBy(expect: Expectation, container: "object" | "array" | undefined): string {
  switch (expect) {
    case "value":
      return "a value";
    case "value-or-end":
      return 'a value or "]"';
    case "name":
      return "a member name in double quotes";
    case "name-or-end":
      return 'a member name in double quotes or "}"';
    case "colon":
      return '":"';
    case "comma-or-end":
      return container === "object" ? '"," or "}"' : '"," or "]"';
    case "nothing":
      return "the end of the document";
  }
}

export function bracketOf({ kind }: ObjectNode | ArrayNode, side: "open" | "close"): string {
  if (kind === "object") return side === "open" ? "{" : "}";
  return side === "open" ? "[" : "]";
}
