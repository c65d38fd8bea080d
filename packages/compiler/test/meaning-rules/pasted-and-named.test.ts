import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Values pasted into texts, records called like another step's, percent, tables short of a choice, places that are asked for anew. */

const source = "/workflows/0/data_pipeline/source";
const target = "/workflows/0/data_pipeline/target";

describe("intake/accepts-forged: an age of a pasted time", () => {
  const told = (condition: string, age: string): string[] =>
    findings("intake/accepts-forged", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": '{value_to_encrypt: ((.headers["x-timestamp"] // "") + "." + .raw_body)}' },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!jq": `{genuine: (.hash == \${piped_content.0.headers.x-signature | default}), age: ${age}}`,
          },
          {
            "!switch": {
              jq: `if ${condition} then 0 else 1 end`,
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });
  const pasted = 'now - ("${piped_content.0.headers.x-timestamp | default:0}" | tonumber)';

  test("either of both is enough", () => {
    expect(told(".genuine or .age < 300", pasted)).not.toEqual([]);
    expect(told(".genuine or (.age | fabs) < 300", pasted)).not.toEqual([]);
  });
  test("right: both are asked for", () => {
    expect(told(".genuine and .age < 300", pasted)).toEqual([]);
    expect(told(".genuine and (.age | fabs) < 300", pasted)).toEqual([]);
  });
});

describe("value/other-step", () => {
  const steps = [
    { "!http": { path: "/jobs/${piped_content.0.job_id}" } },
    { "!http": { path: "/customers/${piped_content.1.customer_id}" } },
  ];
  const told = (program: string, first: readonly unknown[] = steps): string[] =>
    findings("value/other-step", "inbound-webhook", {
      [source]: { "!pipe": [...first, { "!jq": program }] },
    });

  test.each([
    ["${piped_content.2} as $job | {email: .email, number: $job.number}"],
    [". as $c | (${piped_content.2}) as $printJob | {email: $c.email, number: $printJob.number}"],
    ["${piped_content.1} as $customer | {email: $customer.email}"],
    ["{jobs: ${piped_content.2}, email: .email} | {email, number: .jobs.number}"],
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    ["${piped_content.1} as $job | {email: .email, number: $job.number}"],
    ["${piped_content.0} as $job | {email: .email, number: $job.number}"],
    ["${piped_content.2} as $c | {email: $c.email}"],
    ["${piped_content.2} as $owner | {email: $owner.email}"],
    ["${piped_content.2.job} as $job | {email: .email, number: $job.number}"],
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
  test("right: two steps ask for one, before and behind a change", () => {
    const twice = [...steps, { "!http": { path: "/jobs/${piped_content.0.job_id}" } }];
    expect(told("${piped_content.2} as $job | {email: .email, number: $job.number}", twice)).toEqual([]);
  });
});

describe("value/percent-of-one", () => {
  const told = (value: string): string[] =>
    findings("value/percent-of-one", "inbound-webhook", {
      [source]: { "!jq": `. as $o | {email: .email, amount: (${value})}` },
    });

  test.each([
    [".net * (1 + .vat_percent)"],
    [".net * (1 - (.discountPercentage // 0))"],
    [".net * (1 - $o.discount_pct)"],
  ])("%s", (value) => {
    expect(told(value)).toHaveLength(1);
  });
  test.each([
    [".net * (100 + .vat_percent) / 100"],
    [".net * (1 + .vat_percent / 100)"],
    [".net * (1 + .vat_rate)"],
    [".position + 1"],
    ["1 + .percentile"],
  ])("right: %s", (value) => {
    expect(told(value)).toEqual([]);
  });
});

describe("jq/no-such-key: a table short of a choice", () => {
  const told = (program: string, type = "multiselect"): string[] =>
    findings("jq/no-such-key", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "States",
        id: "states",
        type,
        options: ["booked", "active", "bought"].map((value) => ({ display: value, value })),
      },
      [source]: { "!jq": program },
    });

  test.each([
    ['{email: .email, _tags: [{booked: "Booked", active: "On lease"}[.state]]}'],
    ['. as $c | {email: .email, tag: {"booked": 1, "bought": 2}[$c.contract.state]}'],
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });
  test.each([
    ['{email: .email, _tags: [{booked: "Booked", active: "On lease"}[.state] // "Other"]}'],
    ['{email: .email, _tags: [{booked: "Booked", active: "On lease"}[.state] | values]}'],
    ['{email: .email, tag: (if .state == "bought" then null else {booked: 1, active: 2}[.state] end)}'],
    ["{email: .email, tag: {booked: 1, active: 2}[.kind]}"],
    ["{email: .email, tag: {booked: 1, active: 2, bought: 3, lost: 4}[.state]}"],
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
  test("right: one of the options may stand for all", () => {
    expect(told("{email: .email, tag: {booked: 1, active: 2}[.state]}", "dropdown")).toEqual([]);
  });
});

describe("polling/lost-place", () => {
  const told = (prePoll: unknown, token = ".next_token", first: unknown = head): string[] =>
    findings("polling/lost-place", "inbound-polling", {
      "/data_intake/0/initial_setup": first,
      "/data_intake/0/pre_poll": prePoll,
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path: "/changes", params: { token: "${polling_state.token}" } } },
          { "!jq": `{results: .changes, iterate: .has_more, polling_state: {token: ${token}}}` },
        ],
      },
    });
  const head = {
    "!pipe": [{ "!http": { path: "/changes/head" } }, { "!jq": "{polling_state: {token: .token}}" }],
  };

  test("the head is asked for in each cycle", () => {
    expect(told(head)).toEqual([".token"]);
    expect(told(head, "(.next_token // ${polling_state.token})")).toEqual([".token"]);
  });
  test.each([
    [
      "only where there is none",
      {
        "!switch": {
          jq: "if ${polling_state.token} == null then 0 else 1 end",
          cases: [head, { "!jq": "{polling_state: ${polling_state}}" }],
        },
      },
    ],
    [
      "where the kept one is taken",
      {
        "!pipe": [
          { "!http": { path: "/changes/head" } },
          { "!jq": "{polling_state: {token: (${polling_state.token} // .token)}}" },
        ],
      },
    ],
    [
      "what is made for the cycle",
      {
        "!pipe": [
          { "!http": { method: "POST", path: "/searches" } },
          { "!jq": "{polling_state: {token: .token}}" },
        ],
      },
    ],
  ])("right: %s", (_, prePoll) => {
    expect(told(prePoll)).toEqual([]);
  });
  test("right: there is none before the first cycle", () => {
    expect(told(head, ".next_token", { "!jq": "{polling_state: {token: null}}" })).toEqual([]);
  });
});

