import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Where reading ends and begins again, and what is kept where there is nothing. */

const jq = (program: string) => ({ "!jq": program });
const pipe = (...steps: readonly unknown[]) => ({ "!pipe": steps });
const choose = (condition: string, ...cases: readonly unknown[]) => ({ "!switch": { jq: condition, cases } });
const get = (path: string, params: Readonly<Record<string, unknown>> = {}) => ({ "!http": { path, params } });

describe("polling/reversed-end", () => {
  const told = (iterate: string, state = "($s + {page: ($s.page + 1)})"): string[] =>
    inPolling("polling/reversed-end", {
      request: pipe(
        get("/customers", { page: "${polling_state.page}", since: "${polling_state.since}" }),
        jq(
          `\${polling_state} as $s | .parts as $all | {results: .items, iterate: ${iterate}, polling_state: ${state}}`,
        ),
      ),
    });

  test.each([
    "(.part > .parts)",
    "($s.part > $all)",
    "(.part >= .total_parts and .items != [])",
    "(.parts < .part)",
  ])("%s", (iterate) => expect(told(iterate)).toHaveLength(1));
  test("beside `iterate`", () =>
    expect(
      told("(.page < .pages)", "(if .page > .pages then $s | .page += 1 else $s | .page = 1 end)"),
    ).toEqual([".page > .pages"]));
  test.each([
    ["(.page < .pages)", undefined],
    ["($all > $s.page)", undefined],
    // Counted down.
    ["(.pages_left > .page)", undefined],
    ["(.page < .pages)", "(if .page < .pages then $s | .page += 1 else $s | .page = 1 end)"],
    ["(.page < .pages)", "(if .page >= .pages then $s | .page = 1 else $s | .page += 1 end)"],
  ])("right: %s, %s", (iterate, state) => expect(told(iterate, state)).toEqual([]));
});

describe("polling/same-request: the state through a step", () => {
  const told = (page: string): string[] =>
    inPolling("polling/same-request", {
      request: pipe(
        jq('.polling_state + {lists: "${custom_data.list.value}"}'),
        get("/customers", { page: "${piped_content.1.page}", list: "${piped_content.1.lists}" }),
        jq(
          `\${piped_content.1} as $s | {results: .items, iterate: .has_more, polling_state: (if .has_more then {since: $s.since, page: ${page}} else {since: now, page: 1} end)}`,
        ),
      ),
      pre_poll: undefined,
      post_poll: undefined,
    });
  test("stays", () => expect(told("$s.page")).toHaveLength(1));
  test("right", () => expect(told("($s.page + 1)")).toEqual([]));
});

describe("polling/late-start: a token that outlives its list", () => {
  const told = (next: string): string[] =>
    inPolling("polling/late-start", {
      initial_setup: jq('{polling_state: {since: "2026-01-01T00:00:00Z", next: null}}'),
      pre_poll: undefined,
      post_poll: undefined,
      request: pipe(
        choose(
          "if .polling_state.next == null then 0 else 1 end",
          get("/customers", { changed_since: "${polling_state.since}" }),
          { "!http": { url: "${polling_state.next}" } },
        ),
        jq(
          `{results: .items, iterate: (.links.next != null), polling_state: {since: (if .links.next == null then .meta.as_of else \${polling_state.since} end), next: ${next}}}`,
        ),
      ),
    });
  test("is kept", () => expect(told("(.links.next // ${polling_state.next})")).toHaveLength(1));
  test("right", () => expect(told(".links.next")).toEqual([]));
});

