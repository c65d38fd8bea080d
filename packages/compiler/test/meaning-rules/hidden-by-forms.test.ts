import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

const source = (jq: string, more: Record<string, unknown> = {}, rule = "value/other-unit"): number =>
  findings(rule, "inbound-webhook", { ...more, "/workflows/0/data_pipeline/source": { "!jq": jq } }).length;

describe("value/other-unit: a share under percent", () => {
  const told = (value: string): number => source(`. as $p | {email: .email, done_percent: ${value}}`);
  test.each([
    ["(.lessons_done / .lessons_total | round)"],
    ["(if .lessons_total == 0 then 0 else (.lessons_done / .lessons_total | round) end)"],
    ["(.used_cents / .limit_cents)"],
    ["(($p.seats_booked + $p.seats_held) / $p.seats_total | floor)"],
  ])("told: %s", (value) => expect(told(value)).toBe(1));
  test.each([
    ["(.lessons_done / .lessons_total * 100 | round)"],
    ["(.lessons_done * 100 / .lessons_total | round)"],
    ["(.percent_sum / .lessons_total | round)"],
    ["(.score / .total)"],
    ["(.hours / .visits | round)"],
    ["(100 - .left / .total)"],
  ])("not told: %s", (value) => expect(told(value)).toBe(0));
});

describe("value/documented-time: a service that counts in epoch milliseconds", () => {
  const told = (comment: string, value: string): number =>
    source(
      `{email: .email, seen_on: ${value}}`,
      { "/data_intake/0/_comment": comment },
      "value/documented-time",
    );
  const wrong = '(if .seen_at == null then null else (.seen_at | strftime("%Y-%m-%d")) end)';
  const right = '(if .seen_at == null then null else (.seen_at / 1000 | strftime("%Y-%m-%d")) end)';
  test.each([
    ["Cellarline counts in epoch milliseconds."],
    ["The API counts in Unix milliseconds."],
    ["Vaultline works in epoch milliseconds throughout."],
  ])("told: %s", (comment) => {
    expect(told(comment, wrong)).toBe(1);
    expect(told(comment, right)).toBe(0);
  });
  test.each([
    ["The cursor counts in epoch milliseconds."],
    ["Since counts in epoch milliseconds."],
    ["Cellarline counts in milliseconds of play."],
  ])("not told: %s", (comment) => expect(told(comment, wrong)).toBe(0));
});

describe("jq/text-as-condition: numbers by what their pipeline does with them", () => {
  const told = (steps: readonly unknown[], condition: string, made = "{a: 1}"): number =>
    findings("jq/text-as-condition", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          ...steps,
          {
            "!switch": {
              jq: `if ${condition} then 0 else 1 end`,
              cases: [{ "!http": { method: "POST", path: "/lists/x/pages" } }, { "!jq": made }],
            },
          },
        ],
      },
    }).length;
  const job = {
    "!jq":
      "({routine: {priority: 4}, soon: {priority: 2}}[${custom_data.list.value}]) as $u | {priority: $u.priority, email: .email}",
  };
  const posts = { "!http": { method: "POST", path: "/lists/x/jobs", body: "${piped_content.1}" } };
  const asks = { "!http": { path: "/stock/7", params: { email: "${piped_content.0.email}" } } };
  const stock = {
    "!jq": "{wanted: (3 * .wine.bottles_per_case), free: .stock.free_bottles}",
  };
  test("told", () => {
    expect(told([job, posts], ".job.priority")).toBe(1);
    expect(told([job, posts], "(.job.priority | not)")).toBe(1);
    expect(told([asks, stock], ".free")).toBe(1);
    expect(told([asks], "(.depth > 3) and .depth")).toBe(1);
  });
  test("not told", () => {
    expect(told([job, posts], ".job.priority == 1")).toBe(0);
    expect(told([job, posts], ".job.urgent")).toBe(0);
    expect(told([asks, stock], ".free >= .wanted")).toBe(0);
    // Whether a time is there is often asked, and what is used then may be missing.
    expect(told([{ "!jq": "{due_at: 1800000000, email: .email}" }, posts], ".job.due_at")).toBe(0);
    expect(told([job, posts], ".job.priority", "${piped_content.2.job.priority}")).toBe(0);
    // A 1 may be a flag.
    expect(told([{ "!jq": "{urgent: 1, email: .email}" }, posts], ".job.urgent")).toBe(0);
    expect(told([asks, { "!jq": "{x: .wine.bottles_per_case, free: .needs_bottles}" }], ".free")).toBe(0);
  });
});

