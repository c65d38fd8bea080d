import { isDeepStrictEqual } from "node:util";
import type { App } from "@configc/compiler";
import type { Json } from "@configc/runtime";
import { giveCredential, install } from "../../support/customer.ts";
import { Rig } from "../../support/rig.ts";
import { type ContactOptions, ContactService } from "../services/contact-service.ts";
import { answersBy, onlyWorkflow } from "./customer.ts";

const mapping = [
  ["Email", "Email"],
  ["First name", "First name"],
] as const;

/** Contacts that are handed over, in order: new ones, one with signs in its address, one without a name, one that comes again. */
const sent: readonly Readonly<Record<string, Json>>[] = [
  { email: "ada@example.com", first_name: "Ada" },
  { email: "bob+news@example.com", first_name: "Bob" },
  { email: "cy@example.com" },
  { email: "ada@example.com", first_name: "Ada, married" },
];

/** Has a customer install an app that writes contacts, hands some over, and looks what the service has then. */
export async function judgeContacts(app: App, options: ContactOptions): Promise<readonly string[]> {
  const rig = await Rig.serve(app, () => new ContactService(options));
  try {
    const { party } = rig;
    const connection = await giveCredential(rig, options.access.credential);
    const choices = [
      ...(options.inLists === true ? ["Offers"] : []),
      ...(options.tags === true ? ["Old"] : []),
    ];
    const wishes = { workflow: onlyWorkflow(app).name, connection, mapping };
    const first = await install(rig, { ...wishes, answers: answersBy(app, choices) });
    const problems: string[] = [];
    // With the last contact a key comes twice: the platform doesn't know whether it arrived.
    const keys = ["1", "2", "3", options.writing === "keyed" ? "1" : "4"];
    for (const [index, contact] of sent.entries()) {
      const counts = await rig.runtime.send(first, contact, { key: keys[index] ?? "" });
      if (counts.failed > 0)
        problems.push(`${String(contact["email"])} failed: ${(await rig.failures()).at(-1)}`);
    }
    problems.push(...membersDiffer(party, options));
    if (options.tags === true) {
      // The tag is optional.
      const again = await install(rig, {
        ...wishes,
        answers: answersBy(app, [...choices.slice(0, -1), undefined]),
      });
      const counts = await rig.runtime.send(again, { email: "di@example.com" }, { key: "5" });
      if (counts.failed > 0) problems.push(`Without a tag it fails: ${(await rig.failures()).at(-1)}`);
      else if (party.members.find(({ email }) => email === "di@example.com")?.tags.length !== 0)
        problems.push("Without a tag, the member has one.");
    }
    return [...problems, ...rig.server.surprises.map((surprise) => `The service refused ${surprise}`)];
  } finally {
    await rig.close();
  }
}

function membersDiffer(
  { members }: ContactService,
  { writing, inLists = false, tags = false }: ContactOptions,
): string[] {
  const last = writing === "keyed" ? "Ada" : "Ada, married";
  const rest = { ...(inLists ? { list: "l2" } : {}), tags: tags ? ["t2"] : [] };
  const expected = [
    { email: "ada@example.com", firstName: last, ...rest },
    { email: "bob+news@example.com", firstName: "Bob", ...rest },
    { email: "cy@example.com", ...rest },
  ];
  const actual = members.map(({ id: _number, ...member }) => member);
  return isDeepStrictEqual(actual, expected)
    ? []
    : [`The service has ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}.`];
}
