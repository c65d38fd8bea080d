import type { Calls } from "./calls.ts";
import type { Verdict } from "./judge/verdict.ts";

export interface Row {
  readonly verdict: Verdict;
  readonly withTools: boolean;
  /** Undefined where the agent doesn't say. */
  readonly tokens?: number | undefined;
  readonly seconds?: number | undefined;
  /** Of `configc mcp`. What an agent asks the command for in a shell isn't counted. */
  readonly calls?: Calls | undefined;
}

/** Verdicts as a table of Markdown, and how many passed. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ verdict, withTools, tokens, seconds, calls }) =>
    [
      verdict.task,
      withTools ? "yes" : "no",
      verdict.passed ? "passed" : "failed",
      `${verdict.errors} / ${verdict.warnings}`,
      verdict.laws.join(", "),
      tokens ?? "",
      seconds ?? "",
      calls?.tools ?? "",
      calls === undefined ? "" : `${calls.charactersIn} / ${calls.charactersOut}`,
      calls?.estimatedTokens ?? "",
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
    "| task | tools | verdict | errors / warnings | laws broken | tokens | seconds | tool calls | characters in / out | tokens of these (estimate: characters / 4) | what is wrong first |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
    "",
    ...total(true),
    ...total(false),
  ].join("\n");
}
