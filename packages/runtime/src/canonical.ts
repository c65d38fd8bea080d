import type { Json } from "@configc/jq";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex } from "@noble/hashes/utils";
import { isObject, jsonText } from "./json.ts";

/** Text that is the same for values that are deeply equal, in whatever order the members of objects stand. */
export function canonicalText(value: Json): string {
  let text = "";
  // Values come from third parties: they may be nested more deeply than a stack.
  const waiting: (string | { readonly value: Json })[] = [{ value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") text += next;
    else if (typeof next.value === "string") text += JSON.stringify(next.value);
    else if (Array.isArray(next.value)) {
      const items = next.value as readonly Json[];
      waiting.push("]");
      for (let index = items.length - 1; index >= 0; index--)
        waiting.push({ value: items[index] as Json }, index > 0 ? "," : "");
      text += "[";
    } else if (isObject(next.value)) {
      const names = Object.keys(next.value).sort();
      waiting.push("}");
      for (let index = names.length - 1; index >= 0; index--) {
        const name = names[index] as string;
        waiting.push({ value: next.value[name] as Json }, `${index > 0 ? "," : ""}${JSON.stringify(name)}:`);
      }
      text += "{";
    } else text += jsonText(next.value);
  }
  return text;
}

/** SHA-256 of a text, in hex. For texts of some kilobytes the platform's own, which is asynchronous, takes longer. */
export function digest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}
