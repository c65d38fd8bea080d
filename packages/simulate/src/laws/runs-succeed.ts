import type { Law } from "./law.ts";

/** The service answers every request; what fails then, fails for the app's own reasons. */
export const runsSucceed: Law = {
  name: "runs-succeed",
  summary: "No cycle and no item fails while the service answers as its own shape says.",
  broken({ cycles, collection }) {
    for (const { number, failure, arrivals } of cycles) {
      if (failure !== undefined)
        return {
          message: `Cycle ${number} failed: ${failure.message}`,
          records: [],
          cycles: [number],
          pointer: failure.pointer,
        };
      // What was deleted meanwhile can't be read any more.
      const failed = arrivals.filter(
        ({ status, record }) =>
          status === "failed" && collection.records[record - 1]?.deletedAt === undefined,
      );
      if (failed.length > 0)
        return {
          message: `The pipeline failed for record r${failed[0]!.record}: ${failed[0]!.failure ?? ""}`,
          records: failed.map(({ record }) => record),
          cycles: [number],
        };
    }
    return undefined;
  },
};
