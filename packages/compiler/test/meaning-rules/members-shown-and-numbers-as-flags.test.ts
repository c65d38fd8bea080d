import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Records that comments show, numbers beside true and false, blanks in paths, and values that stand twice. */

const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/data_intake/0/_comment";
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const list = {
  id: "list",
  label: "List",
  type: "dropdown",
  options: {
    "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.items[] | {display: .name, value: .id}]" }],
  },
};

describe("response/undocumented-member", () => {
  const read = (said: string, program: string): string[] =>
    findings("response/undocumented-member", "outbound", {
      [target]: {
        "!pipe": [
          { _comment: said, ...post("/people", { email: "${piped_content.0.email}" }) },
          { "!jq": program },
          post("/lists/${custom_data.list.value}/people", "${piped_content.2}"),
        ],
      },
    });
  const known = "Answers {person: {id, state, joined_on}}.";
  const built = (member: string): string => `{id: .person.id, state: .person.state, on: .person.${member}}`;

  test.each([
    [known, built("since"), [".person.since"]],
    [known, built("joined_on"), []],
    // A record that isn't shown to its end.
    ["Answers {person: {id, state, joined_on, …}}.", built("since"), []],
    // What else is said of it.
    [`${known} since is null for guests.`, built("since"), []],
    // Little of it is read, or more than one member that isn't shown.
    [known, "{id: .person.id, on: .person.since}", []],
    [known, "{id: .person.id, state: .person.state, on: .person.since, by: .person.host}", []],
    // The author takes both forms.
    [known, "{id: .person.id, state: .person.state, on: (.person.since // .person.joined_on)}", []],
    // What is sent isn't what is answered.
    ["Wants {person: {id, state, joined_on}}.", built("since"), []],
  ])("%s %s", (said, program, found) => {
    expect(read(said, program)).toEqual(found);
  });

  test("of a payload", () => {
    const said = { [comment]: "Payload: {topic, email, given, family}." };
    const program = (member: string): string =>
      `if .topic == "left" then null else {email: .email, first_name: .given, last_name: .${member}} end`;
    expect(inSource("response/undocumented-member", program("surname"), said)).toEqual([".surname"]);
    expect(inSource("response/undocumented-member", program("family"), said)).toEqual([]);
  });
});

test.each([
  ["if .pence == false then null else .pence / 100 end", 1],
  ["if .pence != false then .pence / 100 else null end", 1],
  ["if .pence == null then null else .pence / 100 end", 0],
  // Services that send false for nothing send it for texts.
  ["if .phone == false then null else .phone end", 0],
  ["if .paid == false then null else .pence / 100 end", 0],
  ["if .pence == false then null else .pence + .fee end", 0],
])("jq/number-as-flag: %s", (program, count) => {
  expect(inSource("jq/number-as-flag", `{email: .email, price: (${program})}`)).toHaveLength(count);
});

test("jq/number-as-flag: a comment says that false stands for no number", () => {
  const told = (comment: string): string[] =>
    findings("jq/number-as-flag", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        _comment: comment,
        "!jq": "{email: .email, price: (if .pence == false then null else .pence / 100 end)}",
      },
    });
  expect(told("pence is false where nothing was paid.")).toEqual([]);
  expect(told("pence is what was paid.")).toHaveLength(1);
});

test.each([
  ["/users/ ${custom_data.list.value}/people", 1],
  ["/users /people", 1],
  ["/Our lists/people", 0],
  ["/people?filter=name eq 'a / b'", 0],
  ["/lists/${ custom_data.list.value }/people", 0],
  ["/people ", 0],
])("http/blank-in-path: %s", (path, count) => {
  const changes = { [target]: post(path, { email: "${piped_content.0.email}" }) };
  expect(findings("http/blank-in-path", "outbound", changes)).toHaveLength(count);
});

test.each([
  ["(.emails[0] // .emails[0] | .address)", 1],
  ["(.work // .home // .work)", 1],
  ["(.work // .home // null)", 0],
  ['(.work // "" // "")', 0],
])("jq/idle-alternative: %s", (value, count) => {
  expect(inSource("jq/idle-alternative", `{email: ${value}}`)).toHaveLength(count);
});

