import type { OutboundLaw } from "./law.ts";

/** An `!error` of the app is a decision, and so is an `error(…)` in its programs; whatever else fails, fails by mistake. */
export const runsSucceed: OutboundLaw = {
  name: "runs-succeed",
  summary:
    "No contact fails while the service answers as its own shape says, with optional members absent or null.",
  broken({ steps }) {
    const failed = steps.find(({ failure }) => failure !== undefined && !failure.isApps && !failure.isOwn);
    if (failed === undefined) return undefined;
    return {
      message: `The pipeline failed for contact ${failed.event.contact}: ${failed.failure!.message}`,
      records: [failed.event.contact],
      cycles: [failed.number],
      pointer: failed.failure!.pointer,
    };
  },
};
