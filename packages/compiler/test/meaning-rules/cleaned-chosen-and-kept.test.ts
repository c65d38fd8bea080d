import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Steps whose result nobody takes, and what one of two ways keeps: other forms, and what is right although it looks alike. */

const inTarget = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });
const send = (body: unknown) => ({
  "!http": { method: "PUT", path: "/lists/${custom_data.list.value}/people", body },
});

describe("pipeline/raw-member", () => {
  const name = "${piped_content.1.name | default}";
  test.each([
    [". + {email: (.email | ascii_downcase)}", 1],
    [".email |= ascii_downcase", 1],
    [".email = (.email | ascii_downcase)", 1],
    [". * {email: (.email | ascii_downcase)}", 1],
    // Nothing is made of it.
    [". + {email: .email}", 0],
    [". + {source: .email}", 0],
    ['.email = "x"', 0],
  ])("%s", (program, count) => {
    const steps = [{ "!jq": program }, send({ email: "${piped_content.0.email}", name })];
    expect(inTarget("pipeline/raw-member", steps)).toHaveLength(count);
  });
  test("is silent where somebody takes the cleaned one", () => {
    const clean = { "!jq": ". + {email: (.email | ascii_downcase)}" };
    const raw = send({ email: "${piped_content.0.email}", name });
    const log = { "!print_c": "Sent ${piped_content.1.email}" };
    expect(inTarget("pipeline/raw-member", [clean, raw, log])).toEqual([]);
    const key = { "!http": { path: "/people/${piped_content.1.email}" } };
    expect(inTarget("pipeline/raw-member", [clean, key, raw])).toEqual([]);
  });
});

describe("pipeline/log-output", () => {
  const log = { "!print_c": "Adds ${piped_content.0.email}" };
  const find = { "!http": { path: "/people/find", params: { email: "${piped_content.0.email}" } } };
  const told = (...steps: unknown[]) => inTarget("pipeline/log-output", steps);
  test.each([
    ["a log entry before a lookup", [log, find, send({ person: "${piped_content.1}" })], ["1"]],
    ["before a program", [find, log, { "!jq": "{a: 1}" }, send({ x: "${piped_content.2}" })], ["2"]],
    ["the lookup itself", [log, find, send({ person: "${piped_content.2}" })], []],
    ["both", [log, find, send({ person: "${piped_content.2}", email: "${piped_content.1.email}" })], []],
    ["behind what only writes", [find, log, send({ a: 1 }), send({ person: "${piped_content.2}" })], []],
    ["the last step before", [find, log, send({ person: "${piped_content.2}" })], []],
  ])("%s", (_, steps, marked) => {
    expect(told(...steps)).toEqual(marked);
  });
});

describe("what is read behind a log entry is read of the step before", () => {
  test("mapping/unread-group", () => {
    const options = [
      { title: "Name", id: "name", group: "person", required: true },
      { title: "Value", id: "value", group: "deal" },
    ];
    const more = { "/workflows/0/setup/map/describe_target/options": options };
    const log = { "!print_c": "For ${piped_content.0.person.name}" };
    const both = { "!jq": "{person, deal: (.deal // {})}" };
    const one = { "!jq": "{person}" };
    expect(inTarget("mapping/unread-group", [log, both, send("${piped_content.2}")], more)).toEqual([]);
    expect(inTarget("mapping/unread-group", [log, one, send("${piped_content.2}")], more)).toHaveLength(1);
  });
});

describe("pipeline/unchosen-record", () => {
  const list = { "!http": { path: "/bookings", params: { email: "${piped_content.0.email}" } } };
  const told = (program: string, condition: string, read: string, index = 1) => {
    const cases: unknown[] = [{ "!error": "There is none." }];
    cases.splice(index, 0, { "!http": { method: "DELETE", path: `/bookings/${read}` } });
    return inTarget("pipeline/unchosen-record", [
      list,
      { "!jq": program },
      { "!switch": { jq: condition, cases } },
    ]);
  };
  const open = '{chosen: ([.bookings[] | select(.state == "open")] | sort_by(.at) | first)}';
  const found = "if .chosen == null then 0 else 1 end";
  const first = "${piped_content.1.bookings[0].id}";
  test.each([
    [open, found, first, 1, 1],
    ["{chosen: (.bookings | max_by(.at))}", found, first, 1, 1],
    ['{chosen: [.bookings[] | select(.state == "open")][0]}', found, first, 1, 1],
    [open, "if .chosen then 1 else 0 end", first, 1, 1],
    [".bookings | max_by(.at)", "if . == null then 0 else 1 end", first, 1, 1],
    // The one that was chosen, what all have in common, and where none was found.
    [open, found, "${piped_content.2.chosen.id}", 1, 0],
    [open, found, "${piped_content.1.bookings[0].customer_id}", 1, 0],
    [open, "if .chosen == null then 1 else 0 end", first, 1, 0],
    ["{chosen: .bookings[0]}", found, first, 1, 0],
    ["{chosen: (.others | max_by(.at))}", found, first, 1, 0],
  ])("%s, %s, %s", (program, condition, read, index, count) => {
    expect(told(program, condition, read, index)).toHaveLength(count);
  });
});

