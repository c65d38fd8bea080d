import { isDeepStrictEqual } from "node:util";
import type { App } from "@configc/compiler";
import type { Json } from "@configc/runtime";
import { giveCredential, install } from "../../support/customer.ts";
import { Rig } from "../../support/rig.ts";
import { type GroupOptions, GroupService } from "../services/group-service.ts";
import { type KeepOptions, KeepService } from "../services/keep-service.ts";
import { onlyWorkflow } from "./customer.ts";

/** Judges of services in which a change can take away what others have written, and of mappings with groups. */

/** Contacts are handed over; what others have written about members stays. */
export async function judgeKept(app: App, options: KeepOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, () => new KeepService(options));
  try {
    const connection = await giveCredential(rig, options.access.credential);
    const id = await install(rig, {
      workflow: onlyWorkflow(app).name,
      connection,
      mapping: [
        ["Email", "Email"],
        ["First name", "First name"],
      ],
    });
    const problems = await send(rig, id, [
      { email: "ada@example.com", first_name: "Ada, married" },
      { email: "Eve@Example.com", first_name: "Eve" },
      { email: "new+one@example.com", first_name: "New" },
      { email: "ada@example.com" },
      { email: "new+one@example.com", first_name: "Newer" },
    ]);
    const expected = [
      {
        email: "ada@example.com",
        first_name: "Ada, married",
        notes: "Knows the boss",
        tags: ["vip", "2019"],
      },
      { email: "eve@example.com", first_name: "Eve", notes: null, tags: [] },
      { email: "new+one@example.com", first_name: "Newer", notes: null, tags: [] },
    ];
    const actual = rig.party.members.map(({ id: _number, version: _version, ...member }) => member);
    if (!isDeepStrictEqual(actual, expected))
      problems.push(`The service has ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}.`);
    return [...problems, ...refusals(rig)];
  } finally {
    await rig.close();
  }
}

/** One customer maps fields of both groups, another only those of the person. */
export async function judgeGroups(app: App, options: GroupOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, () => new GroupService(options));
  try {
    const { people } = rig.party;
    const connection = await giveCredential(rig, options.access.credential);
    const wishes = { workflow: onlyWorkflow(app).name, connection };
    const person = [
      ["Email", "Person/Email"],
      ["First name", "Person/First name"],
    ] as const;
    const both = await install(rig, {
      ...wishes,
      mapping: [...person, ["Last name", "Company/Name"], ["Phone", "Company/Phone"]],
    });
    const problems = await send(rig, both, [
      { email: "ada+crm@example.com", first_name: "Ada", last_name: "Looms Ltd", phone: "123" },
      { email: "bob@example.com", first_name: "Bob", last_name: "Bobs" },
      { email: "cy@example.com", phone: "456" },
    ]);
    const alone = await install(rig, { ...wishes, mapping: person });
    problems.push(...(await send(rig, alone, [{ email: "di@example.com", first_name: "Di", phone: "789" }])));
    const expected = {
      "ada+crm@example.com": { person: { first_name: "Ada" }, company: { name: "Looms Ltd", phone: "123" } },
      "bob@example.com": { person: { first_name: "Bob" }, company: { name: "Bobs" } },
      "cy@example.com": { person: {} },
      "di@example.com": { person: { first_name: "Di" } },
    };
    const actual = Object.fromEntries(people);
    if (!isDeepStrictEqual(actual, expected))
      problems.push(`The service has ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}.`);
    return [...problems, ...refusals(rig)];
  } finally {
    await rig.close();
  }
}

let key = 0;

async function send(
  rig: Rig<KeepService> | Rig<GroupService>,
  installation: string,
  contacts: readonly Readonly<Record<string, Json>>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const contact of contacts) {
    const counts = await rig.runtime.send(installation, contact, { key: `${++key}` });
    if (counts.failed > 0)
      problems.push(`${String(contact["email"])} failed: ${(await rig.failures()).at(-1)}`);
  }
  return problems;
}

function refusals({ server }: Rig<KeepService> | Rig<GroupService>): string[] {
  return server.surprises.map((surprise) => `The service refused ${surprise}`);
}
