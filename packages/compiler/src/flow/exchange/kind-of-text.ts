import { type Kind, kindOfName } from "./name-kind.ts";

const kinds: readonly (readonly [Kind, RegExp])[] = [
  ["url", /^https?:\/\//],
  ["query", /^(?:query|mutation|subscription)\b[\s\S]*\{/],
  ["filter", /\S (?:eq|ne|gt|ge|lt|le) \S/],
  ["direction", /^(?:asc|desc)(?:ending)?$/i],
  ["order", / (?:asc|desc)$|^-[a-z][\w-]*$/i],
  ["text", /[a-z],? [a-z]/i],
];

/** What a text that is written there is, by its form. @param hasExpansions whether there is more in it */
export function kindOfText(text: string, hasExpansions = false): Kind | undefined {
  for (const [kind, pattern] of kinds) if (pattern.test(text)) return kind;
  if (hasExpansions) return undefined;
  // Which page it is isn't written there.
  if (/^\d+$/.test(text)) return Number(text) > 1 ? "size" : "number";
  if (/^(?:true|false)$/.test(text)) return "flag";
  if (/^[a-z]+[./:][a-z_]*(?:ed|paid|sent|new|held|won|lost)$/i.test(text)) return "event";
  if (/^[a-z]+(?:_[a-z]+)+$/.test(text) && /^(?:time|id)$/.test(kindOfName(text) ?? "")) return "member";
  return /^[a-z][\w.,()$=/:-]*$/i.test(text) ? "code" : undefined;
}
