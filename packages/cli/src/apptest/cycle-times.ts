import { type CaseGiven, startOf } from "@configc/host/internal";
import type { CaseCycle } from "./test-file.ts";

/** Milliseconds between two cycles (D43). */
const PERIOD = 1_800_000;

/** When each cycle of a case begins, in milliseconds since 1970: as it says, or half an hour after the one before it. */
export function startsOf(test: Pick<CaseGiven, "now">, cycles: readonly CaseCycle[]): readonly number[] {
  let now = startOf(test);
  return cycles.map((cycle, index) => {
    now = cycle.now === undefined ? now + (index === 0 ? 0 : PERIOD) : Date.parse(cycle.now);
    return now;
  });
}