test.each([
  [
    'if (.parcel.email // "") == "" then null else .parcel as $p | {email: $p.recipient.email, first_name: $p.recipient.name} end',
    1,
  ],
  // The other one is taken where there is one.
  [
    'if (.parcel.email // "") == "" then .parcel as $p | {email: $p.recipient.email, first_name: $p.recipient.name} else {email: .parcel.email} end',
    0,
  ],
  [
    'if (.parcel.email // "") == "" then null else .parcel as $p | {email: $p.recipient.email, sender: .parcel.email} end',
    0,
  ],
])("value/mixed-people: %s", (program, count) => {
  expect(inSource("value/mixed-people", program)).toHaveLength(count);
});

test.each([
  ["if .total == 0 then 0 else 1 end", "{until: (now + 2 * 86400 | todate), id: .items[1].id}", "2"],
  [
    "if .total > 1 then 0 else 1 end",
    "{until: (now + 2 * 86400 | todate), id: .items[0].id, least: 1}",
    '"weeks"',
  ],
])("unused/required-field: a constant beside cases and places: %s", (condition, program, marked) => {
  const weeks = {
    id: "weeks",
    label: "Weeks",
    type: "dropdown",
    options: ["1", "2"].map((value) => ({ display: value, value })),
  };
  const found = findings("unused/required-field", "outbound", {
    [fields]: [list, weeks],
    [target]: {
      "!pipe": [
        { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
        { "!switch": { jq: condition, cases: [{ "!error": "Nobody" }, { "!jq": "." }] } },
        { "!jq": program },
        post("/lists/${custom_data.list.value}/people", "${piped_content.3}"),
      ],
    },
  });
  expect(found).toEqual([marked]);
});

test.each([
  ["if .people then 1 elif .people == [] then 0 else 2 end", 1],
  ["if .people then 1 elif (.people | length) == 0 then 0 else 2 end", 1],
  ["if .people and .people != [] then 1 else 0 end", 0],
  ["if .people then (if (.people | length) == 0 then 0 else 1 end) else 0 end", 0],
])("jq/list-as-null: %s", (condition, count) => {
  const found = findings("jq/list-as-null", "outbound", {
    [target]: {
      "!pipe": [
        { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
        {
          "!switch": {
            jq: condition,
            cases: [{ "!error": "Nobody" }, { "!jq": "{person_id: .people[0].id}" }, { "!error": "Several" }],
          },
        },
        post("/lists/${custom_data.list.value}/people", "${piped_content.2}"),
      ],
    },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ['{"rows": [{"id", "name"}]}', 1],
  ['{"rows": {"id", "name"}}', 0],
])("response/documented-shape: %s of the request itself", (said, count) => {
  const found = findings("response/documented-shape", "outbound", {
    [target]: {
      "!pipe": [
        { _comment: said, "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
        { "!jq": "{person_id: .rows.id}" },
        post("/lists/${custom_data.list.value}/people", "${piped_content.2}"),
      ],
    },
  });
  expect(found).toHaveLength(count);
});

test.each([
  [".name", 1],
  [".id", 0],
])("setup/other-option-value: %s in a path, where another field sends ids", (value, count) => {
  const options = (kept: string) => ({
    "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": `[.items[] | {display: .name, value: ${kept}}]` }],
  });
  const found = findings("setup/other-option-value", "outbound", {
    [fields]: [
      { ...list, options: options(value) },
      { ...list, id: "other", label: "Other", options: options(".id") },
    ],
    [target]: post("/lists/${custom_data.list.value}/people", { list_id: "${custom_data.other.value}" }),
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["ID!", 1],
  ["String!", 0],
])("value/name-for-id: a variable that a step makes, declared as %s", (type, count) => {
  const room = {
    ...list,
    id: "room",
    label: "Room",
    options: {
      "!pipe": [{ "!http": { path: "/rooms" } }, { "!jq": "[.rooms[] | {display: .name, value: .name}]" }],
    },
  };
  const query = `mutation Book($room: ${type}, $email: String!) { book(where: $room, email: $email) { ok } }`;
  const found = findings("value/name-for-id", "outbound", {
    [fields]: [room],
    [target]: {
      "!pipe": [
        { "!jq": "{room: ${custom_data.room.value}, email: .email}" },
        post("/graphql", { query, variables: "${piped_content.1}" }),
      ],
    },
  });
  expect(found).toHaveLength(count);
});
