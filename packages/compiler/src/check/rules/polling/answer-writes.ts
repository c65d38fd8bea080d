import { constantOf } from "@configc/jq/internal";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import type { StateWrite } from "../../../flow/protocol/state-writes.ts";

/** Whether a command sets a key to something of an answer, whatever the state was, and in each case. */
export const areAnswers = (writes: readonly StateWrite[], key: string): boolean =>
  writes.length > 0 && writes.every((write) => isAnswer(write, key));

function isAnswer({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  if (value === undefined || constantOf(value) !== undefined) return false;
  /** `${piped_content.1.place}`: into the first step comes no answer. */
  const isOfStep = (hole: number): boolean =>
    program.holes[hole]?.root === "piped_content" && program.holes[hole].syntax.path[1]?.text !== "0";
  const { input, clock, keys: read, all, holes } = stateDependence(program, [value]);
  return (input || [...holes].some(isOfStep)) && !clock && !all && read.size === 0;
}
