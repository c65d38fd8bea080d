import type { Document } from "../parse/document.ts";
import { namedPointerTo, nodeOf } from "./pointer.ts";
import type { Finding } from "./rule.ts";

/**
 * Names a mistake so that it is recognised in another version of the document: from the rule, its arguments and the pointer
 * by names. Sixteen hexadecimal digits.
 */
export function fingerprint(document: Document, { rule, args, at }: Finding): string {
  const place = namedPointerTo(nodeOf(document.root, at));
  const sorted = Object.entries(args)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash(JSON.stringify([rule.id, place, sorted]));
}

/** Two rounds of 32-bit FNV-1a: short, quick, the same everywhere; not for secrets. */
function hash(text: string): string {
  return round(text, 0x811c9dc5) + round(text, 0x9747b28c);
}

function round(text: string, seed: number): string {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}
