import type { Paging } from "../guess/paging.ts";
import { jqPath } from "../shape.ts";

/**
 * jq: the place from which a list goes on, as its answer gives it: a token, or a parameter of the next page's address, whose name may be
 * encoded there.
 */
export function nextPlace({ next, param, isLink }: Extract<Paging, { readonly kind: "cursor" }>): string {
  const path = jqPath(next);
  if (!isLink) return path;
  const name = param.replace(/[^\w-]/g, (sign) => {
    const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
    return `(?:\\\\${sign}|%${code})`;
  });
  const place = `capture("[?&]${name}=(?<place>[^&#]*)").place | @urid`;
  return `(${path} | if . == null or . == "" then null else (${place}) // . end)`;
}