describe("polling/failed-move, polling/kept-job", () => {
  const commands = (failed: string, done = "{since: .until, job: null}") => ({
    initial_setup: jq("{polling_state: {since: (now - 86400 | todate), job: null}}"),
    pre_poll: choose(
      "if ${polling_state.job} == null then 0 else 1 end",
      pipe(
        { "!http": { method: "POST", path: "/exports", body: { changed_since: "${polling_state.since}" } } },
        jq("{polling_state: (${polling_state} + {job: .id})}"),
      ),
      jq("{polling_state: ${polling_state}}"),
    ),
    request: pipe(
      get("/exports/${polling_state.job}"),
      choose(
        'if .state == "done" then (if .rows == null then 1 else 0 end) elif .state == "failed" then 2 else 3 end',
        jq(`{results: [.rows | splits("\\n") | {line: .}], iterate: false, polling_state: ${done}}`),
        jq("{results: [], iterate: false, polling_state: {since: .until, job: null}}"),
        jq(`{results: [], iterate: false, polling_state: ${failed}}`),
        jq("{results: [], iterate: false, polling_state: ${polling_state}}"),
      ),
    ),
    post_poll: undefined,
  });
  const again = "{since: ${polling_state.since}, job: null}";
  test("a failed job moves the start", () =>
    expect(inPolling("polling/failed-move", commands("{since: .until, job: null}"))).toEqual([".until"]));
  test("a job stays by its own id", () =>
    expect(inPolling("polling/kept-job", commands(again, "{since: .until, job: .id}"))).toEqual([".id"]));
  test.each(["polling/failed-move", "polling/kept-job", "polling/failed-job", "polling/dropped-job"])(
    "right: %s",
    (rule) => expect(inPolling(rule, commands(again))).toEqual([]),
  );
});

describe("http/own-member", () => {
  const told = (params: Readonly<Record<string, unknown>>): string[] =>
    inPolling("http/own-member", { request: pipe(get("/customers", params), jq("{results: .items}")) });
  test.each([{ page: 100, per_page_max: "x", size: "${polling_state.page}" }])("%j", (params) =>
    expect(told(params)).toHaveLength(1),
  );
  test.each([
    { page: "${polling_state.page}", size: 100 },
    // A window begins where the one before it ended.
    { from: "${polling_state.to}", to: "2026-01-01" },
    { changed_since: "${polling_state.since}", since_id: "0" },
  ])("right: %j", (params) => expect(told(params)).toEqual([]));
});

describe("jq/keeps-only-empty", () => {
  test.each([
    "{email: .email} + ({name, phone} | with_entries(select(.value == null)))",
    '{email: .email} + ({name, phone} | with_entries(select(.value == null or .value == "")))',
    '{email: .email, name: ([.first, .last] | map(select(. == "")) | join(" "))}',
    "{email: .email} + ({name} | map_values(select(. == null)))",
  ])("%s", (program) => expect(inSource("jq/keeps-only-empty", program)).toHaveLength(1));
  test.each([
    "{email: .email} + ({name, phone} | with_entries(select(.value != null)))",
    '{email: .email, missing: ({name, phone} | with_entries(select(.value == null)) | keys | join(", "))}',
    "{email: .email, missing: ([.first, .last] | map(select(. == null)) | length)}",
    "if ([.first, .last] | map(select(. == null))) == [] then {email: .email} else null end",
    // What is asked for is another member.
    "{email: .email, open: (.visits | map(select(.ended_on == null)))}",
  ])("right: %s", (program) => expect(inSource("jq/keeps-only-empty", program)).toEqual([]));
});

describe("jq/scaled-twice", () => {
  test.each([
    "{email: .email, p: (.p * 10 | round * 10)}",
    "{email: .email, p: ((.p * 100 | round) * 100)}",
    "{email: .email, p: (.p * 100 | floor | . * 100)}",
  ])("%s", (program) => expect(inSource("jq/scaled-twice", program)).toHaveLength(1));
  test.each([
    "{email: .email, p: (.p * 10 | round / 10)}",
    // To whole tens.
    "{email: .email, p: (.p / 10 | round * 10)}",
    "{email: .email, p: (.p * 60 | round * 10)}",
  ])("right: %s", (program) => expect(inSource("jq/scaled-twice", program)).toEqual([]));
});

describe("jq/missing-where-present: what every address has", () => {
  const rule = "jq/missing-where-present";
  test.each([
    'if (.email // "" | test("@")) then null else {email: .email} end',
    'if (.email | contains("@")) then null else {email: .email} end',
    'if (.email // "" | test("^[^@ ]+@[^@ ]+$") | not) then {email: .email} else null end',
  ])("%s", (program) => expect(inSource(rule, program)).toHaveLength(1));
  test.each([
    'if (.email // "" | test("@") | not) then null else {email: .email} end',
    // Our own people.
    'if (.email // "" | test("@shop\\\\.example$")) then null else {email: .email} end',
    'if (.email // "" | contains("+")) then null else {email: .email} end',
    // Such patterns would take for ever.
    `if (.email // "" | test("${".*".repeat(60)}!")) then null else {email: .email} end`,
    'if (.email // "" | test("^(([a-z.]+-?)+@?)+!$")) then null else {email: .email} end',
  ])("right: %s", (program) => expect(inSource(rule, program)).toEqual([]));
});

