import { type Completion, compile, completionsAt } from "@configc/compiler";
import { sampleFiles, tasksOf } from "../check/tasks.ts";
import { nearestSettings } from "../settings/nearest.ts";

/**
 * What can be written at a place of a config, with all that is known of its API.
 *
 * @param path of the file, absolute
 * @param line from 1; a line or column behind the end counts as the last one
 * @param column from 1, in UTF-16 units
 */
export async function completionsIn(
  path: string,
  text: string,
  line: number,
  column: number,
): Promise<readonly Completion[]> {
  const [task] = await tasksOf([{ path, absolute: path }], nearestSettings(), sampleFiles());
  const { model } = compile(text, { ...task, uri: path });
  return completionsAt(model, offsetOf(text, line, column));
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let each = 1; each < line; each++) {
    const end = text.indexOf("\n", start);
    if (end === -1) break;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + column - 1, end === -1 ? text.length : end);
}
