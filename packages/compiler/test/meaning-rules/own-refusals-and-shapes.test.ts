import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";
import { cases, jq, post } from "../support/steps.ts";

/** What a program refuses or has made itself, and what comments show of other records: right, beside what is still told. */

const target = "/workflows/0/data_pipeline/target";
const comment = "/data_intake/0/_comment";
const email = "${piped_content.0.email}";
const list = "${custom_data.list.value}";
const inTarget = (rule: string, ...steps: unknown[]): string[] =>
  findings(rule, "outbound", { [target]: { "!pipe": steps } });

test.each([
  ['error("No address.")', 0],
  ['error("Missing: " + (.missing | join(", ")))', 0],
  ["empty", 1],
])("contract/sha-input: a case that ends with %s", (program, count) => {
  const found = inTarget(
    "contract/sha-input",
    jq('{value_to_encrypt: .email, missing: [to_entries[] | select(.value == "") | .key]}'),
    cases("if .missing == [] then 0 else 1 end", jq("."), jq(program)),
    { "!sha": { algorithm: "sha256" } },
    post("/people", { key: "${piped_content.3.hash}", list }),
  );
  expect(found).toHaveLength(count);
});

test.each([
  ["No fitting answer to: ", "open", 0],
  ["Missing: ", "missing", 0],
  ["An email address is needed", "email", 1],
])("jq/missing-where-present: “%s” where `.%s` is there", (said, name, count) => {
  const shown = name === "email" ? "" : ` + (.${name} | join(", "))`;
  const found = inTarget(
    "jq/missing-where-present",
    jq(
      `{email: .email, ${name === "email" ? "" : `${name}: [to_entries[] | select(.value == "") | .key], `}list: ${list}}`,
    ),
    cases(
      `if .${name} != ${name === "email" ? '""' : "[]"} then 0 else 1 end`,
      jq(`error("${said}"${shown})`),
      jq("."),
    ),
    post("/people", "${piped_content.2}"),
  );
  expect(found).toHaveLength(count);
});

test.each([
  ['if .email == "" then error("Who?") else . end', 1],
  ['{email: (.email // "")} | if .email == "" then error("Who?") else . end', 0],
  ['{name: .name, email: (.email // "" | ascii_downcase)} | if .email == "" then empty else . end', 0],
])("jq/missing-as-there: %s", (program, count) => {
  const found = inTarget(
    "jq/missing-as-there",
    jq(program),
    post("/people", { email: "${piped_content.1.email}", list }),
  );
  expect(found).toHaveLength(count);
});

test.each([
  ['(.send_on // "") as $day | {at: ($day + "T09:00:00Z" | fromdate)}', 1],
  [
    '(.send_on // "") as $day | {at: (if $day | test("^[0-9]{4}") then $day + "T09:00:00Z" | fromdate else "" end)}',
    0,
  ],
  [
    '(.send_on // "") as $day | {at: (if $day | test("^[0-9]*$") then $day + "T09:00:00Z" | fromdate else "" end)}',
    1,
  ],
])("jq/fails-on-null: %s", (program, count) => {
  const found = inTarget(
    "jq/fails-on-null",
    jq(program),
    post("/x", { at: "${piped_content.1.at}", email, list }),
  );
  expect(found).toHaveLength(count);
});

describe("response/documented-shape: the same name elsewhere", () => {
  const told = (said: string): string[] =>
    inSource("response/documented-shape", '{email: .email, ref: ("B-" + .booking.owner)}', {
      [comment]: said,
    });
  test.each([
    ["Answers {owner: {id, email}}.", 1],
    ["Answers {owner: {id, email}}. A booking: {id, owner, arrives}; owner is the owner's number.", 0],
  ])("%s", (said, count) => {
    expect(told(said)).toHaveLength(count);
  });
});

test.each([
  ["People have null as records.", 1],
  ["observer is null for records of people who left.", 0],
])("jq/documented-null: %s", (said, count) => {
  const program = "{email: .email, n: (.records | map(.id) | length)}";
  expect(inSource("jq/documented-null", program, { [comment]: said })).toHaveLength(count);
});

test.each([
  ["$meta.snapshot", 0],
  ["$meta.taken_at", 1],
])("polling/early-watermark: since becomes %s beside a page", (value, count) => {
  const found = findings("polling/early-watermark", "inbound-polling", {
    "/data_intake/0/initial_setup": {
      "!jq": '{polling_state: {snapshot: null, since: "2000-01-01T00:00:00Z", page: 1}}',
    },
    "/data_intake/0/request": {
      "!pipe": [
        {
          "!http": {
            path: "/placements",
            params: {
              page: "${polling_state.page}",
              [value.endsWith("at") ? "since" : "snapshot"]: value.endsWith("at")
                ? "${polling_state.since}"
                : "${polling_state.snapshot}",
            },
          },
        },
        jq(
          `.meta as $meta | {results: .items, iterate: ($meta.page < $meta.pages), polling_state: {${value.endsWith("at") ? "since" : "snapshot"}: ${value}, page: (\${polling_state.page} + 1)}}`,
        ),
      ],
    },
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["dropdown", 1],
  ["text", 0],
])("value/name-for-id: a field of the type %s", (type, count) => {
  const found = findings("value/name-for-id", "outbound", {
    "/workflows/0/setup/select/form_fields/1": {
      id: "sender",
      label: "Sender",
      type,
      options: {
        "!pipe": [
          { "!http": { path: "/senders" } },
          jq("[.senders[] | {display: .sender_name, value: .sender_name}]"),
        ],
      },
    },
    [target]: post("/cards", { email, list, sender_id: "${custom_data.sender.value}" }),
  });
  expect(found).toHaveLength(count);
});
