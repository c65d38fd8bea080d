import { existsSync, readFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
import { simulate } from "@configc/simulate";
import type { Task } from "../task.ts";

/** The name that tasks ask for. */
export const ANSWER = "app.app.json";

/** Worlds beyond the planned ones. */
const SEEDS = 5;

export interface Verdict {
  readonly task: string;
  /** Whether it does what was asked for. */
  readonly passed: boolean;
  /** Errors of `check`; more than one says that it wasn't tried. */
  readonly errors: number;
  readonly warnings: number;
  /** What is wrong, in words. */
  readonly problems: readonly string[];
  /** Laws of `simulate` that the app breaks. They don't count: some services lose records whatever an app does. */
  readonly laws: readonly string[];
}

/** Judges what an agent left: by the compiler, on a real host against the service, and by simulation. */
export async function verdictOf(task: Task, folder: string): Promise<Verdict> {
  const file = `${folder}/${ANSWER}`;
  const none = { task: task.id, passed: false, errors: 0, warnings: 0, laws: [] };
  if (!existsSync(file)) return { ...none, problems: [`There is no ${ANSWER}.`] };
  const { app, diagnostics, model } = compile(readFileSync(file, "utf8"), { uri: ANSWER });
  const count = (wanted: string) => diagnostics.filter(({ severity }) => severity === wanted).length;
  const counts = { errors: count("error"), warnings: count("warning") };
  if (counts.errors > 0) {
    const told = diagnostics
      .filter(({ severity }) => severity === "error")
      .map((error) => render(model, error, { fixes: false }).message);
    return { ...none, ...counts, problems: told.slice(0, 3) };
  }
  const problems = await task.judge(app).catch((error: unknown) => [`It can't be used: ${messageOf(error)}`]);
  const { parts } = await simulate(app, { seeds: SEEDS });
  const broken = parts.flatMap(({ laws }) => laws.filter(({ isBroken }) => isBroken).map(({ name }) => name));
  const laws = [...new Set(broken)].sort();
  return { task: task.id, passed: problems.length === 0, ...counts, problems, laws };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
