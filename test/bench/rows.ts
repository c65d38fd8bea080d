import { availableParallelism, loadavg } from "node:os";

/** A row of the budget table. */
export interface Row {
  readonly what: string;
  /** By the clock, where nothing else is said. */
  readonly ours: number;
  readonly reference: number;
  /** The same as CPU time of all threads: on a busy machine this ratio counts. */
  readonly cpu?: { readonly ours: number; readonly reference: number };
  readonly unit: string;
  /** The largest ratio; infinite for a row without one. */
  readonly budget: number;
}

/** On what is measured, and what else it does: `Node 20.20.2, 2 cores; load at the end 0.2`. */
export function machine(when: string): string {
  return `Node ${process.versions.node}, ${availableParallelism()} cores; load ${when} ${loadavg()[0]!.toFixed(1)}`;
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, ours, reference, cpu, unit, budget }) => {
    const times = `${ours.toFixed(1)} ${unit} | ${reference.toFixed(2)} ${unit} | ${ratio(ours, reference)}`;
    const inCpu =
      cpu === undefined
        ? ""
        : `${cpu.ours.toFixed(1)} to ${cpu.reference.toFixed(2)} ${unit}: ${ratio(cpu.ours, cpu.reference)}`;
    return `| ${what} | ${times} | ${inCpu} | ${Number.isFinite(budget) ? `≤ ${budget}×` : "–"} | ${verdict(ours / reference, budget)} |`;
  });
  return `| what | ours | reference | ratio | CPU time | budget | |\n|---|---|---|---|---|---|---|\n${lines.join("\n")}\n`;
}

function ratio(ours: number, reference: number): string {
  return `${(ours / reference).toFixed(2)}×`;
}

function verdict(reached: number, budget: number): string {
  if (!Number.isFinite(budget)) return "";
  if (Number.isNaN(reached)) return "the reference fails";
  return reached <= budget ? "met" : "NOT met";
}
