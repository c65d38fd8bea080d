import type { App } from "@configc/compiler";
import { giveCredential, install } from "../../support/customer.ts";
import { Rig } from "../../support/rig.ts";
import { type HookOptions, HookService } from "../services/hook-service.ts";
import { answersBy, onlyWorkflow } from "./customer.ts";
import { differences } from "./differences.ts";
import { workUntilDone } from "./work.ts";

const mapping = [
  ["Email", "Email"],
  ["First name", "First name"],
  ["Last name", "Last name"],
] as const;

const person = { first_name: "Given", last_name: "Family" };

/** Has a customer install an app with a webhook, calls it, forges a delivery, and removes the installation. */
export async function judgeWebhook(app: App, options: HookOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, (now) => new HookService(options, now));
  try {
    const { party, clock } = rig;
    const connection = await giveCredential(rig, options.access.credential);
    const id = await install(rig, {
      workflow: onlyWorkflow(app).name,
      connection,
      mapping,
      answers: answersBy(app, []),
    });
    if (party.hooks.size !== 1) return [`${party.hooks.size} webhooks are registered, not one.`];
    const problems: string[] = [];
    if (!(await party.challenged())) problems.push("The challenge isn't repeated.");
    for (const email of ["ada@example.com", "bob@example.com"]) {
      const [status = 0] = await party.signUp(email);
      if (status < 200 || status > 299) problems.push(`A genuine delivery is answered by ${status}.`);
    }
    const [forged = 0] = await party.signUp("forged@example.com", { forged: true });
    if (forged >= 200 && forged <= 299) problems.push(`A forged delivery is answered by ${forged}.`);
    if (options.signature === "stamped") {
      const [old = 0] = await party.signUp("old@example.com", { age: 600 });
      if (old >= 200 && old <= 299)
        problems.push(`A delivery that is ten minutes old is answered by ${old}.`);
    }
    if (options.events === true) await party.signUp("gone@example.com", { event: "person.deleted" });
    clock.advance(60_000);
    problems.push(...(await workUntilDone(rig)));
    const expected = new Map([
      ["ada@example.com", person],
      ["bob@example.com", person],
    ]);
    problems.push(...differences(rig.contacts(), expected, "after two sign-ups"));
    await rig.runtime.pause(id);
    if (party.hooks.size > 0)
      problems.push("The webhook is still registered after the customer has switched it off.");
    return [...problems, ...rig.server.surprises.map((surprise) => `The service refused ${surprise}`)];
  } finally {
    await rig.close();
  }
}
