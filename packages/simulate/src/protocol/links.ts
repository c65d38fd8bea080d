import { wordsOf } from "../service/names.ts";
import type { Demand } from "../symbolic/demands.ts";
import type { Path } from "../symbolic/value.ts";
import type { Indicator } from "./protocol.ts";

/**
 * What tells the link to the next page from the others of its list: `links[] | select(.rel == "next") | .href`.
 *
 * @param answer what programs demand of the whole answer
 * @param path of the address, with one `[]`
 */
export function amongOf(answer: Demand, path: Path): Indicator["among"] {
  const at = path.indexOf("[]");
  if (at <= 0 || at === path.length - 1 || path.indexOf("[]", at + 1) > 0) return undefined;
  const list = path
    .slice(0, at)
    .reduce<Demand | undefined>((demand, name) => demand?.members.get(name), answer);
  for (const [member, { compared }] of list?.item?.members ?? [])
    for (const is of compared) if (typeof is === "string" && wordsOf(is)[0] === "next") return { member, is };
  return undefined;
}
