import type { OutboundLaw } from "./law.ts";

/** What a service has seen the key of, it takes for done. */
export const ownKey: OutboundLaw = {
  name: "own-key",
  summary:
    "Nothing is written under the key of something else: the service takes it for the same, and it is lost.",
  broken({ swallowed, steps }) {
    // The same contact once more may be meant to be one with the first.
    const contactOf = (step: number): number | undefined => steps[step - 1]?.event.contact;
    const first = swallowed.find(({ deed, by }) => contactOf(deed.step) !== contactOf(by.step));
    if (first === undefined) return undefined;
    const { deed, by } = first;
    return {
      message: `Contact ${deed.about ?? deed.addressed ?? "?"} was sent under the key of another write (event ${by.step}), so the service took both for one.`,
      records: [deed.about ?? deed.addressed ?? 0],
      cycles: [by.step, deed.step],
      pointer: deed.pointer,
    };
  },
};
