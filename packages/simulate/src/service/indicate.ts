import type { Json } from "@configc/jq";
import type { Indicator } from "../protocol/protocol.ts";
import { put, without } from "./json.ts";

/**
 * An answer that says something of the paging.
 *
 * @param value what the member is; undefined: it isn't there
 * @param own the address of the page itself: a list of links has it, too
 */
export function indicate(
  json: Json,
  { path, among }: Pick<Indicator, "path" | "among">,
  value: Json | undefined,
  own = "",
): Json {
  if (among === undefined) return value === undefined ? without(json, path) : put(json, path, value);
  const at = path.indexOf("[]");
  const link = (kind: string, address: Json): Json =>
    put({ [among.member]: kind }, path.slice(at + 1), address);
  return put(json, path.slice(0, at), [
    link("self", own),
    ...(value === undefined ? [] : [link(among.is, value)]),
  ]);
}
