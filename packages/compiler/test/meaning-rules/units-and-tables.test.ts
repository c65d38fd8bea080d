import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What members are and count, as comments and names say it, and tables and groups that are turned around. */

describe("value/other-unit: the greater of a number and nothing", () => {
  const told = (value: string): string[] =>
    findings("value/other-unit", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!jq": `{email: .email, late_hours: ${value}}`,
      },
    });
  test.each([
    ["([((.expected_at | fromdate) - (.planned_at | fromdate)) / 60, 0] | max | floor)"],
    ["([0, ((.expected_at | fromdate) - (.planned_at | fromdate)) / 60] | max)"],
    ["([.late_minutes, .held_minutes] | add)"],
  ])("%s", (value) => expect(told(value)).toHaveLength(1));
  test.each([
    ["([((.expected_at | fromdate) - (.planned_at | fromdate)) / 3600, 0] | max | floor)"],
    ["([.late_minutes / 60, .held_hours] | add)"],
    ["([.late_minutes, .held_hours] | add)"],
  ])("right: %s", (value) => expect(told(value)).toEqual([]));
});

describe("value/other-unit: what a service gives and takes, said in the comment of another part", () => {
  const told = (comment: string, value: string): string[] =>
    findings("value/other-unit", "outbound", {
      "/workflows/1": {
        name: "acme-other",
        label: "Acme - Other",
        type: "automations",
        _comment: comment,
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{name: .name, expires_at: ${value}}` },
          { "!http": { method: "POST", path: "/tickets", body: "${piped_content.1}" } },
        ],
      },
    });
  const seconds = "(now + 3600 | floor)";
  test.each([
    ["Acme gives and takes moments as milliseconds since 1970, money as cents."],
    ["It sends and expects all times in epoch milliseconds."],
  ])("%s", (comment) => {
    expect(told(comment, seconds)).toHaveLength(1);
    expect(told(comment, "((now + 3600) * 1000 | floor)")).toEqual([]);
  });
  test.each([
    ["Acme gives and takes moments as seconds since 1970."],
    ["This job takes moments as milliseconds."],
    ["Acme gives and takes lengths as milliseconds."],
  ])("right: %s", (comment) => expect(told(comment, seconds)).toEqual([]));
});

describe("jq/documented-kind: objects, and JSON texts", () => {
  const told = (comment: string, jq: string, before: readonly unknown[] = []): string[] =>
    findings("jq/documented-kind", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!pipe": [...before, { "!jq": jq }] },
    });
  const fee = 'A job: {id, email, fee: {amount: "120.50", currency}, tags: [{name}]}.';
  test.each([
    [fee, "{email: .email, fee: (.fee | tonumber)}"],
    [fee, ". as $job | {email: $job.email, fee: ($job.fee / 100)}"],
    [fee, '{email: .email, fee: ("EUR " + .fee)}'],
    [fee, "{email: .email, tag: (.tags | ascii_downcase)}"],
    ["answers is JSON text.", "{email: .email, weeks: .answers.weeks}"],
    ["answers: a JSON string with the form.", ".answers as $a | {email: .email, weeks: $a.weeks}"],
    ["{id, email, answers}. answers comes as a string with JSON.", "{email: .email, weeks: .answers.weeks}"],
  ])("%s %s", (comment, jq) => expect(told(comment, jq)).toHaveLength(1));
  test.each([
    [fee, "{email: .email, fee: (.fee.amount | tonumber), currency: .fee.currency}"],
    [fee, "{email: .email, fee: (.fee | tostring)}"],
    [fee, '{email: .email, fee: (if (.fee | type) == "object" then .fee.amount else .fee | tonumber end)}'],
    [`${fee} In a list it is {id, fee}.`, "{email: .email, fee: (.fee | tonumber)}"],
    ["{data: [{id}]} or {data: {id}}", "{email: .email, id: (.data | tonumber)}"],
    ["answers is JSON text.", "{email: .email, weeks: (.answers | fromjson | .weeks)}"],
    ["answers is JSON text.", "{email: .email, answers: .answers}"],
    ["answers is JSON text in the old version.", "{email: .email, weeks: .answers.weeks}"],
    ["answers is a JSON object.", "{email: .email, weeks: .answers.weeks}"],
  ])("right: %s %s", (comment, jq) => expect(told(comment, jq)).toEqual([]));

  const extract = (parses: boolean) => [{ "!extract": { item_keys: ["email", "answers"], to_json: parses } }];
  test("taken out as it is, or parsed", () => {
    const jq = "{email: .email, weeks: .answers.weeks}";
    expect(told("answers is JSON text.", jq, extract(false))).toHaveLength(1);
    expect(told("answers is JSON text.", jq, extract(true))).toEqual([]);
    expect(told('{id, email, answers: "a text"}', jq, extract(true))).toEqual([]);
  });
});

describe("value/record-at-hand: the record below the one that is read", () => {
  const told = (comment: string, id: string): string[] =>
    findings("value/record-at-hand", "outbound", {
      "/workflows/0/data_pipeline/target": {
        _comment: comment,
        "!pipe": [
          { "!http": { path: "/viewings/${custom_data.list.value}" } },
          { "!http": { method: "POST", path: `/homes/\${piped_content.1.${id}}/files`, body: { a: 1 } } },
        ],
      },
    });
  const shown = "GET answers {viewing: {id, home: {id}, seats}}.";
  test("told, and right", () => {
    expect(told(shown, "viewing.id")).toHaveLength(1);
    expect(told(shown, "viewing.home.id")).toEqual([]);
    expect(told("GET answers {viewing: {id, seats}}.", "viewing.id")).toEqual([]);
    expect(told("GET answers {viewing: {id, home: {ref}}}.", "viewing.id")).toEqual([]);
  });
});

describe("jq/turned-table", () => {
  const told = (table: string, lookup: string): string[] =>
    findings("jq/turned-table", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/teams" } },
          { "!jq": `{teams: (${table})}` },
          { "!jq": `.teams as $teams | \${piped_content.0} | {email: .email, team: ${lookup}}` },
        ],
      },
    });
  const turned = "[.teams[] | {key: .name, value: (.id | tostring)}] | from_entries";
  const right = "[.teams[] | {key: (.id | tostring), value: .name}] | from_entries";
  const byId = '($teams[.team_id | tostring] // "")';
  test.each([
    [turned, byId],
    [".teams | map({(.name): .id}) | add", byId],
    ["[.teams[] | {value: .id, key: .title}] | from_entries", '$teams["\\(.member.team.id)"]'],
    [right, "$teams[.team_name]"],
    [turned, "${piped_content.2.teams}[.team_id]"],
  ])("%s %s", (table, lookup) => expect(told(table, lookup)).toHaveLength(1));
  test.each([
    [right, byId],
    [turned, "$teams[.team_name]"],
    [turned, "[$teams[.team_id], $teams[.team_name]]"],
    // A topic may be named by its id.
    [right, "$teams[.topic]"],
    ["[.teams[] | {key: .code, value: .id}] | from_entries", byId],
    ["[.teams[] | {key: .name, value: .}] | from_entries", byId],
    ["[.teams[] | {key: .name, value: .id}]", "$teams[0]"],
  ])("right: %s %s", (table, lookup) => expect(told(table, lookup)).toEqual([]));

  test("in the state of a poll", () => {
    const inState = (table: string): string[] =>
      findings("jq/turned-table", "inbound-polling", {
        "/data_intake/0/pre_poll": {
          "!pipe": [
            { "!http": { path: "/teams" } },
            { "!jq": `{polling_state: (\${polling_state} + {teams: (${table})})}` },
          ],
        },
        "/data_intake/0/request": {
          "!pipe": [
            { "!http": { path: "/people" } },
            {
              "!jq":
                "${polling_state.teams} as $teams | {results: [.people[] | . + {team: (if .team_id == null then null else $teams[.team_id | tostring] end)}], iterate: false, polling_state: ${polling_state}}",
            },
          ],
        },
      });
    expect(inState(turned)).toHaveLength(1);
    expect(inState(right)).toEqual([]);
  });
});

describe("mapping/optional-default-group", () => {
  const told = (
    group: string,
    guardian: string,
    athlete = "${piped_content.0.athlete}",
    of = "athlete",
  ): string[] =>
    findings("mapping/optional-default-group", "outbound", {
      "/workflows/0/setup/map": {
        label: "Map",
        default_group: group,
        describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
        describe_target: {
          label: "Entry",
          options: [
            { group: "athlete", id: "email", title: "Email", required: of === "athlete" },
            { group: "athlete", id: "name", title: "Name" },
            { group: "guardian", id: "email", title: "Email of the guardian", required: of === "guardian" },
          ],
        },
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { method: "PUT", path: "/people", body: athlete } },
          { "!jq": `{list: \${custom_data.list.value}, guardian: ${guardian}}` },
          { "!http": { method: "POST", path: "/entries", body: "${piped_content.2}" } },
        ],
      },
    });
  test.each([["(${piped_content.0} | .guardian // {})"], ["${piped_content.0.guardian | default}"]])(
    "%s",
    (guardian) => {
      expect(told("guardian", guardian)).toHaveLength(1);
      expect(told("athlete", guardian)).toEqual([]);
      expect(told("guardian", guardian, "${piped_content.0.athlete | default}")).toEqual([]);
      expect(told("guardian", guardian, undefined, "guardian")).toEqual([]);
      expect(told("guardian", guardian, undefined, "none")).toEqual([]);
    },
  );
  test("right: both are always there", () => {
    expect(told("guardian", "${piped_content.0.guardian}")).toEqual([]);
  });
});

describe("value/other-code: options that two other tables have otherwise", () => {
  const options = (code: string, ...more: readonly unknown[]) => [
    { display: "Surgery cover", value: "surgery" },
    { display: "Owner's liability", value: code },
    { display: "Mortality cover", value: "mortality" },
    ...more,
  ];
  const field = (code: string, ...more: readonly unknown[]) => ({
    label: "Product",
    id: "product",
    type: "dropdown",
    options: options(code, ...more),
  });
  const told = (first: string, second: string, ...more: readonly unknown[]): string[] =>
    findings("value/other-code", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": field(first),
      "/workflows/1": {
        name: "acme-other",
        label: "Acme - Other",
        type: "automations",
        setup: { select: { label: "Choose", form_fields: [field(second, ...more)] } },
      },
      "/workflows/0/data_pipeline/source": {
        "!jq": `{email: .email, cover: {surgery: "Surgery cover", liability: "Owner's liability", mortality: "Mortality cover"}[.product]}`,
      },
    });
  test("told once, and right", () => {
    expect(told("owners_liability", "liability")).toHaveLength(1);
    expect(told("liability", "liability")).toEqual([]);
    // One against one.
    expect(told("owners_liability", "liability", { display: "Colic", value: "colic" })).toEqual([]);
  });
});

describe("intake/body-of-get: the hash of a body", () => {
  const told = (value: string, method = "GET"): string[] =>
    findings("intake/body-of-get", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": `{value_to_encrypt: (${value})}` },
          { "!sha": { algorithm: "sha256", secret: "<SECRET>" } },
          {
            "!switch": {
              jq: `if \${piped_content.0.method} == "${method}" then 0 elif .hash == \${piped_content.0.headers.x-acme | default} then 1 else 2 end`,
              cases: [
                {
                  "!respond": {
                    process_payload: false,
                    code: 200,
                    body: { answer: "${piped_content.2.hash}" },
                  },
                },
                { "!respond": { process_payload: true, code: 200 } },
                { "!respond": { process_payload: false, code: 401 } },
              ],
            },
          },
        ],
      },
    });
  test.each([[".raw_body"], ['.raw_body // ""']])("%s", (value) => expect(told(value)).toHaveLength(1));
  test.each([
    ['if .method == "GET" then .query.challenge // "" else .raw_body end'],
    [".query.challenge // .raw_body"],
    [".query.challenge + .raw_body"],
  ])("right: %s", (value) => expect(told(value)).toEqual([]));
  test("right: a POST is asked with", () => expect(told(".raw_body", "POST")).toEqual([]));
});

test("polling/skipped-ahead: the greater of the place and the newest one", () => {
  const told = (place: string): string[] =>
    findings("polling/skipped-ahead", "inbound-polling", {
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {after: 0}}" },
      "/data_intake/0/pre_poll": {
        "!pipe": [
          { "!http": { path: "/changes/position" } },
          { "!jq": `{polling_state: {after: ${place}}}` },
        ],
      },
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path: "/changes", params: { after: "${polling_state.after}", take: 100 } } },
          {
            "!jq":
              "{results: .changes, iterate: .more, polling_state: {after: (.changes[-1].seq // ${polling_state.after})}}",
          },
        ],
      },
      "/data_intake/0/post_poll": undefined,
    });
  expect(told("([${polling_state.after}, .latest] | max)")).toHaveLength(1);
  expect(told("([.head_seq, ${polling_state.after}] | max)")).toHaveLength(1);
  expect(told("([${polling_state.after}, .oldest - 1] | max)")).toEqual([]);
  expect(told("([${polling_state.after}, .floor] | max)")).toEqual([]);
  expect(told("([${polling_state.after}, .latest] | min)")).toEqual([]);
});
