import { itemsOf, ownersOf, stepOf, type WebhookLaw } from "./law.ts";

export const rightCustomer: WebhookLaw = {
  name: "right-customer",
  summary: "A delivery comes to the installations that it is for, and to no other.",
  broken(log, subject) {
    for (const sent of log.sent) {
      if (sent.forged !== undefined) continue;
      const owners = ownersOf(log, sent, subject);
      const wrong = itemsOf(log, sent).find(
        // What a pipeline leaves out doesn't come to anybody.
        ({ installation, status }) =>
          status !== "unroutable" && status !== "skipped" && !owners.includes(installation ?? ""),
      );
      if (wrong !== undefined)
        return {
          message: `A delivery for ${sent.installation} came to ${wrong.installation}.`,
          records: [sent.record],
          cycles: [stepOf(log, sent)],
        };
    }
    return undefined;
  },
};
