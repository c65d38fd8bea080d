import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Right ones that look like mistakes of people, days, records and options. */

const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/data_intake/0/_comment";
const sourceOptions = "/workflows/0/setup/map/describe_source/options";
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const dropdown = (options: Readonly<Record<string, unknown>>) => ({
  id: "choice",
  label: "Choice",
  type: "dropdown",
  options: Object.entries(options).map(([display, value]) => ({ display, value })),
});
const chosen = (rule: string, options: Readonly<Record<string, unknown>>, program: string): string[] =>
  findings(rule, "outbound", {
    [`${fields}/1`]: dropdown(options),
    [target]: { "!pipe": [{ "!jq": program }, post("/people", "${piped_content.1}")] },
  });

test.each([
  ["The guest must not get this.", 1],
  ["The guest must not get this twice.", 0],
  ["The guest gets the letter, and the host must not see it.", 0],
])("value/excluded-person: %s", (said, count) => {
  const found = inSource("value/excluded-person", "{email: .guest.email}", {
    "/workflows/0/data_pipeline/_comment": said,
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["A patient has a doctor.", 1],
  ["Patients have no email: letters go to the doctor.", 0],
  ["Letters go to the patient, never to the doctor.", 1],
])("value/mixed-people: %s", (said, count) => {
  const program =
    "{email: .doctor.email, first_name: .patient.first_name, last_name: .patient.last_name, phone: .patient.phone}";
  expect(inSource("value/mixed-people", program, { [comment]: said })).toHaveLength(count);
});

test.each([
  [
    'if (.buyer.email // "") == "" then {email: .agent.email, first_name: .buyer.first_name} else null end',
    0,
  ],
  [
    'if (.buyer.email // "") != "" then {email: .agent.email, first_name: .buyer.first_name} else null end',
    1,
  ],
])("value/mixed-people: %s", (program, count) => {
  expect(inSource("value/mixed-people", program)).toHaveLength(count);
});

test.each([
  ["A course has a start.", 1],
  ["Courses are of one day.", 0],
])("the same start and end: %s", (said, count) => {
  const of = (rule: string, program: string) => inSource(rule, program, { [comment]: said });
  expect(
    of("value/doubled-member", "{email: .email, starts_on: .starts_on, ends_on: .starts_on}"),
  ).toHaveLength(count);
  expect(
    of("value/opposite-member", "{email: .email, starts_on: .begins_at[0:10], ends_on: .begins_at[0:10]}"),
  ).toHaveLength(count);
});

describe("value/days-between", () => {
  const days = '(((.last + "T00:00:00Z" | fromdate) - (.first + "T00:00:00Z" | fromdate)) / 86400';
  test.each([
    ["days", "Days, both ends counted", `${days})`, "A hire.", 1],
    ["days", "Days, both ends counted", `${days})`, "last is the day after the end.", 0],
    ["days", "Days (all inclusive)", `${days})`, "A hire.", 0],
    ["nights", "Nights", `${days} + 1)`, "A stay.", 1],
    ["nights", "Nights", `${days.replaceAll(".last", ".last_night")} + 1)`, "A stay.", 0],
  ])("%s, %s: %s %s", (id, title, value, said, count) => {
    const more = {
      [comment]: said,
      [sourceOptions]: [
        { id: "email", title: "Email" },
        { id, title },
      ],
    };
    expect(inSource("value/days-between", `{email: .email, ${id}: ${value}}`, more)).toHaveLength(count);
  });
});

test.each([
  ["Both days count.", 1],
  ["The first day counts. The service takes valid_until as the day after the end.", 0],
])("value/inclusive-days: %s", (said, count) => {
  const program =
    "(${custom_data.choice.value} | tonumber) as $days | {email: .email, valid_from: (now | todate | .[0:10]), valid_until: (now + $days * 86400 | todate | .[0:10])}";
  const found = findings("value/inclusive-days", "outbound", {
    [`${fields}/1`]: dropdown({ "One day": "1", "Five days": "5" }),
    [target]: { "!pipe": [{ _comment: said, "!jq": program }, post("/passes", "${piped_content.1}")] },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["A bill is due.", 1],
  ["The bill was due two weeks ago.", 0],
])("value/past-deadline: %s", (said, count) => {
  const program = '{email: .email, due_on: (now - 14 * 86400 | strftime("%Y-%m-%d"))}';
  const found = findings("value/past-deadline", "outbound", {
    [target]: { "!pipe": [{ _comment: said, "!jq": program }, post("/claims", "${piped_content.1}")] },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["last_name: (.people | min_by(.created_at) | .last_name)", 0],
  ["first_choice: (.wishes | max_by(.changed_at) | .course)", 0],
  ["last_visit: (.visits | min_by(.started_at) | .place)", 1],
])("value/other-extreme: %s", (member, count) => {
  expect(inSource("value/other-extreme", `{email: .email, ${member}}`)).toHaveLength(count);
});

test.each([
  ["A card and a member have ids.", 1],
  ["A card has its member's id.", 0],
])("value/one-id-two-kinds: %s", (said, count) => {
  const program =
    ". as $d | {email: (first($d.members[] | select(.id == $d.member_id)) | .email), card: (first($d.cards[] | select(.id == $d.member_id)) | .code)}";
  expect(inSource("value/one-id-two-kinds", program, { [comment]: said })).toHaveLength(count);
});

test.each([
  [{ "Three days (express)": 3, "One week": 7 }, 1],
  [{ "Three days (cheaper than express)": 3, "One week": 7 }, 0],
])("value/flag-of-other-option: %o", (options, count) => {
  const program = "{email: .email, express: (${custom_data.choice.value} == 7)}";
  expect(chosen("value/flag-of-other-option", options, program)).toHaveLength(count);
});

test.each([
  [
    { "2 days before": "2", "7 days before": "7" },
    "now + (${custom_data.choice.value} | tonumber) * 86400",
    0,
  ],
  [{ "2 days ago": "2", "7 days ago": "7" }, "now + (${custom_data.choice.value} | tonumber) * 86400", 1],
])("value/other-direction: %o %s", (options, time, count) => {
  expect(chosen("value/other-direction", options, `{email: .email, from: (${time} | todate)}`)).toHaveLength(
    count,
  );
});

test.each([
  ["setup/other-scale", { "1 week": "7", "2 weeks": "14", "3 weeks": "99" }, 1],
  ["setup/other-scale", { "1 week": "7", "2 weeks": "14", "More than 2 weeks": "99" }, 0],
  ["setup/other-scale", { "1 day": "1", "2 days": "2", "1 week": "5" }, 0],
  ["setup/exchanged-values", { "Two weeks": "42", "Six weeks": "14" }, 1],
  ["setup/exchanged-values", { "Priority 1": "3", "Priority 2": "2", "Priority 3": "1" }, 0],
  ["setup/exchanged-values", { "Hide closed ones": "open", "Hide open ones": "closed" }, 0],
])("%s: %o", (rule, options, count) => {
  expect(chosen(rule, options, "{email: .email, choice: ${custom_data.choice.value}}")).toHaveLength(count);
});

test.each([
  ["Keep importing", "single", 1],
  ["Import once", "recurring", 1],
  ["Once now, then every half hour", "recurring", 0],
  ["Import not only once", "recurring", 0],
])("setup/import-label: %s", (label, type, count) => {
  const options = { "/workflows/0/setup/schedule/import_options": [{ label, type }] };
  expect(findings("setup/import-label", "inbound-polling", options)).toHaveLength(count);
});

test.each([
  ["[.items[0] | {display: .name, value: .id}]", 1],
  ['[.items[0] | {display: "Newest list", value: .id}]', 0],
])("setup/only-first-option: %s", (program, count) => {
  const options = { "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": program }] };
  expect(findings("setup/only-first-option", "outbound", { [`${fields}/0/options`]: options })).toHaveLength(
    count,
  );
});
