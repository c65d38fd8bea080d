import type { CrashReport } from "./crash.ts";
import { phases } from "./phases.ts";

/** Kills by phase and point, as a table of Markdown. */
export function tableOf({ kills }: CrashReport): string {
  const rows = phases.map((phase) => {
    const points = kills.filter((kill) => kill.phase === phase).map(({ point }) => point);
    const each = [...new Set(points)]
      .sort()
      .map((name) => `${name} ${points.filter((p) => p === name).length}`);
    return `| ${phase} | ${points.length} | ${each.join(", ")} |`;
  });
  return ["| phase | kills | where |", "|---|---|---|", ...rows].join("\n");
}
