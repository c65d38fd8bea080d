import type { OutboundLaw } from "./law.ts";

export const rightRecord: OutboundLaw = {
  name: "right-record",
  summary: "What is written of a contact goes to the contact's own record.",
  broken({ deeds, steps }) {
    for (const { addressed, about, step, pointer, method } of deeds) {
      const own = steps[step - 1]?.event.contact;
      const wrong = [addressed, about].find((number) => number !== undefined && number !== own);
      if (wrong === undefined || own === undefined) continue;
      return {
        message: `A ${method} for contact ${own} is about the record of contact ${wrong}.`,
        records: [own],
        cycles: [step],
        pointer,
      };
    }
    return undefined;
  },
};
