import { refusal } from "../run/environment.ts";

/**
 * The node that a request names; clients aren't all typed.
 *
 * @throws ResponseError that says what is missing
 */
export function requiredNode({ node }: { readonly node: unknown }): string {
  if (typeof node === "string") return node;
  throw refusal("`node` is missing: a JSON Pointer, or a dotted path of names.");
}
