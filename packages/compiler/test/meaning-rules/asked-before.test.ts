import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings, inPolling } from "../support/rule-findings.ts";

/** What was asked before: a request that a `!switch` leaves out where there is nothing, and lists of one thing. */

const target = "/workflows/0/data_pipeline/target";
const lot = "/workflows/0/setup/select/form_fields/1";
const chosen = "${custom_data.lot.value | default}";

describe("http/empty-segment in a case", () => {
  const told = (jq: string, ...cases: readonly object[]): string[] =>
    findings("http/empty-segment", "outbound", {
      [lot]: dropdown("lot", { a: "A", b: "B" }, { required: false }),
      [target]: { "!switch": { jq, cases } },
    });
  const put = { "!http": { method: "PUT", path: `/lots/${chosen}/bids`, body: { amount: 1 } } };
  const log = { "!print_c": "No lot." };

  test.each([
    [`if "${chosen}" == "" then 0 else 1 end`],
    [`if ${chosen} != "" then 1 else 0 end`],
    [`["${chosen}" | select(. != "")] | length`],
    [`"${chosen}" as $lot | if $lot == "" or .email == null then 0 else 1 end`],
    [`if ("${chosen}" | length) > 0 and .vip then 1 else 0 end`],
  ])("right: %s", (jq) => {
    expect(told(jq, log, put)).toEqual([]);
  });

  test.each([
    [`if "${chosen}" == "" then 0 else 1 end`],
    [`if "${chosen}" == "" and .email == null then 1 else 0 end`],
  ])("%s", (jq) => {
    expect(told(jq, put, log)).toEqual([chosen]);
  });
});

describe("http/empty-segment of a member that the `!switch` asks for", () => {
  const put = (path: string): object => ({ "!http": { method: "PUT", path, body: { amount: 1 } } });
  const log = { "!print_c": "No lot." };
  const told = (jq: string, ...cases: readonly object[]): string[] =>
    findings("http/empty-segment", "outbound", {
      [target]: {
        "!pipe": [
          { "!jq": "{id: (.email // null | if . == null then null else tostring end), email}" },
          { "!switch": { jq, cases } },
        ],
      },
    });

  test.each(["if .id != null then 1 else 0 end", "if .id == null or .email == null then 0 else 1 end"])(
    "right: %s",
    (jq) => {
      expect(told(jq, log, put("/lots/${piped_content.1.id}"))).toEqual([]);
      expect(told(jq, log, { "!pipe": [put("/lots/${piped_content.0.id}")] })).toEqual([]);
    },
  );
  test.each(["if .id != null then 0 else 1 end", "if .email != null then 1 else 0 end"])("%s", (jq) => {
    expect(told(jq, log, put("/lots/${piped_content.1.id}"))).toEqual(["${piped_content.1.id}"]);
  });
});

describe("http/empty-segment of a key that pre_poll sets", () => {
  const told = (jq: string, order: string): string[] =>
    inPolling("http/empty-segment", {
      initial_setup: { "!jq": "{polling_state: {job: null, page: 1}}" },
      pre_poll: {
        "!switch": {
          jq,
          cases: [
            {
              "!pipe": [
                { "!jq": "{page: 1}" },
                { "!http": { method: "POST", path: "/exports", body: { of: "all" } } },
                { "!jq": order },
              ],
            },
            { "!jq": "{polling_state}" },
          ],
        },
      },
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/exports/${polling_state.job}/rows",
              params: { page: "${polling_state.page}" },
            },
          },
          {
            "!jq":
              "if .more then {results: .items, iterate: true, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})} else {results: .items, iterate: false, polling_state: {job: null, page: 1}} end",
          },
        ],
      },
      post_poll: undefined,
    });

  test.each([
    ["if .polling_state.job == null then 0 else 1 end", "{polling_state: {job: (.id | tostring), page: 1}}"],
    ["if .polling_state.job then 1 else 0 end", "{polling_state: {job: .id, page: 1}}"],
    [
      "if .polling_state.job == null then 0 else 1 end",
      "{polling_state: (${piped_content.1} + {job: (.id | tostring)})}",
    ],
  ])("right: %s %s", (jq, order) => {
    expect(told(jq, order)).toEqual([]);
  });

  test("another key is asked for", () => {
    const order = "{polling_state: {job: (.id | tostring), page: 1}}";
    expect(told("if .polling_state.page == 1 then 0 else 1 end", order)).toEqual(["${polling_state.job}"]);
  });
});

describe("command/count-as-index", () => {
  const told = (jq: string): string[] =>
    findings("command/count-as-index", "outbound", {
      [lot]: dropdown("lot", { a: "A", b: "B" }, { required: false }),
      [target]: {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          {
            "!switch": {
              jq,
              cases: [
                { "!print_c": "None." },
                { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } },
              ],
            },
          },
        ],
      },
    });

  test.each([
    [`["${chosen}" | select(. != "")] | length`, 0],
    ["[.id | values] | length", 0],
    ["[first(.people[])] | length", 0],
    [".people | length", 1],
    ["[.people[]] | length", 1],
    ["[.people[].id | values] | length", 1],
    ["[.id] | map(values) | length", 0],
    ['[.id] | map(select(. != "")) | sort | length', 0],
    ["[.id, .owner_id] | map(values) | length", 1],
    ["[.people] | map(.[]) | length", 1],
  ])("%s", (jq, count) => {
    expect(told(jq)).toHaveLength(count);
  });

  test("no more are asked for than there are cases", () => {
    const read = (params: object, program: string): string[] =>
      findings("command/count-as-index", "outbound", {
        [target]: {
          "!pipe": [
            { "!http": { path: "/people", params: { email: "${piped_content.0.email}", ...params } } },
            { "!jq": program },
            {
              "!switch": {
                jq: ".found | length",
                cases: [{ "!print_c": "None." }, { "!print_c": "One." }, { "!print_c": "Two." }],
              },
            },
          ],
        },
      });
    expect(read({ limit: 2 }, "{found: [.people[]?.id], email: ${piped_content.0.email}}")).toEqual([]);
    expect(read({}, "{found: [.people[]?.id]}")).toEqual([".found | length"]);
    expect(read({ limit: 20 }, "{found: [.people[]?.id]}")).toEqual([".found | length"]);
    expect(read({ limit: 2 }, "{found: [.people[].orders[].id]}")).toEqual([".found | length"]);
  });
});

test("value/other-spelling: ids of what is mapped are names", () => {
  const options = (ids: readonly string[]): object => ({
    "!jq": `[${ids.map((id) => `{id: "${id}", title: "The ${id.length}"}`).join(", ")}]`,
  });
  const found = findings("value/other-spelling", "inbound-webhook", {
    "/workflows/0/setup/map/describe_source/options": options(["email", "firstName"]),
    "/workflows/0/setup/map/describe_target/options": options(["email", "first_name"]),
  });
  expect(found).toEqual([]);
});