const piped = (before: readonly unknown[], last: unknown) =>
  before.length === 0 ? last : { "!pipe": [...before, last] };

describe("jq/empty-text: an id that one case says isn't there", () => {
  const told = (
    asked: string,
    message: string,
    path: string,
    more: Record<string, unknown> = {},
    before: readonly unknown[] = [],
  ): number =>
    findings("jq/empty-text", "inbound-webhook", {
      ...more,
      "/workflows/0/data_pipeline/source": piped(before, {
        "!switch": {
          jq: `if ${asked} then 0 else 1 end`,
          cases: [
            { "!pipe": [{ "!print_c": message }, { "!jq": "null" }] },
            { "!pipe": [{ "!http": { path } }, { "!jq": "{email: .email, name: .name}" }] },
          ],
        },
      }),
    }).length;
  const path = "/customers/${piped_content.0.job.customer_id}";
  test("told", () => {
    expect(told('.job.customer_id == ""', "Job ${piped_content.0.job.number} has no customer", path)).toBe(1);
    expect(told('"" == .job.customer_id', "A job without a customer", path)).toBe(1);
    expect(told('.customer_id == ""', "No customer.", "/people/${piped_content.0.customer_id}")).toBe(1);
  });
  test("not told", () => {
    expect(told(".job.customer_id == null", "No customer.", path)).toBe(0);
    expect(told('(.job.customer_id // "") == ""', "No customer.", path)).toBe(0);
    expect(told('.job.customer_id == ""', "Closed already.", path)).toBe(0);
    // A step before writes an empty text where there is none.
    const made = { "!jq": '{customer_id: (.jobs[0].customer_id // "")}' };
    expect(
      told('.customer_id == ""', "No customer.", "/customers/${piped_content.1.customer_id}", {}, [made]),
    ).toBe(0);
    expect(told('.job.customer_id == ""', "No customer.", "/customers/latest")).toBe(0);
    expect(
      told('.job.customer_id == ""', "No customer.", path, {
        "/data_intake/0/_comment": "customer_id is empty for walk-ins.",
      }),
    ).toBe(0);
  });
});

describe("what is always so, in other forms", () => {
  const field = (type: string) => ({
    "/workflows/0/setup/select/form_fields/1": {
      id: "court",
      label: "Court",
      type,
      required: false,
      ...(type === "multiselect" ? { options: [{ display: "A", value: "a" }] } : {}),
    },
  });
  const told = (jq: string, rule = "jq/contradiction", type = "text"): number =>
    source(jq, field(type), rule);
  const court = "${custom_data.court.value | default}";
  test.each([
    ["if (.errors | length) + (.warnings | length) >= 0 then {email: .email} else null end"],
    ["if ((.a | length) * 2) + (.b // [] | length) < 0 then null else {email: .email} end"],
    [`{email: .email, court: ${court}} | if .court == null then del(.court) else . end`],
    [`${court} as $c | if $c == [] then {email: .email} else {email: .email, court: $c} end`],
    [`{email: .email} + (if ${court} == {} then {} else {court: ${court}} end)`],
  ])("told: %s", (jq) => expect(told(jq)).toBe(1));
  test.each([
    ["if (.errors | length) + (.warnings | length) > 0 then null else {email: .email} end"],
    ["if (.a | length) - (.b | length) >= 0 then {email: .email} else null end"],
    ["if (.a | length) + .balance >= 0 then {email: .email} else null end"],
    [`{email: .email, court: ${court}} | if .court == "" then del(.court) else . end`],
    [`{email: .email, court: ${court}} | .court = .other | if .court == null then del(.court) else . end`],
    [`${court} as $c | if $c == "" then {email: .email} else {email: .email, court: $c} end`],
  ])("not told: %s", (jq) => expect(told(jq)).toBe(0));
  test("several may be chosen", () => {
    expect(
      told(`if ${court} == [] then null else {email: .email} end`, "jq/contradiction", "multiselect"),
    ).toBe(0);
  });
  test("what is made a number is never null", () => {
    const number = (asked: string) =>
      told(
        `(${court} | tonumber) as $n | {email: .email, n: (if ${asked} then 0 else $n end)}`,
        "jq/never-null",
      );
    expect(number("$n == null")).toBe(1);
    expect(number("$n == 0")).toBe(0);
    expect(
      told(
        "(.n | tonumber?) as $n | {email: .email, n: (if $n == null then 0 else $n end)}",
        "jq/never-null",
      ),
    ).toBe(0);
    expect(
      told(
        "(.n | if . == null then . else tonumber end) as $n | {email: .email, n: (if $n == null then 0 else $n end)}",
        "jq/never-null",
      ),
    ).toBe(0);
  });
});

