import type { Formatter } from "./format.ts";

/** The object of the contract: `{version: 1, files, summary}`. */
export const format: Formatter = ({ files, summary }) => {
  const report = {
    version: 1,
    files: files.map(({ path, diagnostics }) => ({
      path,
      // Where types come from is for people, and may change with every release.
      diagnostics: diagnostics.map(({ because: _, ...diagnostic }) => diagnostic),
    })),
    summary,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
};
