import type { Severity } from "@configc/compiler";
import pc from "picocolors";
import { asOwn, shown } from "./harmless.ts";

export type Style = ReturnType<typeof pc.createColors>;

/**
 * Colours for a terminal. A text that is coloured is made harmless before: then nobody else's colours are in it.
 *
 * @param colour false gives functions that change nothing
 */
export function styleOf(colour: boolean): Style {
  const plain = pc.createColors(colour);
  if (!colour) return plain;
  const entries = Object.entries(plain).map(([name, paint]) => [
    name,
    typeof paint === "function"
      ? (text: string | number | null | undefined) => asOwn(paint(shown(String(text))))
      : paint,
  ]);
  return Object.fromEntries(entries) as Style;
}

/** The colour of a level, everywhere the same. */
export function levelColour(style: Style, severity: Severity): (text: string) => string {
  switch (severity) {
    case "error":
      return style.red;
    case "warning":
      return style.yellow;
    case "info":
      return style.blue;
    case "hint":
      return style.green;
  }
}

/** Sets off what stands between backticks; without colour they stay. */
export function inlineCode(
  style: Style,
  text: string,
  outer: (text: string) => string = (part) => part,
): string {
  if (!style.isColorSupported) return text;
  return text
    .split(/(`[^`\n]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? style.cyan(part.slice(1, -1)) : part === "" ? "" : outer(part)))
    .join("");
}
