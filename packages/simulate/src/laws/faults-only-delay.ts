import { everythingArrives } from "./everything-arrives.ts";
import type { Law } from "./law.ts";

/** The runtime tries again, goes on where it was, and keeps what fails: an app can only lose what it takes for an end or for nothing. */
export const faultsOnlyDelay: Law = {
  name: "faults-only-delay",
  summary: "A failure of the service, or of the process, changes when data arrives, not whether.",
  broken(log, context) {
    if (log.world.faults.length === 0) return undefined;
    return everythingArrives.broken(log, context);
  },
};