describe("intake/sometimes-saved", () => {
  const told = (cases: readonly unknown[], update: unknown, more: readonly unknown[] = []) =>
    findings("intake/sometimes-saved", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { path: "/hooks" } },
          { "!jq": '{old: ([.hooks[] | select(.name == "crm")] | first)}' },
          { "!switch": { jq: "if .old == null then 0 else 1 end", cases } },
          ...more,
        ],
      },
      "/data_intake/0/update": update,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
    });
  const body = { name: "crm", url: "${webhook.url}" };
  const post = { "!http": { method: "POST", path: "/hooks", body } };
  const put = { "!http": { method: "PUT", path: "/hooks/${piped_content.2.old.id}", body } };
  const save = [{ "!jq": "{hook_id: .id}" }, { "!save": { scope: "workflow" } }];
  const renew = {
    "!pipe": [{ "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body } }, ...save],
  };
  test("of one of two cases, where `update` saves too", () => {
    expect(told([{ "!pipe": [post, ...save] }, put], renew).length).toBeGreaterThan(0);
  });
  test("is silent where each saves, or what follows them", () => {
    expect(
      told([{ "!pipe": [post, ...save] }, { "!pipe": [put, ...save] }], { "!http": { path: "/me" } }),
    ).toEqual([]);
    expect(told([post, put], renew, save)).toEqual([]);
    expect(told([{ "!pipe": [post, ...save] }, { "!error": "There is one." }], renew)).toEqual([]);
  });
});

describe("command/exchanged-cases", () => {
  const told = (jq: string) =>
    findings("command/exchanged-cases", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!switch": {
          jq,
          cases: [
            { "!jq": "null" },
            { "!jq": '{email, _tags: ["Parcel collected"]}' },
            { "!jq": '{email, _tags: ["Parcel expired"]}' },
          ],
        },
      },
    });
  test.each([
    ['if .email == null then 0 else {"parcel.collected": 2, "parcel.expired": 1}[.event] end', 1],
    ['if .email == null then 0 else {"parcel.collected": 1, "parcel.expired": 2}[.event] end', 0],
    ['if .email != null then {"parcel.collected": 2, "parcel.expired": 1}[.event] else 0 end', 1],
  ])("%s", (jq, count) => {
    expect(told(jq)).toHaveLength(count);
  });
});

describe("jq/documented-null", () => {
  const comment = "Person: email, mobile and passed_on may be null.";
  const told = (program: string, text = comment) =>
    inSource("jq/documented-null", program, { "/data_intake/0/_comment": text });
  test.each([
    ['{email: .email, phone: (.mobile | gsub(" "; ""))}', comment, 1],
    ['{email: .email, phone: (.mobile | gsub(" "; ""))}', '{"mobile": null}; mobile may be null.', 1],
    ['{email: .email, phone: ((.mobile // "") | gsub(" "; ""))}', comment, 0],
    // Names before a list are none of it.
    ['{email: .email, phone: (.student | gsub(" "; ""))}', "For a student, phone and fax may be null.", 0],
  ])("%s, %s", (program, text, count) => {
    expect(told(program, text)).toHaveLength(count);
  });

  const behind = (jq: string) =>
    findings("jq/documented-null", "inbound-webhook", {
      "/data_intake/0/_comment": "email, mobile and passed_on may be null.",
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!switch": { jq, cases: [{ "!jq": "null" }, { "!jq": "." }] } },
          { "!jq": 'if . == null then null else {email, phone: (.mobile | gsub(" "; ""))} end' },
        ],
      },
    });
  test.each([
    ['if (.email // "") == "" then 0 else 1 end', 1],
    ["if .mobile == null then 0 else 1 end", 0],
    ['if (.email // "") == "" or (.mobile // "") == "" then 0 else 1 end', 0],
  ])("behind a question for the record: %s", (jq, count) => {
    expect(behind(jq)).toHaveLength(count);
  });
});

describe("polling/half-read-again", () => {
  const told = (rest: string, before = "{polling_state: ${polling_state}}") =>
    inPolling("polling/half-read-again", {
      initial_setup: {
        "!jq": "{polling_state: {from: (now - 86400 | todate), job: null, offset: 0, done: true}}",
      },
      pre_poll: {
        "!switch": {
          jq: "if ${polling_state.job} == null then 0 else 1 end",
          cases: [
            {
              "!pipe": [
                { "!http": { method: "POST", path: "/exports", body: { from: "${polling_state.from}" } } },
                { "!jq": "{polling_state: (${polling_state} + {job: .id, offset: 0, done: false})}" },
              ],
            },
            { "!jq": before },
          ],
        },
      },
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/exports/${polling_state.job}/rows",
              params: { offset: "${polling_state.offset}", limit: 100 },
            },
          },
          {
            "!jq":
              "(${polling_state.offset} + (.rows | length)) as $next | {results: .rows, iterate: ($next < .total), polling_state: (${polling_state} + {offset: $next, done: ($next >= .total)})}",
          },
        ],
      },
      post_poll: {
        "!switch": {
          jq: "if ${polling_state.done} then 1 else 0 end",
          cases: [
            { "!jq": rest },
            { "!jq": "{polling_state: {from: (now | todate), job: null, offset: 0, done: true}}" },
          ],
        },
      },
    });
  test.each([
    ["{polling_state: (${polling_state} + {offset: 0})}", ["0"]],
    [
      "{polling_state: {from: ${polling_state.from}, job: ${polling_state.job}, offset: 0, done: false}}",
      ["0"],
    ],
    ["{polling_state: ${polling_state}}", []],
    // The export is given up, too.
    ["{polling_state: (${polling_state} + {job: null, offset: 0})}", []],
  ])("%s", (rest, marked) => {
    expect(told(rest)).toEqual(marked);
  });
});
