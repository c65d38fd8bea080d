import { Progress } from "../terminal/progress.ts";
import { checkFile, type Outcome, type Task, type TaskOptions } from "./check-file.ts";

/** Checks every file. @returns the outcomes in the order of the tasks */
export async function checkAll(tasks: readonly Task[], options: TaskOptions): Promise<Outcome[]> {
  const progress = new Progress(tasks.length);
  const outcomes = tasks.map((task) => {
    const outcome = checkFile(task, options);
    progress.step();
    return outcome;
  });
  progress.end();
  return outcomes;
}
