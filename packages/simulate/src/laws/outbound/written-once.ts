import type { OutboundLaw } from "./law.ts";

/** What a lost answer leads to is counted where there is no key: nobody can know it (E90). */
export const writtenOnce: OutboundLaw = {
  name: "written-once",
  summary: "Nothing is written twice for one contact: what has a key keeps it when it is sent again.",
  broken({ deeds, world }) {
    for (const [index, deed] of deeds.entries()) {
      if (deed.method !== "POST") continue;
      const before = deeds
        .slice(0, index)
        .find(
          (each) =>
            each.step === deed.step &&
            each.method === "POST" &&
            each.url === deed.url &&
            (each.body === deed.body || each.pointer === deed.pointer),
        );
      if (before === undefined) continue;
      if (world.faults.length > 0 && deed.key === undefined) continue;
      return {
        message:
          deed.key === undefined
            ? `The same was written twice for contact ${deed.about ?? deed.addressed ?? "?"}.`
            : `The same was written twice for contact ${deed.about ?? deed.addressed ?? "?"}, each time with another key.`,
        records: [deed.about ?? deed.addressed ?? 0],
        cycles: [deed.step],
        pointer: deed.pointer,
      };
    }
    return undefined;
  },
};
