import type { OutboundLaw } from "./law.ts";

/** What is done without the failure is done with it, or the contact is kept as failed. */
export const faultsOnlyDelay: OutboundLaw = {
  name: "faults-only-delay",
  summary: "A failure of the service, or of the process, changes when a contact arrives, not whether.",
  broken({ world, deeds, steps }, { calm }) {
    if (world.faults.length === 0) return undefined;
    for (const deed of calm.deeds) {
      const step = steps[deed.step - 1];
      if (step === undefined || step.status === "failed") continue;
      const isDone = deeds.some((each) => each.step === deed.step && each.pointer === deed.pointer);
      // What was written before a failure decides what is written after it: found instead of made, or made instead of changed.
      const usual = new Set(
        calm.deeds.filter(({ step: at }) => at === deed.step).map(({ pointer }) => pointer),
      );
      const isOther = deeds.some((each) => each.step === deed.step && !usual.has(each.pointer));
      if (isDone || isOther) continue;
      return {
        message: `Contact ${step.event.contact} never arrived: ${deed.method} ${new URL(deed.url).pathname} wasn't done, and the item counts as ${step.status ?? "nothing"}.`,
        records: [step.event.contact],
        cycles: [step.number],
        pointer: deed.pointer,
      };
    }
    return undefined;
  },
};
