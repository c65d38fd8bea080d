import type { Verdict } from "./judge/verdict.ts";

export interface Row {
  readonly verdict: Verdict;
  readonly withTools: boolean;
  /** Undefined where the agent doesn't say. */
  readonly tokens?: number | undefined;
  readonly seconds?: number | undefined;
}

/** Verdicts as a table of Markdown, and how many passed. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ verdict, withTools, tokens, seconds }) =>
    [
      verdict.task,
      withTools ? "yes" : "no",
      verdict.passed ? "passed" : "failed",
      `${verdict.errors} / ${verdict.warnings}`,
      verdict.laws.join(", "),
      tokens ?? "",
      seconds ?? "",
      verdict.problems[0]?.replaceAll("|", "\\|") ?? "",
    ].join(" | "),
  );
  const total = (withTools: boolean) => {
    const own = rows.filter((row) => row.withTools === withTools);
    if (own.length === 0) return [];
    const passed = own.filter(({ verdict }) => verdict.passed).length;
    return [`${withTools ? "With" : "Without"} our tools: ${passed} of ${own.length} passed.`];
  };
  return [
    "| task | tools | verdict | errors / warnings | laws broken | tokens | seconds | what is wrong first |",
    "|---|---|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
    "",
    ...total(true),
    ...total(false),
  ].join("\n");
}
