import { isSettled, itemsOf, ownersOf, stepOf, type WebhookLaw } from "./law.ts";

export const writtenOnce: WebhookLaw = {
  name: "written-once",
  summary:
    "A delivery with a number becomes one item however often it is sent, and nothing is written twice under one key.",
  broken(log, subject) {
    const { number } = subject.protocol;
    if (log.world.isNumbered || number?.part === "body")
      for (const sent of log.sent) {
        if (sent.forged !== undefined || number?.names === "record") continue;
        for (const owner of ownersOf(log, sent, subject)) {
          const items = itemsOf(log, sent, owner).filter(isSettled);
          if (items.length < 2) continue;
          return {
            message: `A delivery of r${sent.record} that has a number was sent ${sent.answers.length} times and became ${items.length} items.`,
            records: [sent.record],
            cycles: [stepOf(log, sent)],
            ...(subject.protocol.intake.commands["delivery_id"] === undefined
              ? {}
              : { pointer: subject.protocol.intake.commands["delivery_id"] }),
          };
        }
      }
    const keys = new Map<string, string>();
    if (log.steps.every(({ hasDied }) => !hasDied))
      for (const { key, item } of log.writes) {
        const text = JSON.stringify(item);
        const before = key === undefined ? undefined : keys.get(key);
        if (before !== undefined && before !== text)
          return { message: `Two things were written under the key ${key}.`, records: [], cycles: [] };
        if (key !== undefined) keys.set(key, text);
      }
    return undefined;
  },
};
