/**
 * The tokens that an agent says it used: the last JSON object of its output that has `usage` with counts, or `total_tokens`.
 *
 * @returns undefined where it says nothing
 */
export function tokensIn(output: string): number | undefined {
  const whole = countIn(output.trim());
  if (whole !== undefined) return whole;
  for (const line of output.trim().split("\n").reverse()) {
    const count = countIn(line);
    if (count !== undefined) return count;
  }
  return undefined;
}

function countIn(text: string): number | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const { usage, total_tokens: total } = JSON.parse(text) as {
      readonly usage?: Readonly<Record<string, unknown>>;
      readonly total_tokens?: unknown;
    };
    if (typeof total === "number") return total;
    const counts = Object.entries(usage ?? {}).filter(
      (entry): entry is [string, number] => entry[0].endsWith("_tokens") && typeof entry[1] === "number",
    );
    return counts.length === 0 ? undefined : counts.reduce((sum, [, count]) => sum + count, 0);
  } catch {
    return undefined;
  }
}
