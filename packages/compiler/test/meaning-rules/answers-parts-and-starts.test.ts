import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Answers that are saved whole, parts of an export, starts that are lost, and required fields that go nowhere. */

describe("the whole answer of a registration is saved", () => {
  const told = (
    made: readonly unknown[],
    {
      answers = ".person | {email: .email}",
      update,
      shown,
    }: { answers?: string; update?: unknown; shown?: string } = {},
  ): string[] =>
    findings("state/saved-answer", "inbound-webhook", {
      "/data_intake/0/_comment": shown,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/subscriptions", body: { url: "${webhook.url}" } } },
          ...made,
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": update,
      "/data_intake/0/delete": {
        "!http": { method: "DELETE", path: "/subscriptions/${data.workflow.subscription_id}" },
      },
      "/data_intake/0/verification": undefined,
      "/workflows/0/data_pipeline/source": {
        "!pipe": [{ "!http": { path: "/people/${piped_content.0.person_id}" } }, { "!jq": answers }],
      },
    });
  const pick = { "!jq": "{subscription_id: .subscription.id}" };

  test("where other answers have a record below its name", () => {
    expect(told([])).toHaveLength(1);
    expect(told([pick])).toEqual([]);
  });

  test("and only the update picks the id", () => {
    const update = {
      "!pipe": [
        {
          "!http": {
            method: "PUT",
            path: "/subscriptions/${data.workflow.subscription_id}",
            body: { url: "${webhook.url}" },
          },
        },
        pick,
        { "!save": { scope: "workflow" } },
      ],
    };
    expect(told([], { update })).toHaveLength(1);
    expect(told([pick], { update })).toEqual([]);
  });

  test("right: where a comment shows the key in the answer", () => {
    const shown = "POST /subscriptions answers {subscription_id: …}.";
    expect(told([], { shown })).toEqual([]);
  });
});

const polling = (rule: string, state: Readonly<Record<string, unknown>>): string[] =>
  findings(rule, "inbound-polling", { "/data_intake/0/post_poll": undefined, ...state });

describe("the last part of an export is left out", () => {
  const told = (iterate: string, start = 1): string[] =>
    polling("polling/ends-early", {
      "/data_intake/0/initial_setup": { "!jq": `{polling_state: {job: null, part: ${start}, parts: 0}}` },
      "/data_intake/0/pre_poll": {
        "!pipe": [
          { "!http": { method: "POST", path: "/exports" } },
          { "!jq": `{polling_state: {job: .export.id, part: ${start}, parts: .export.parts}}` },
        ],
      },
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path: "/exports/${polling_state.job}/parts/${polling_state.part}" } },
          {
            "!jq": `\${polling_state} as $s | {results: .rows, iterate: (${iterate}), polling_state: ($s + {part: ($s.part + 1)})}`,
          },
        ],
      },
    });

  test.each([
    "$s.part + 1 < $s.parts",
    "$s.part < $s.parts - 1",
    "$s.parts > $s.part + 1",
    "$s.part + 2 <= $s.parts",
  ])("%s", (iterate) => {
    expect(told(iterate)).toHaveLength(1);
  });

  test.each([
    "$s.part < $s.parts",
    "$s.part + 1 <= $s.parts",
    "$s.part <= $s.parts - 1",
    "$s.parts > $s.part",
  ])("right: %s", (iterate) => {
    expect(told(iterate)).toEqual([]);
  });

  test("right: where parts count from 0", () => {
    expect(told("$s.part + 1 < $s.parts", 0)).toEqual([]);
  });
});

describe("the start that a customer chose is lost", () => {
  const told = (from: string, to = "null"): string[] =>
    polling("polling/lost-start", {
      "/data_intake/0/initial_setup": {
        "!jq": `{polling_state: {from: (now - (\${custom_data.list.value} | tonumber) * 86400 | floor), to: ${to}, page: 0}}`,
      },
      "/data_intake/0/pre_poll": {
        "!jq": `\${polling_state} as $s | {polling_state: (if $s.page > 0 then $s else {from: ${from}, to: (now | floor), page: 0} end)}`,
      },
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              path: "/trips",
              params: {
                from: "${polling_state.from}",
                to: "${polling_state.to}",
                page: "${polling_state.page}",
              },
            },
          },
          {
            "!jq":
              "${polling_state} as $s | {results: .trips, iterate: .more, polling_state: (if .more then $s + {page: ($s.page + 1)} else {from: $s.to, to: null, page: 0} end)}",
          },
        ],
      },
    });

  test.each([
    ["$s.to", "null"],
    ["$s.to", "0"],
    ["${polling_state.to}", "null"],
  ])("%s, which is %s", (from, to) => {
    expect(told(from, to)).toHaveLength(1);
  });

  test.each(["$s.from", "($s.to // $s.from)", "(if $s.to == null then $s.from else $s.to end)"])(
    "right: %s",
    (from) => {
      expect(told(from)).toEqual([]);
    },
  );
});

describe("a window that moves with the first page, on either way", () => {
  const told = (since: string): string[] =>
    polling("polling/early-watermark", {
      "/data_intake/0/initial_setup": {
        "!jq": "{polling_state: {since: (now - 86400 | todate), until: null, cursor: null}}",
      },
      "/data_intake/0/pre_poll": {
        "!jq":
          "${polling_state} as $s | {polling_state: (if $s.cursor == null then {since: $s.since, until: (now | todate), cursor: null} else $s end)}",
      },
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              path: "/notices",
              params: {
                updated_from: "${polling_state.since}",
                updated_to: "${polling_state.until}",
                cursor: "${polling_state.cursor}",
              },
            },
          },
          {
            "!jq": `.next as $next | \${polling_state} as $s | {results: .notices, iterate: ($next != null), polling_state: {since: ${since}, until: $s.until, cursor: $next}}`,
          },
        ],
      },
    });

  test("is told", () => {
    expect(told("(if $next == null then $s.until else $s.until end)")).toHaveLength(1);
    expect(told("(if $next == null then $s.until else $s.since end)")).toEqual([]);
  });
});

describe("required fields that a target forgets together", () => {
  const options = (isRequired: boolean): unknown => [
    { id: "email", title: "Email", required: true },
    { id: "first", title: "First name", required: isRequired },
    { id: "last", title: "Last name", required: isRequired },
    { id: "phone", title: "Phone" },
  ];
  const told = (program: string, isRequired = true): string[] =>
    findings("mapping/unread-field", "outbound", {
      "/workflows/0/setup/map/describe_target/options": options(isRequired),
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
        ],
      },
    });
  const refuse = 'if (.email // "") == "" then error("No email.") else';

  test.each([
    `${refuse} {email: (.email | ascii_downcase)} end`,
    "{email}",
    `${refuse} {email, phone: (.phone // error("No phone."))} end`,
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([`${refuse} . + {email: (.email | ascii_downcase)} end`, `${refuse} {email, first, last} end`])(
    "right: %s",
    (program) => {
      expect(told(program).filter((id) => /first|last/.test(id))).toEqual([]);
    },
  );

  test("right: in a sketch none of them has to be mapped", () => {
    expect(told("{email}", false)).toEqual([]);
  });

  test("right: an error may say all that came", () => {
    expect(told('if .email == null then error("No email: " + tojson) else {email} end')).toEqual([]);
  });
});