describe("polling/early-watermark: the end of the window becomes its start while pages are read", () => {
  const told = (state: string): string[] =>
    findings("polling/early-watermark", "inbound-polling", {
      "/data_intake/0/initial_setup": {
        "!jq": '{polling_state: {since: (${custom_data.start.value} + "T00:00:00Z"), until: null, page: 1}}',
      },
      "/data_intake/0/pre_poll": {
        "!pipe": [
          { "!http": { path: "/clock" } },
          { "!jq": "{polling_state: (${polling_state} + {until: .now})}" },
        ],
      },
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              path: "/claims",
              params: {
                updated_from: "${polling_state.since}",
                updated_to: "${polling_state.until}",
                page: "${polling_state.page}",
              },
            },
          },
          {
            "!jq": `(\${polling_state}) as $s | {results: .claims, iterate: (.page < .pages), polling_state: (if .page < .pages then ${state} else {since: $s.until, until: null, page: 1} end)}`,
          },
        ],
      },
    });

  test("since becomes until at once", () => {
    expect(told("$s + {since: $s.until, page: (.page + 1)}")).toEqual(["$s.until"]);
  });
  test("right: it stays until the last page", () => {
    expect(told("$s + {page: (.page + 1)}")).toEqual([]);
  });
});

describe("what comments say", () => {
  test("http/list-form-field: a comma list", () => {
    const told = (comment: string, value: string): string[] =>
      findings("http/list-form-field", "outbound", {
        "/workflows/0/setup/select/form_fields/0/type": "multiselect",
        [target]: {
          "!pipe": [
            { "!jq": `{lists: ${value}}` },
            {
              _comment: comment,
              "!http": {
                method: "POST",
                path: "/people",
                headers: { "content-type": "application/x-www-form-urlencoded" },
                body: "${piped_content.1}",
              },
            },
          ],
        },
      });
    expect(told("Form fields only, lists as a comma list.", "${custom_data.list.value}")).toHaveLength(1);
    expect(
      told("Form fields only, lists as a comma list.", '(${custom_data.list.value} | join(","))'),
    ).toEqual([]);
    expect(told("Form fields only, lists repeat their name.", "${custom_data.list.value}")).toEqual([]);
  });

  test("value/minor-units: an amount that is pasted into a text", () => {
    const told = (value: string): string[] =>
      findings("value/typed-amount", "outbound", {
        "/workflows/0/setup/select/form_fields/1": { label: "Limit in euros", id: "limit", type: "text" },
        [target]: {
          "!pipe": [
            { "!jq": `{limit_cents: ${value}}` },
            { "!http": { method: "POST", path: "/offers", body: "${piped_content.1}" } },
          ],
        },
      });
    expect(told('("${custom_data.limit.value}" | tonumber)')).toHaveLength(1);
    expect(told('(("${custom_data.limit.value}" | tonumber) * 100)')).toEqual([]);
    const unlessEmpty = (amount: string): string =>
      `("\${custom_data.limit.value | default}" | if . == "" then null else (${amount}) end)`;
    expect(told(unlessEmpty("tonumber | round"))).toHaveLength(1);
    expect(told(unlessEmpty("tonumber * 100 | round"))).toEqual([]);
  });

  test("intake/signed-parts: byte for byte", () => {
    const told = (comment: string): string[] =>
      findings("intake/signed-parts", "inbound-webhook", {
        "/data_intake/0/verification": {
          _comment: comment,
          "!pipe": [
            { "!jq": "{value_to_encrypt: .raw_body}" },
            { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
            {
              "!switch": {
                jq: "if .hash == ${piped_content.0.headers.x-signature | default} then 0 else 1 end",
                cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
              },
            },
          ],
        },
      });
    expect(told("The hex HMAC of the request body, byte for byte, with the signing key.")).toEqual([]);
    expect(told("The hex HMAC of the raw body, unchanged.")).toEqual([]);
    expect(told("The hex HMAC of the nonce, and the raw body.")).toHaveLength(1);
  });
});

describe("value/other-step: one step under two names", () => {
  const told = (program: string): string[] =>
    findings("value/other-step", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/test-drives/${piped_content.0.drive_id}" } },
          { "!http": { path: "/customers/${piped_content.1.customer_id}" } },
          { "!http": { path: "/cars/${piped_content.1.car_id}" } },
          { "!jq": program },
        ],
      },
    });
  test.each([
    [
      "${piped_content.0} as $payload | ${piped_content.0} as $drive | {email: $payload.email, at: $drive.at}",
      "piped_content.0",
    ],
    [
      "${piped_content.2} as $reading | ${piped_content.2} as $customer | {email: $customer.email, at: $reading.at}",
      "piped_content.2",
    ],
  ])("tells %s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    "${piped_content.0} as $payload | ${piped_content.1} as $drive | {email: $payload.email, at: $drive.at}",
    "${piped_content.0} as $payload | ${piped_content.0} as $event | {email: $payload.email, at: $event.at}",
    "${piped_content.2} as $c | ${piped_content.2} as $customer | {email: $customer.email, at: $c.at}",
    "${piped_content.2} as $res | ${piped_content.2} as $customer | {email: $customer.email, at: $res.at}",
    // What came in is read, so it isn't forgotten.
    "${piped_content.2} as $person | ${piped_content.2} as $customer | {email: $customer.email, at: $person.at, kind: ${piped_content.0.kind}}",
    "${piped_content.2.lead} as $reading | ${piped_content.2} as $customer | {email: $customer.email, at: $reading.at}",
  ])("is silent of %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});