describe("jq/used-where-empty: the input itself", () => {
  const rule = "jq/used-where-empty";
  test.each([
    "{email: .email, payer: (.payer_id | if . == null then tostring else null end)}",
    "{email: .email, budget: (.budget | if . then null else . / 100 end)}",
    "{email: .email, mean: ([.rates[]?.n] | if length == 0 then add / length else null end)}",
  ])("%s", (program) => expect(inSource(rule, program)).toHaveLength(1));
  test.each([
    "{email: .email, payer: (.payer_id | if . == null then null else tostring end)}",
    "{email: .email, budget: (.budget | if . then . / 100 else null end)}",
    "{email: .email, mean: ([.rates[]?.n] | if length > 0 then add / length else null end)}",
  ])("right: %s", (program) => expect(inSource(rule, program)).toEqual([]));
});

describe("what is written elsewhere says it", () => {
  test("a word that the closed table for it hasn't", () =>
    expect(
      inSource(
        "value/unlisted-key",
        '{email: .email, state: {SOLD: "Sold", REFUNDED: "Refunded", CHECKED_IN: "Checked in"}[.state], came: (.state == "ATTENDED")}',
      ),
    ).toEqual(['"ATTENDED"']));
  test("right: a table with a default may have only some", () =>
    expect(
      inSource(
        "value/unlisted-key",
        '{email: .email, state: ({SOLD: "Sold", REFUNDED: "Refunded", CHECKED_IN: "Checked in"}[.state] // .state), came: (.state == "ATTENDED")}',
      ),
    ).toEqual([]));
  test("the day before the month", () =>
    expect(
      inSource("jq/other-date-order", '{email: .email, on: (.on | strptime("%Y%d%m") | mktime | todate)}'),
    ).toEqual(["%Y%d%m"]));
  test("minutes in milliseconds", () =>
    expect(inSource("jq/mixed-units", "{email: .email, until: (.starts_at_ms - 30 * 60)}")).toHaveLength(1));
  test("right: minutes in milliseconds", () =>
    expect(inSource("jq/mixed-units", "{email: .email, until: (.starts_at_ms - 30 * 60 * 1000)}")).toEqual(
      [],
    ));
  test("the end of something by its start", () =>
    expect(inSource("value/opposite-member", "{email: .email, job_ends_on: .job.starts_on}")).toHaveLength(
      1,
    ));
  test("a length of time by its name and a comment", () => {
    const told = (seconds: number) =>
      findings("value/documented-span", "outbound", {
        "/workflows/0/data_pipeline/target": pipe(
          {
            _comment: "A callback is kept for two days.",
            ...jq(`{email: .email, lifetime_seconds: ${seconds}}`),
          },
          { "!http": { method: "POST", path: "/callbacks", body: "${piped_content.1}" } },
        ),
      });
    expect(told(2880)).toEqual(["2880"]);
    expect(told(172_800)).toEqual([]);
  });
  test("words of a list that are explained", () => {
    const told = (word: string) =>
      findings("value/undocumented-word", "inbound-webhook", {
        "/workflows/0/data_pipeline/source": {
          _comment: "state: planned, done, missed (the bins weren't out) or called_off.",
          ...jq(`if .state == "${word}" then {email: .email} else null end`),
        },
      });
    expect(told("collected")).toEqual(['"collected"']);
    expect(told("missed")).toEqual([]);
  });
});

describe("setup/other-selection", () => {
  const told = (display: string): string[] =>
    findings("setup/other-selection", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Language",
        id: "language",
        type: "dropdown",
        options: [
          { display: "English", value: "en" },
          { display: "French", value: "fr" },
        ],
      },
      "/workflows/0/setup/select/describe_selection/display": jq(display),
    });
  test("another field", () => expect(told('"${custom_data.language.display}"')).toEqual(["language"]));
  test.each([
    '"${custom_data.form.display}"',
    '"${custom_data.form.display}, ${custom_data.language.display}"',
    // It decides between texts.
    'if "${custom_data.language.value}" == "en" then "English forms" else "French forms" end',
  ])("right: %s", (display) => expect(told(display)).toEqual([]));
});
