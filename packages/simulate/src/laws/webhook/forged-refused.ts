import { stepOf, type WebhookLaw } from "./law.ts";

export const forgedRefused: WebhookLaw = {
  name: "forged-refused",
  summary: "A delivery that the service didn't send is refused.",
  broken(log) {
    for (const sent of log.sent) {
      if (sent.forged === undefined) continue;
      const isKept = log.kept.some(({ text }) => sent.texts.includes(text));
      const status = sent.answers.at(-1) ?? 0;
      if (!isKept && status >= 300) continue;
      return {
        message: `A forged delivery (${forgeries[sent.forged]}) was answered ${status}${isKept ? ", and its item went through the pipeline" : ""}.`,
        records: [sent.record],
        cycles: [stepOf(log, sent)],
      };
    }
    return undefined;
  },
};

const forgeries = {
  unsigned: "without a proof",
  signature: "with a wrong proof",
  body: "with the proof of another body",
} as const;
