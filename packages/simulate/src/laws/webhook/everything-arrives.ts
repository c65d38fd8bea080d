import { isSettled, itemsOf, ownersOf, stepOf, type WebhookLaw } from "./law.ts";

export const everythingArrives: WebhookLaw = {
  name: "everything-arrives",
  summary: "Every delivery that was accepted comes to the pipeline, sooner or later.",
  broken(log, subject) {
    for (const sent of log.sent) {
      if (sent.forged !== undefined || (sent.answers.at(-1) ?? 500) >= 300) continue;
      for (const owner of ownersOf(log, sent, subject)) {
        if (itemsOf(log, sent, owner).some(isSettled)) continue;
        return {
          message:
            `A delivery was accepted, and ${sent.version > 1 ? "this change of" : ""} r${sent.record} never came to the pipeline.`.replace(
              "  ",
              " ",
            ),
          records: [sent.record],
          cycles: [stepOf(log, sent)],
        };
      }
    }
    return undefined;
  },
};
