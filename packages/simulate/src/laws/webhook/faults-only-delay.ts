import { everythingArrives } from "./everything-arrives.ts";
import type { WebhookLaw } from "./law.ts";

export const faultsOnlyDelay: WebhookLaw = {
  name: "faults-only-delay",
  summary: "A failure of the service, or of the process, changes when a delivery arrives, not whether.",
  broken(log, subject) {
    return log.world.faults.length === 0 ? undefined : everythingArrives.broken(log, subject);
  },
};
