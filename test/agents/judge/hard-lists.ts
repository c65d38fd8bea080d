import type { App } from "@configc/compiler";
import { giveCredential, install, logIn } from "../../support/customer.ts";
import { Rig } from "../../support/rig.ts";
import { type ListOptions, ListService } from "../services/list-service.ts";
import { type LoginOptions, LoginService } from "../services/login-service.ts";
import { onlyWorkflow } from "./customer.ts";
import { differences } from "./differences.ts";
import { workUntilDone } from "./work.ts";

/** Judges of lists that do what most lists do, and few tests: they move while they are read, show changes late, and let tokens run out. */

const mapping = [
  ["Email", "Email"],
  ["First name", "First name"],
  ["Last name", "Last name"],
] as const;

const MINUTE = 60_000;

/** After each page somebody on it is changed, and so moves to the end of the list. */
export async function judgeMovingList(app: App, options: ListOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, (now) => new ListService(options, now));
  try {
    const { party, clock } = rig;
    party.add(137);
    clock.advance(10 * MINUTE);
    let left = 6;
    party.served = ([first]) => {
      if (first === undefined || left-- <= 0) return;
      clock.advance(1_000);
      party.change(first.id, { first: `Moved ${left}` });
    };
    const connection = await giveCredential(rig, options.access.credential);
    await install(rig, { workflow: onlyWorkflow(app).name, connection, mapping });
    const problems = [
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), party.expected(), "though nobody was removed"),
    ];
    left = 3;
    for (let id = 1; id <= 60; id++) party.change(id, { first: `Once more ${id}` });
    clock.advance(10 * MINUTE);
    problems.push(
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), party.expected(), "after 60 changes"),
    );
    return told(problems, rig);
  } finally {
    await rig.close();
  }
}

/** Changes are asked for by window, and some of them are shown late: one that was made earlier comes after one that was made later. */
export async function judgeWindows(app: App, options: ListOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, (now) => new ListService(options, now));
  try {
    const { party, clock } = rig;
    party.add(137);
    party.spread();
    const connection = await giveCredential(rig, options.access.credential);
    await install(rig, { workflow: onlyWorkflow(app).name, connection, mapping });
    const problems = [
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), party.expected(), "at first"),
    ];
    for (const [late, soon] of [
      [3, 130],
      [4, 131],
    ] as const) {
      party.change(late, { first: "Late" }, 110_000);
      clock.advance(5_000);
      party.change(soon, { first: "Soon" }, 1_000);
      clock.advance(5_000);
      problems.push(...(await workUntilDone(rig)));
    }
    problems.push(...differences(rig.contacts(), party.expected(), "after changes that were shown late"));
    return told(problems, rig);
  } finally {
    await rig.close();
  }
}

/** A customer logs in; tokens run out between cycles and, once, in the middle of one. */
export async function judgeLogin(app: App, options: LoginOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, (now) => new LoginService(options, now));
  try {
    const { party, clock } = rig;
    const { list, oauth } = party;
    list.add(137);
    clock.advance(10 * MINUTE);
    let pages = 0;
    list.served = () => {
      if (++pages === 3) oauth.expireAll();
    };
    const connection = await logIn(rig, "ada");
    await install(rig, { workflow: onlyWorkflow(app).name, connection, mapping });
    const problems = [
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), list.expected(), "at first"),
    ];
    list.change(3, { first: "Changed" });
    list.add(30);
    clock.advance(10 * MINUTE);
    problems.push(
      ...(await workUntilDone(rig)),
      ...differences(rig.contacts(), list.expected(), "after the tokens ran out"),
    );
    if (oauth.reused) problems.push("A refresh token was used twice.");
    return told(problems, rig);
  } finally {
    await rig.close();
  }
}

function told(
  problems: readonly string[],
  { server }: { readonly server: { readonly surprises: readonly string[] } },
): readonly string[] {
  return [
    ...new Set([...problems, ...server.surprises.map((surprise) => `The service refused ${surprise}`)]),
  ];
}
