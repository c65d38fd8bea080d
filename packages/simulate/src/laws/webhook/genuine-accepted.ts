import { stepOf, type WebhookLaw } from "./law.ts";

/** What the third party really sent is taken. */
export const genuineAccepted: WebhookLaw = {
  name: "genuine-accepted",
  summary: "A genuine delivery is accepted, and a challenge is answered.",
  broken(log) {
    const [challenge] = log.unanswered;
    if (challenge !== undefined)
      return {
        message: `The challenge of the registration was answered ${challenge.status}, and not with its token.`,
        records: [],
        cycles: [1],
      };
    for (const sent of log.sent) {
      const last = sent.answers.at(-1);
      if (sent.forged !== undefined || last === undefined || last < 300) continue;
      return {
        message: `A genuine delivery was answered ${last}: ${sent.said.replace(/\{.*$/, "").slice(0, 120)}`,
        records: [sent.record],
        cycles: [stepOf(log, sent)],
      };
    }
    return undefined;
  },
};
