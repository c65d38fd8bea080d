import { expect, test } from "vitest";
import { Pipedrive } from "../../api/services/pipedrive.ts";
import { install, logIn } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

test.each(runs(2_500))("crm, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "crm", party: (now) => new Pipedrive(now), seed });
  const { party, clock } = story;
  const email = (number: number) => `p${number}@example.com`;
  const person = (number: number) =>
    party.addPerson({
      name: `P ${number}`,
      emails: [
        { value: `old${number}@example.com`, primary: false },
        { value: email(number), primary: true },
      ],
    });
  for (let number = 1; number <= items; number++) {
    party.addDeal({ title: `Deal ${number}`, person_id: person(number).id });
    if (number % 100 === 0) party.addDeal({ title: "of another pipeline", pipeline_id: 2 });
    clock.advance(1_000);
  }

  const connection = await logIn(story, "ada");
  const synced = await install(story, {
    workflow: "pipedrive-sync-deals",
    connection,
    answers: { pipeline: "Sales" },
    mapping: [
      ["person/Email", "contact/Email"],
      ["person/First name", "contact/First name"],
      ["deal/Deal id", "pipedrive-deals/Deal id"],
      ["deal/Title", "pipedrive-deals/Title"],
      ["deal/Status", "pipedrive-deals/Status"],
    ],
  });
  const cycles = await story.work();
  if (seed === undefined)
    expect(cycles.map(({ reason, requests }) => [reason, requests])).toEqual([
      ["max-results", 11],
      ["max-results", 11],
      ["iterate", 3],
    ]);
  const objects = () => story.kept("custom pipedrive-deals").map(({ fields }) => fields);
  expect(objects().map(({ title }) => title)).toEqual(
    Array.from({ length: items }, (_, index) => `Deal ${index + 1}`),
  );
  expect(story.contacts()).toHaveLength(items);
  expect(story.contacts()[2]).toEqual({ email: email(3), first_name: "P" });

  // A deal changes and one is new, one has nobody; what changed in the five minutes before the reading began is read again.
  const [first] = party.deals.keys();
  await party.change(first ?? 0, { title: "Deal 1, changed" });
  clock.advance(1_000);
  party.addDeal({ title: "Nobody's" });
  party.addDeal({ title: "New", person_id: person(items + 1).id });
  const [next] = await story.work();
  if (seed === undefined) expect(next).toMatchObject({ delivered: 302, skipped: 1 });
  expect(objects()).toHaveLength(items + 1);
  expect([objects()[0], objects().at(-1)]).toMatchObject([{ title: "Deal 1, changed" }, { title: "New" }]);
  await story.again(() => story.runtime.pause(synced));

  // Won deals, by webhook: of this pipeline, with a person, and only the change to won.
  const won = await install(story, {
    workflow: "pipedrive-import-won-deals",
    connection,
    answers: { pipeline: "Sales" },
    mapping: [
      ["person/Email", "contact/Email"],
      ["person/Last name", "contact/Last name"],
      ["deal/Deal title", "deal/Title"],
      ["deal/Deal value", "deal/Value"],
    ],
  });
  const buyer = party.addDeal({ title: "Big", value: 12_345.5, person_id: person(items + 2).id }).id;
  const elsewhere = party.addDeal({ title: "Elsewhere", pipeline_id: 2 }).id;
  const nobody = party.addDeal({ title: "Nobody's either" }).id;
  expect(await party.change(buyer, { value: 5 })).toEqual([200]);
  expect(await party.change(buyer, { status: "won", value: 7 })).toEqual([200]);
  expect(await party.change(buyer, { title: "Bigger" })).toEqual([200]);
  expect(await party.change(nobody, { status: "won" })).toEqual([200]);
  const [refused] = await party.change(elsewhere, { status: "won" });
  expect(refused).toBeGreaterThanOrEqual(400);
  await story.work();
  expect(story.kept("Deal").map(({ fields }) => fields)).toEqual([{ title: "Big", value: 7 }]);
  expect(story.contacts().at(-1)).toEqual({ email: email(items + 2), last_name: `${items + 2}` });

  const opened = await install(story, {
    workflow: "pipedrive-open-a-deal",
    connection,
    answers: {
      pipeline: "Renewals",
      stage: "Offered",
      "deal-title": "Renewal",
      note: "<b>50%25</b> %EMAIL%",
    },
    mapping: [
      ["First name", "person/Name"],
      ["Email", "person/Email"],
      ["Phone", "deal/Deal value"],
      ["=Euro", "deal/Currency"],
      ["=50 %", "deal/Probability"],
    ],
  });
  const before = party.persons.size;
  for (let number = 0; number < 20; number++)
    await story.send(opened, {
      email: `c${number}@example.com`,
      first_name: `C ${number}`,
      phone: "1200.50",
    });
  await story.send(opened, { email: email(1), first_name: "Ada" });
  await story.work();
  expect([...party.persons.values()].slice(before)).toEqual(
    Array.from({ length: 20 }, (_, number) =>
      expect.objectContaining({
        name: `C ${number}`,
        emails: [{ value: `c${number}@example.com`, label: "work", primary: true }],
      }),
    ),
  );
  const deals = [...party.deals.values()].slice(-21);
  expect(deals[0]).toMatchObject({
    title: "Renewal",
    value: 1_200.5,
    currency: "EUR",
    probability: 50,
    pipeline_id: 2,
    stage_id: 4,
    person_id: [...party.persons.keys()][before],
  });
  expect(deals.map(({ title }) => title)).toEqual(deals.map(() => "Renewal"));
  expect(party.notes).toEqual(deals.map(({ id }) => ({ deal_id: id, content: "<b>50%25</b> %EMAIL%" })));
  expect([...party.persons.values()][0]).toMatchObject({ name: "Ada" });

  for (const id of [synced, won, opened]) await story.again(() => story.runtime.remove(id));
  expect(party.webhooks.size).toBe(0);
  expect(party.oauth.refreshes).toBeGreaterThan(1);
  expect(party.oauth.reused).toBe(false);
  await story.isInOrder();
});
