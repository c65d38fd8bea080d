import { WEBHOOKS } from "../stage/stage.ts";
import type { WebhookProtocol } from "./protocol.ts";
import { rehearsal } from "./rehearsal.ts";
import { challengeOf, TOKEN } from "./sender.ts";
import type { Challenge, WebhookSubject } from "./subject.ts";
import { type Verdict, Verifier } from "./verifier.ts";

/** The challenge that the app answers before anything is saved. */
export async function challengeFor(subject: WebhookSubject): Promise<Challenge | undefined> {
  const { protocol, form } = subject;
  const { runtime } = rehearsal(subject);
  const custom_data = protocol.intake.scope === "workflow" ? form : {};
  const verifier = new Verifier(runtime, protocol, { data: {}, custom_data });
  return await answered(protocol, (challenge) => verifier.ask(challengeOf(challenge), `${WEBHOOKS}probe`));
}

/** The first challenge whose token comes back. */
export async function answered(
  { echoes, literals: all }: WebhookProtocol,
  ask: (challenge: Challenge) => Promise<Verdict>,
): Promise<Challenge | undefined> {
  const conditions: readonly Challenge["literals"][] = [[], ...all.map((each) => [each])];
  for (const place of echoes)
    for (const method of place.part === "query" ? (["GET", "POST"] as const) : (["POST"] as const))
      for (const literals of [...conditions, all]) {
        const challenge: Challenge = { method, place, literals };
        const { status = 0, said } = await ask(challenge);
        if (status >= 200 && status < 300 && said.includes(TOKEN)) return challenge;
      }
  return undefined;
}
