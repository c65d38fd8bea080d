import type { AppProgram } from "@configc/compiler";
import type { StagePlace } from "./places.ts";

/** A program that tells where it is: the same values come out of it, in the same order. */
interface InstrumentedProgram {
  readonly text: string;
  /** Of its holes. */
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

/** A name of our own for `debug`: the program may give that to something else. */
const MARK = "__configc_stage";
const DEFINITION = `def ${MARK}(told): debug(told); `;

/** The number by which a program tells what it gives, instead of that of a stage. */
export const OUTPUT = -1;

/**
 * The program with a mark before each stage and one behind the last. A mark tells the number of the stage, the value that comes to it,
 * and the variables there; `debug` passes values and their paths on as they are.
 */
export function instrumented(
  { text, holes }: AppProgram,
  stages: readonly StagePlace[],
): InstrumentedProgram {
  const insertions = [...stages].sort((a, b) => a.start - b.start || a.nesting - b.nesting);
  let result = DEFINITION;
  let from = 0;
  const shifts: { readonly at: number; readonly by: number }[] = [{ at: 0, by: DEFINITION.length }];
  for (const { index, start, variables } of insertions) {
    const names = variables.map((name) => `${JSON.stringify(name)}:$${name}`).join(",");
    const mark = `${MARK}([${index},.,{${names}}]) | `;
    result += text.slice(from, start) + mark;
    from = start;
    shifts.push({ at: start, by: mark.length });
  }
  // A comment may stand at the end.
  result += `${text.slice(from)}\n| ${MARK}([${OUTPUT},.,{}])`;
  const moved = (offset: number): number =>
    shifts.reduce((sum, { at, by }) => (at <= offset ? sum + by : sum), offset);
  const places = holes.map(({ start, end }) => ({ start: moved(start), end: moved(start) + end - start }));
  return { text: result, places };
}
