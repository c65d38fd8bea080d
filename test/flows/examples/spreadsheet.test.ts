import { expect, test } from "vitest";
import { AIRTABLE_TOKEN, Airtable } from "../../api/services/airtable.ts";
import { giveCredential, install } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

const columns = [
  { id: "fldMail", name: "Mail", type: "email" },
  { id: "fldName", name: "Name", type: "singleLineText" },
  { id: "fldKind", name: "Kind", type: "multipleSelects" },
  { id: "fldChanged", name: "Changed", type: "lastModifiedTime" },
];

test.each(runs(2_500))("spreadsheet, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "spreadsheet", party: (now) => new Airtable(now), seed });
  const { party, server, clock } = story;
  // What Airtable allows, which the config keeps to.
  server.quota = { requests: 5, period: 1_000, retryAfter: "seconds" };
  const people = party.addTable("tblPeople", "People", columns);
  const logs = party.addTable("tblLog", "Log", [{ id: "fldLine", name: "Line", type: "multilineText" }]);
  for (let number = 1; number <= items; number++) {
    party.addRow(people, {
      fldMail: `p${number}@example.com`,
      fldName: `P ${number}`,
      fldKind: ["lead", "partner"],
    });
    // Rows that were pasted at once have one moment in common, across pages and cycles.
    if (number % 250 === 0) clock.advance(1_000);
  }

  const connection = await giveCredential(story, { token: AIRTABLE_TOKEN });
  const imported = await install(story, {
    workflow: "airtable-import-rows",
    connection,
    answers: { base: "Customers", table: "People", "changed-column": "Changed", view: "Grid" },
    mapping: [
      ["Mail", "Email"],
      ["Name", "First name"],
      ["Kind", "Last name"],
    ],
  });
  const cycles = await story.work();
  if (seed === undefined && items === 2_500)
    expect(cycles.map(({ reason, requests }) => [reason, requests])).toEqual([
      ["max-results", 11],
      ["max-results", 11],
      ["iterate", 5],
    ]);
  expect(new Set(story.contacts().map(({ email }) => email))).toEqual(
    new Set(Array.from({ length: items }, (_, index) => `p${index + 1}@example.com`)),
  );
  expect(story.contacts()[0]).toMatchObject({ first_name: "P 1", last_name: "lead, partner" });

  // Between cycles a row changes and one is new: only these two come.
  const [, second] = people.rows;
  party.changeRow(people, second?.id ?? "", { fldName: "Grace" });
  party.addRow(people, { fldMail: "new@example.com", fldName: "New" });
  const [next] = await story.work();
  if (seed === undefined) expect(next).toMatchObject({ delivered: 2 });
  expect(story.contacts()[1]).toMatchObject({ first_name: "Grace" });
  expect(story.contacts()).toHaveLength(items + 1);
  await story.again(() => story.runtime.remove(imported));

  const rows = people.rows.length;
  const upsert = await install(story, {
    workflow: "airtable-add-or-update-a-row",
    connection,
    answers: { base: "Customers", table: "People", "match-on": ["Mail"] },
    mapping: [
      ["Email", "Mail"],
      ["First name", "Name"],
    ],
  });
  const log = await install(story, {
    workflow: "airtable-log-a-contact",
    connection,
    answers: { base: "Customers", table: "Log", column: "Line", line: "%FIRST_NAME% was here" },
  });
  await story.send(upsert, { email: "p1@example.com", first_name: "Ada" });
  for (let number = 0; number < 25; number++) {
    const contact = { email: `c${number}@example.com`, first_name: `C ${number}`, phone: null };
    await story.send(upsert, contact, `upsert ${number}`);
    await story.send(upsert, { ...contact, first_name: `C ${number} B` }, `upsert ${number} again`);
    await story.send(log, contact, `log ${number}`);
  }
  await story.work();
  expect(people.rows[0]?.cells).toMatchObject({ fldMail: "p1@example.com", fldName: "Ada" });
  expect(people.rows.slice(rows).map(({ cells }) => cells)).toEqual(
    Array.from({ length: 25 }, (_, number) => ({
      fldMail: `c${number}@example.com`,
      fldName: `C ${number} B`,
    })),
  );
  expect(logs.rows.map(({ cells }) => cells["fldLine"])).toEqual(
    Array.from({ length: 25 }, (_, number) => `Automation: C ${number} was here (c${number}@example.com)`),
  );
  await story.isInOrder();
});
