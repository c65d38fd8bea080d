import type { App } from "@configc/compiler";
import { giveCredential, install } from "../../support/customer.ts";
import { Rig } from "../../support/rig.ts";
import { type HistoryOptions, HistoryService } from "../services/history-service.ts";
import { onlyWorkflow } from "./customer.ts";
import { differences } from "./differences.ts";
import { workUntilDone } from "./work.ts";

const mapping = [
  ["Email", "Email"],
  ["First name", "First name"],
  ["Last name", "Last name"],
] as const;

/** One workflow gets those who are there from a list, once, and those who come by webhook: of another shape. */
export async function judgeHistory(app: App, options: HistoryOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, (now) => new HistoryService(options, now));
  try {
    const { party, clock } = rig;
    const { list, hooks } = party;
    list.add(137);
    clock.advance(600_000);
    const connection = await giveCredential(rig, options.access.credential);
    const id = await install(rig, { workflow: onlyWorkflow(app).name, connection, mapping });
    if (hooks.hooks.size !== 1) return [`${hooks.hooks.size} webhooks are registered, not one.`];
    const problems: string[] = [];
    const [status = 0] = await hooks.signUp("new@example.com");
    if (status < 200 || status > 299) problems.push(`A genuine delivery is answered by ${status}.`);
    const [forged = 0] = await hooks.signUp("forged@example.com", { forged: true });
    if (forged >= 200 && forged <= 299) problems.push(`A forged delivery is answered by ${forged}.`);
    problems.push(...(await workUntilDone(rig)));
    const expected = new Map<string, Readonly<Record<string, unknown>>>(list.expected());
    expected.set("new@example.com", { first_name: "Given", last_name: "Family" });
    problems.push(...differences(rig.contacts(), expected, "after the import and a sign-up"));
    await rig.runtime.pause(id);
    if (hooks.hooks.size > 0)
      problems.push("The webhook is still registered after the customer has switched it off.");
    return [
      ...new Set([...problems, ...rig.server.surprises.map((surprise) => `The service refused ${surprise}`)]),
    ];
  } finally {
    await rig.close();
  }
}