describe("jq/record-as-id: one of a list, where there is one", () => {
  const told = (value: string): number =>
    findings("jq/record-as-id", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people/search", params: { email: "${piped_content.0.email}" } } },
          { "!jq": `{id: ${value}, email: \${piped_content.0.email}}` },
          { "!http": { method: "POST", path: "/people/${piped_content.2.id}/letters" } },
        ],
      },
    }).length;
  test("told and not told", () => {
    expect(told("(if .people == [] then null else .people[0] end)")).toBe(1);
    expect(told('(if (.people | length) > 1 then error("Two") else .people[0] end)')).toBe(1);
    expect(told("(if .people == [] then null else .people[0].id end)")).toBe(0);
    expect(told("(if .exact then .person_id else null end)")).toBe(0);
  });
});

describe("jq/missing-member: `?` lets null through", () => {
  const told = (jq: string): number =>
    findings("jq/missing-member", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!switch": { jq, cases: [{ "!respond": {} }, { "!respond": { process_payload: true } }] },
      },
    }).length;
  test.each([
    ['if .kind? == "ping" then 0 else 1 end', 1],
    ['if (try .kind catch "") == "ping" then 0 else 1 end', 1],
    ['${piped_content.0} as $call | if $call.kind? == "ping" then 0 else 1 end', 1],
    ['if .body.kind? == "ping" then 0 else 1 end', 0],
    ['if (.kind? // .body.kind?) == "ping" then 0 else 1 end', 0],
    ['if ([.. | .kind?] | index("ping")) != null then 0 else 1 end', 0],
    ['if (.body | objects | .kind?) == "ping" then 0 else 1 end', 0],
  ])("%s", (jq, count) => expect(told(jq)).toBe(count));
});

describe("polling/wrong-end: a place that is reckoned", () => {
  const told = (param: string, value: string, size = "limit"): number =>
    inPolling("polling/wrong-end", {
      initial_setup: { "!jq": "{polling_state: {after: 0}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/rows",
              params: { [param]: "${polling_state.after}", sort: "id", [size]: 250 },
            },
          },
          {
            "!jq": `(.rows | length == 250) as $more | {results: .rows, iterate: $more, polling_state: (\${polling_state} | .after = if $more then ${value} else 0 end)}`,
          },
        ],
      },
    }).length;
  test.each([
    ["the first one, and one more", "min_id", ".rows[0].id + 1", 1],
    ["the last one, and one more", "min_id", ".rows[-1].id + 1", 0],
    ["the last one", "after_id", ".rows[-1].id", 0],
  ])("%s", (_, param, value, count) => expect(told(param, value)).toBe(count));

  test("a page's size under any name, by what the length is compared with", () => {
    expect(told("after_id", ".rows[0].id", "anzahl")).toBe(1);
    expect(told("after_id", ".rows[-1].id", "anzahl")).toBe(0);
  });
});
