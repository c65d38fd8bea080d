import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** A comment or a title says that a name holds something else than it seems to. */

const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/data_intake/0/_comment";
const sourceOptions = "/workflows/0/setup/map/describe_source/options";

const told = (rule: string, program: string, said: string, title?: readonly [string, string]): string[] =>
  inSource(rule, program, {
    [comment]: said,
    ...(title === undefined
      ? {}
      : {
          [sourceOptions]: [
            { id: "email", title: "Email" },
            { id: title[0], title: title[1] },
          ],
        }),
  });

test.each([
  ["A person has an id.", 1],
  ["A person's id is their email address.", 0],
  ["A person's id isn't their email address.", 1],
])("value/other-role: %s", (said, count) => {
  expect(told("value/other-role", "{email: .person.id, name: .person.name}", said)).toHaveLength(count);
});

test.each([
  ["Ships come to a dock.", undefined, 1],
  ["A slot's name is its day: 2026-03-01.", undefined, 0],
  ["Ships come to a dock.", "Dock", 0],
  ["Ships come to a dock.", "Day of arrival", 1],
])("value/other-role of a time: %s %s", (said, title, count) => {
  const of = title === undefined ? undefined : (["arrived_at", title] as const);
  expect(told("value/other-role", "{email: .email, arrived_at: .slot.name}", said, of)).toHaveLength(count);
});

describe("value/compared-display", () => {
  const found = (name: string, said: string): string[] =>
    inSource(
      "value/compared-display",
      `if .${name} == \${custom_data.form.display} then {email: .email} else null end`,
      {
        [comment]: said,
        [`${fields}/0/options`]: [
          { display: "New entries", value: "n" },
          { display: "Changed entries", value: "c" },
        ],
      },
    );
  test.each([
    ["kind", "kind is n or c.", 1],
    ["kind", 'kind is "New entries" or "Changed entries".', 0],
    ["kind_label", "It has kind, too.", 0],
  ])("%s: %s", (name, said, count) => {
    expect(found(name, said)).toHaveLength(count);
  });
});

test.each([
  ["{id, patient: {id, email}}", undefined, 1],
  ["The event's id is theirs.", undefined, 0],
  ["{id, patient: {id, email}}", "patients", 0],
])("value/record-beside: %s %s", (said, kind, count) => {
  const program = "{email: .patient.email, patient_id: .id, report: .title}";
  const more = { [comment]: said, "/workflows/0/resource_type": kind ?? "reports" };
  expect(inSource("value/record-beside", program, more)).toHaveLength(count);
});

test.each([
  ['{"id": "A-204", "number": 3, "email": …}', 1],
  ['{"id": "A-204", "number": 3, "email": …} number is how many items there are.', 0],
  ['{"id": "A-204", "street": "Mill Lane", "number": 4, "email": …}', 0],
  ['{"id": 204, "phone_number": "+49 …", "email": …}', 0],
  ['{"id": 204, "vat_number": "DE123", "email": …}', 0],
  ['{"id": 204, "order_number": "B-1", "email": …}', 1],
])("value/id-for-number: %s", (said, count) => {
  expect(told("value/id-for-number", "{email: .email, order_number: .id}", said)).toHaveLength(count);
});

test.each([
  ["A crate holds twelve bottles.", 1],
  ["A crate holds twelve bottles. crates counts bottles already.", 0],
  ["A crate holds twelve bottles, or six.", 0],
])("value/unapplied-factor: %s", (said, count) => {
  expect(told("value/unapplied-factor", "{email: .email, bottles: .crates}", said)).toHaveLength(count);
});

test.each([
  ["1 ha is 2.471 acres.", "{email: .email, ha: (.acres * 2.471)}", 1],
  ["1 ha is 2.471 acres.", "{email: .email, price_per_ha: (.price_per_acre * 2.471)}", 0],
  ["1 gallon is 3.785 litres.", "{email: .email, cost_gallon: (.cost_litre * 3.785)}", 0],
])("value/documented-factor: %s %s", (said, program, count) => {
  expect(told("value/documented-factor", program, said)).toHaveLength(count);
});

test.each([
  ["total and discount_pct", ".discount_pct", 1],
  ["discount_pct is a fraction.", ".discount_pct", 0],
  ['{"total": 20, "discount_pct": 0.15}', ".discount_pct", 0],
])("value/percent-of-one: %s", (said, read, count) => {
  expect(told("value/percent-of-one", `{email: .email, pay: (.total * (1 - ${read}))}`, said)).toHaveLength(
    count,
  );
});

test.each([
  ["severity: 1 notice, 2 warning, 3 alarm.", 1],
  ["severity: 1 notice, 2 warning, 3 alarm. Since May there is a fourth: fire.", 0],
])("value/undocumented-code: %s", (said, count) => {
  const program = '{email: .email, _tags: (if .severity == 4 then ["Fire"] else [] end)}';
  expect(told("value/undocumented-code", program, said)).toHaveLength(count);
});

test.each([
  ["A form: state is open, closed or archived.", 1],
  ["A form: state is open, closed or archived. Customers may add states of their own.", 0],
])("value/undocumented-word: %s", (said, count) => {
  const program = 'if .state == "finished" then null else {email: .email} end';
  expect(told("value/undocumented-word", program, said)).toHaveLength(count);
});

test.each([
  ["The offset is in minutes.", 1],
  ["utc_offset_minutes is as in JavaScript.", 0],
])("value/turned-offset: %s", (said, count) => {
  const program =
    '{email: .email, at: ((.started_at | fromdate) - .site.utc_offset_minutes * 60 | strftime("%Y-%m-%d %H:%M"))}';
  expect(told("value/turned-offset", program, said)).toHaveLength(count);
});

describe("expansion/display-for-id", () => {
  const found = (said: string): string[] =>
    findings("expansion/display-for-id", "outbound", {
      "/workflows/0/data_pipeline/_comment": said,
      [target]: {
        "!http": {
          method: "POST",
          path: "/people",
          body: { email: "${piped_content.0.email}", list: "${custom_data.list.display}" },
        },
      },
    });
  test.each([
    ["list is a list of the service.", 1],
    ["list takes the name of a list.", 0],
  ])("%s", (said, count) => {
    expect(found(said)).toHaveLength(count);
  });
});

test.each([
  ["list_id is a list's id.", 1],
  ["list_id takes a list's title.", 0],
])("value/name-for-id: %s", (said, count) => {
  const found = findings("value/name-for-id", "outbound", {
    "/workflows/0/data_pipeline/_comment": said,
    [`${fields}/0/options`]: {
      "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.lists[] | {display: .title, value: .title}]" }],
    },
    [target]: {
      "!http": {
        method: "POST",
        path: "/subscribers",
        body: { email: "${piped_content.0.email}", list_id: "${custom_data.list.value}" },
      },
    },
  });
  expect(found).toHaveLength(count);
});
