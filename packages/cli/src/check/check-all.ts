import { Progress } from "../terminal/progress.ts";
import { checkFile, type Outcome, type Task, type TaskOptions } from "./check-file.ts";

/**
 * Checks every file, one after the other. Threads were measured with a thousand configs on two cores: each has to load and warm up
 * the compiler for itself, which costs more than it saves.
 *
 * @returns the outcomes in the order of the tasks
 */
export function checkAll(tasks: readonly Task[], options: TaskOptions): Outcome[] {
  const progress = new Progress(tasks.length);
  const outcomes = tasks.map((task) => {
    const outcome = checkFile(task, options);
    progress.step();
    return outcome;
  });
  progress.end();
  return outcomes;
}
