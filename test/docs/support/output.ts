/** What differs from run to run: times. */
function settled(text: string): string {
  return text
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, "N ms")
    .replace(/\b\d+ kB\b/g, "N kB")
    .trimEnd();
}

/**
 * Whether a command printed what a page shows. A line of the page that is only `…` stands for any number of lines.
 *
 * @returns undefined, or both texts as they were compared
 */
export function outputDifference(
  shown: string,
  printed: string,
): { readonly shown: string; readonly printed: string } | undefined {
  const [expected, given] = [settled(shown), settled(printed)];
  const pattern = expected
    .split("\n")
    .map((line) =>
      line.trim() === "…" ? "(?:.*\\n)*?" : `${line.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\n`,
    )
    .join("");
  return new RegExp(`^${pattern}$`).test(`${given}\n`) ? undefined : { shown: expected, printed: given };
}
