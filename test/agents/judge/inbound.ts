import type { App } from "@configc/compiler";
import { giveCredential, install } from "../../support/customer.ts";
import { Rig } from "../../support/rig.ts";
import { type ListOptions, ListService } from "../services/list-service.ts";
import { answersBy, onlyWorkflow } from "./customer.ts";
import { differences } from "./differences.ts";
import { workUntilDone } from "./work.ts";

/** Names of fields on both sides, as the task prescribes them. */
const mapping = [
  ["Email", "Email"],
  ["First name", "First name"],
  ["Last name", "Last name"],
] as const;

/**
 * Has a customer install an app that polls a list, and looks whether everybody arrives: those who are there, those who come and change
 * later, and nobody twice under another address.
 */
export async function judgeList(app: App, options: ListOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, (now) => new ListService(options, now));
  try {
    const { party, clock } = rig;
    party.add(137);
    clock.advance(600_000);
    const connection = await giveCredential(rig, options.access.credential);
    const answers = answersBy(app, options.inLists === true ? ["Customers"] : []);
    await install(rig, { workflow: onlyWorkflow(app).name, connection, mapping, answers });
    const problems = [
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), party.expected(), "at first"),
    ];
    if (options.paging !== "after-id") {
      party.change(3, { first: "Changed" });
      party.change(130, { first: "Changed too" });
    }
    party.add(30);
    clock.advance(600_000);
    problems.push(
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), party.expected(), "after a change"),
    );
    return [
      ...new Set([...problems, ...rig.server.surprises.map((surprise) => `The service refused ${surprise}`)]),
    ];
  } finally {
    await rig.close();
  }
}
