import type { Severity } from "@configc/compiler";
import pc from "picocolors";

export type Style = ReturnType<typeof pc.createColors>;

/** @param colour false gives functions that change nothing */
export function styleOf(colour: boolean): Style {
  return pc.createColors(colour);
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
