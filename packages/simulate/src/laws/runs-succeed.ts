import type { Law } from "./law.ts";

/** The service answers every request; what fails then, fails for the app's own reasons. */
export const runsSucceed: Law = {
  name: "runs-succeed",
  summary: "No cycle and no item fails while the service answers as its own shape says.",
  broken({ cycles }) {
    for (const { number, failure, arrivals } of cycles) {
      if (failure !== undefined)
        return { message: `Cycle ${number} failed: ${failure.message}`, records: [], cycles: [number], pointer: failure.pointer };
      const failed = arrivals.filter(({ status }) => status === "failed");
      if (failed.length > 0)
        return { message: `The pipeline failed for record r${failed[0]!.record}: ${failed[0]!.failure ?? ""}`, records: failed.map(({ record }) => record), cycles: [number] };
    }
    return undefined;
  },
};
