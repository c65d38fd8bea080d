import { itemsOf, stepOf, type WebhookLaw } from "./law.ts";

export const runsSucceed: WebhookLaw = {
  name: "runs-succeed",
  summary: "No registration, delivery or item fails while the service answers as its own shape says.",
  broken(log) {
    const failed = log.steps.find(({ failure }) => failure !== undefined);
    if (failed !== undefined)
      return {
        message: `The ${failed.what} failed: ${failed.failure!.message}`,
        records: [],
        cycles: [failed.number],
        pointer: failed.failure!.pointer,
      };
    for (const sent of log.sent.filter(({ forged }) => forged === undefined)) {
      const item = itemsOf(log, sent).find(({ status, isApps }) => status === "failed" && !isApps);
      if (item !== undefined && log.collection.records[sent.record - 1]?.deletedAt === undefined)
        return {
          message: `The pipeline failed for record r${sent.record}: ${item.failure ?? ""}`,
          records: [sent.record],
          cycles: [stepOf(log, sent)],
        };
    }
    return undefined;
  },
};
