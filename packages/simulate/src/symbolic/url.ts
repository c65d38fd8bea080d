import { percentDecoded } from "@configc/jq/internal";
import { literal, made, type Value } from "./value.ts";

/** A value that goes with a request. */
export interface Parameter {
  readonly place: "query" | "body";
  /** Names of members and indexes of items; one name in the query. */
  readonly path: readonly string[];
  readonly value: Value;
}

/** What stands before `?`, and the parameters behind it. */
export function splitUrl(parts: readonly Value[]): [Value[], Parameter[]] {
  const address: Value[] = [];
  const query: { name: string; parts: Value[] }[] = [];
  let inQuery = false;
  for (const part of parts) {
    if (part.kind !== "literal" || typeof part.value !== "string") {
      if (inQuery) query.at(-1)?.parts.push(part);
      else address.push(part);
      continue;
    }
    const at = inQuery ? -1 : part.value.indexOf("?");
    if (!inQuery) address.push(literal(at < 0 ? part.value : part.value.slice(0, at)));
    if (!inQuery && at < 0) continue;
    const [first = "", ...further] = part.value.slice(at + 1).split("&");
    if (inQuery && first !== "") query.at(-1)?.parts.push(literal(first));
    for (const each of inQuery ? further : [first, ...further]) {
      const [name = "", text = ""] = each.split("=", 2);
      query.push({ name, parts: text === "" ? [] : [literal(text)] });
    }
    inQuery = true;
  }
  return [
    address,
    query.map(({ name, parts: values }) => ({
      place: "query",
      path: [percentDecoded(name)],
      value: values.length === 1 ? values[0]! : values.length === 0 ? literal("") : made("text", ...values),
    })),
  ];
}
