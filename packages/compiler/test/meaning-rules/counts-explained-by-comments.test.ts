import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What looks like the wrong one of several, day, amount or word is right where a comment, a title or a name says so. */

const target = "/workflows/0/data_pipeline/target";
const pipeline = "/workflows/0/data_pipeline/_comment";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/data_intake/0/_comment";
const description = "/workflows/0/description";
const sourceOptions = "/workflows/0/setup/map/describe_source/options";
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const titled = (id: string, title: string) => ({
  [sourceOptions]: [
    { id: "email", title: "Email" },
    { id, title },
  ],
});
const told = (rule: string, program: string, said: string): string[] =>
  inSource(rule, program, { [comment]: said });
const made = (rule: string, program: string, more: Readonly<Record<string, unknown>>): string[] =>
  findings(rule, "outbound", {
    ...more,
    [target]: { "!pipe": [{ "!jq": program }, post("/people", "${piped_content.1}")] },
  });

test.each([
  ["They come in any order.", 1],
  ["The main one comes first.", 0],
  ["The main guardian is alone in it for most.", 0],
])("value/main-of-list: %s", (said, count) => {
  const found = inSource("value/main-of-list", ".guardians[0] as $g | {email: $g.email}", {
    [comment]: `{email, guardians: [{id, main: true, email, first_name}]}. ${said}`,
    [description]: "Keeps each child's main guardian as a contact.",
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["A client may have several.", 1],
  ["Of children, the guardian is the next of kin.", 0],
])("value/word-of-other-name: %s", (said, count) => {
  const program =
    '[.relations[] | select(.role == "guardian")] as $kin | if $kin[0] == null then null else {email: $kin[0].email} end';
  const found = inSource("value/word-of-other-name", program, {
    [comment]: `relations: [{role, email}]; roles are next_of_kin, doctor, guardian. ${said}`,
    [description]: "Writes to the next of kin of each client.",
  });
  expect(found).toHaveLength(count);
});

describe("value/other-night", () => {
  const stay = (name: string, days: string): string =>
    `.stay as $s | {email: .email, ${name}: (($s.arrives_on + "T00:00:00Z" | fromdate) + ${days} * 86400 | strftime("%Y-%m-%d"))}`;
  test.each([
    ["leaves_on", "($s.nights - 1)", "A stay has nights.", 1],
    ["leaves_on", "($s.nights - 1)", "nights counts the one before the arrival.", 0],
    ["last_night", "$s.nights", "A stay has nights.", 1],
    ["last_night", "$s.nights", "nights says how many follow the first one.", 0],
    ["last_night", "$s.nights", "It has how many more nights there are.", 0],
  ])("%s: %s. %s", (name, days, said, count) => {
    expect(told("value/other-night", stay(name, days), said)).toHaveLength(count);
  });
});

describe("value/number-for-day", () => {
  const program = "{email: .email, born_on: .born_at[0:10], due_on: (now + 7 * 86400)}";
  test.each([
    ["due_on is a day.", 1],
    ["due_on is in seconds.", 0],
    ["due_on is a Unix time.", 0],
  ])("%s", (said, count) => {
    expect(told("value/number-for-day", program, said)).toHaveLength(count);
  });
  test.each([
    ["Due", 1],
    ["Due (Unix time)", 0],
  ])("the title is “%s”", (title, count) => {
    expect(inSource("value/number-for-day", program, titled("due_on", title))).toHaveLength(count);
  });
});

test.each([
  ["Letters wait.", 1],
  ["A working day has 8 hours.", 0],
  ["A working day has 7 hours.", 1],
])("value/other-duration: %s", (said, count) => {
  const program = "{email: .email, at: (now + (${custom_data.delay.value} | tonumber) * 28800 | todate)}";
  const delay = {
    id: "delay",
    label: "Send it after",
    type: "dropdown",
    options: [
      { display: "A day", value: "1" },
      { display: "A week", value: "7" },
    ],
  };
  const more = { [pipeline]: said, [`${fields}/1`]: delay };
  expect(made("value/other-duration", program, more)).toHaveLength(count);
});

test.each([
  ["First course", 1],
  ["First choice", 0],
  ["Last place", 0],
])("value/other-extreme: the title is “%s”", (title, count) => {
  const program = "{email: .email, wish: (.wishes | max_by(.changed_at) | .course)}";
  expect(inSource("value/other-extreme", program, titled("wish", title))).toHaveLength(count);
});

test.each([
  ["last_visit", 1],
  ["last_name", 0],
  ["last_wish", 0],
])("value/other-extreme: %s", (member, count) => {
  const program = `{email: .email, ${member}: (.entries | min_by(.created_at) | .text)}`;
  expect(inSource("value/other-extreme", program)).toHaveLength(count);
});

test.each([
  ["Days are written 31.12.2026.", 1],
  ["Days are written 31.12.2026, as people see them.", 0],
  ["Days are written 31.12.2026. The service takes both forms.", 0],
  ["booked_on is written 31.12.2026, as people see it.", 1],
])("value/documented-date: %s", (said, count) => {
  const program = '{email: .email, booked_on: (now | strftime("%F"))}';
  expect(made("value/documented-date", program, { [pipeline]: said })).toHaveLength(count);
});

test.each([
  ["Orders below it are left out.", 1],
  ["In cents: 4500 is 45.00.", 0],
])("value/cents-limit: the help text is “%s”", (help, count) => {
  const program =
    "if .total_cents < (${custom_data.form.value} | tonumber) then null else {email: .email} end";
  const field = { label: "Smallest order", id: "form", type: "text", help_text: help };
  expect(inSource("value/cents-limit", program, { [`${fields}/0`]: field })).toHaveLength(count);
});

test.each([
  ["A visit has a state.", 1],
  ["A visit has a state, such as visit.done.", 0],
  ["A visit has a state, such as visit.done.late.", 1],
])("value/qualified-word: %s", (said, count) => {
  const program =
    '{email: .email, outcome: {"booked": "Booked", "visit.done": "Done", "off": "Called off"}[.state]}';
  const found = inSource("value/qualified-word", program, {
    [comment]: said,
    "/data_intake/0/create/!pipe/0/!http/body": {
      url: "${webhook.url}",
      events: ["visit.booked", "visit.done"],
    },
  });
  expect(found).toHaveLength(count);
});

describe("value/stale-version", () => {
  const found = (body: Readonly<Record<string, string>>, said: string): string[] =>
    findings("value/stale-version", "outbound", {
      [pipeline]: said,
      [target]: {
        "!pipe": [
          { "!http": { path: "/offers/latest", params: { email: "${piped_content.0.email}" } } },
          { "!http": { method: "PATCH", path: "/offers/${piped_content.1.id}", body: { days: 14 } } },
          post("/offers/${piped_content.2.id}/send", body),
        ],
      },
    });
  const before = "${piped_content.1.revision}";
  test.each([
    [{ revision: before }, 1],
    [{ from_revision: before, to_revision: "${piped_content.2.revision}" }, 0],
  ])("%o", (body, count) => {
    expect(found(body, "Offers are sent.")).toHaveLength(count);
  });
  test.each([
    ["A change makes a revision.", 1],
    ["A change of the days makes no new revision.", 0],
  ])("%s", (said, count) => {
    expect(found({ revision: before }, said)).toHaveLength(count);
  });
});

test.each([
  ["open", 1],
  ["none", 0],
  ["other", 0],
])("value/short-of-both: a row named %s", (row, count) => {
  const program = `{email: .email, topics: {won: ["deal.won"], lost: ["deal.lost"], ${row}: ["deal.test"], all: ["deal.won", "deal.lost"]}[\${custom_data.list.value}]}`;
  expect(made("value/short-of-both", program, {})).toHaveLength(count);
});

test.each([
  ["Lists.", "[.items[0] | {display: .name, value: .id}]", 1],
  ["Each account has one list.", "[.items[0] | {display: .name, value: .id}]", 0],
  ["The newest list comes first.", "[.items[0] | {display: .name, value: .id}]", 0],
  ["Lists.", '[.items[0] | {display: "Current list", value: .id}]', 0],
])("setup/only-first-option: %s %s", (said, program, count) => {
  const found = findings("setup/only-first-option", "outbound", {
    [`${fields}/0/_comment`]: said,
    [`${fields}/0/options`]: { "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": program }] },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["Number of guests", 1],
  ["Number of guests in each room", 0],
  ["Number of guests per room", 0],
])("mapping/list-for-text: the title is “%s”", (title, count) => {
  const program = "{email: .email, guests: (.beds | map(.count))}";
  expect(inSource("mapping/list-for-text", program, titled("guests", title))).toHaveLength(count);
});

test.each([
  ["Articles (text)", 1],
  ["Articles (as a list, not as text)", 0],
])("mapping/list-for-text: the title is “%s”", (title, count) => {
  const program = "{email: .email, items: [.lines[].title]}";
  expect(inSource("mapping/list-for-text", program, titled("items", title))).toHaveLength(count);
});

test.each([
  ["Phone", 1],
  ["Phone (not sent yet)", 0],
  ["Phone (coming soon)", 0],
])("mapping/unread-field: the title is “%s”", (title, count) => {
  const found = findings("mapping/unread-field", "outbound", {
    "/workflows/0/setup/map/describe_target/options": [
      { title: "Email", id: "email", required: true },
      { title: "Name", id: "name" },
      { title: "Town", id: "town" },
      { title, id: "phone" },
    ],
    [target]: post("/lists/${custom_data.list.value}", {
      email: "${piped_content.0.email}",
      name: "${piped_content.0.name | default}",
      town: "${piped_content.0.town | default}",
    }),
  });
  expect(found).toHaveLength(count);
});
