import { visible } from "../terminal/text.ts";
import type { Formatter } from "./format.ts";

/** One line a finding, in the form that editors and other tools know from compilers. */
export const format: Formatter = ({ files }) =>
  files
    .flatMap(({ path, diagnostics }) =>
      diagnostics.map(({ range, severity, message, rule }) => {
        const { line, column } = range.start;
        return `${path}:${line}:${column}: ${severity}: ${visible(message.replace(/\s+/g, " "))} [${rule}]\n`;
      }),
    )
    .join("");
