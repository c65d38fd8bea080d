import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { allFindings, findings } from "../support/rule-findings.ts";

/** Clocks, days, forms and signatures: the same kind of mistake in other words, and what is right although it looks alike. */

describe("value/documented-date", () => {
  const told = (format: string, comment: string, name = "booked_on"): string[] =>
    findings("value/documented-date", "outbound", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{email, ${name}: (now | strftime("${format}"))}` },
          { "!http": { method: "POST", path: "/visits", body: "${piped_content.1}" } },
        ],
      },
    });

  test.each([
    ["%Y-%m-%d", "Days are written 31.12.2026."],
    ["%F", "Dates are DD/MM/YYYY."],
    ["%d.%m.%Y", "booked_on and left_on are in the form YYYY-MM-DD."],
    ["%Y-%m-%d", "`booked_on` is a text as YYYYMMDD."],
    ["%d.%m.%y", "Dates are written as DD.MM.YYYY"],
  ])("%s where %s", (format, comment) => {
    expect(told(format, comment)).toHaveLength(1);
  });

  test.each([
    ["%d.%m.%Y", "Days are written 31.12.2026."],
    // Of another member.
    ["%F", "born_on is DD/MM/YYYY."],
    // Not a day alone.
    ["%Y-%m-%dT%H:%M:%SZ", "Days are written 31.12.2026."],
    ["%F", "starts is like 31.12.2026 17:00."],
    // `jq/other-date-order` tells it.
    ["%m/%d/%Y", "booked_on is DD/MM/YYYY."],
    // Day and month can't be told apart.
    ["%m/%d/%Y", "booked_on is like 01/02/2026."],
    // Two forms.
    ["%F", "Dates are DD/MM/YYYY in answers; dates are YYYY-MM-DD in requests."],
    ["%F", "Version 2026-12-31 of the API."],
    ["%F", "No invoice before 31.12.2026."],
  ])("%s is right where %s", (format, comment) => {
    expect(told(format, comment)).toEqual([]);
  });

  test("another order is told once", () => {
    const found = allFindings("outbound", {
      "/workflows/0/data_pipeline/_comment": "booked_on is DD/MM/YYYY.",
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": '{email, booked_on: (now | strftime("%m/%d/%Y"))}' },
          { "!http": { method: "POST", path: "/visits", body: "${piped_content.1}" } },
        ],
      },
    });
    expect(found.map(({ rule }) => rule).filter((rule) => /date/.test(rule))).toEqual([
      "jq/other-date-order",
    ]);
  });

  test("what a contact gets has the form of the platform", () => {
    const found = findings("value/documented-date", "inbound-webhook", {
      "/data_intake/0/_comment": "Days are written 31.12.2026.",
      "/workflows/0/data_pipeline/source": { "!jq": '{email, name: (now | strftime("%F"))}' },
    });
    expect(found).toEqual([]);
  });

  test("the start of a poll", () => {
    const found = findings("value/documented-date", "inbound-polling", {
      "/data_intake/0/_comment": "Days are written 31.12.2026.",
      "/data_intake/0/initial_setup": {
        "!jq": '{polling_state: {page: 1, since: (now - 86400 | strftime("%Y-%m-%d"))}}',
      },
    });
    expect(found).toHaveLength(1);
  });
});

describe("what is said of the whole service", () => {
  const told = (comment: string): string[] =>
    findings("value/other-unit", "outbound", {
      "/workflows/0/setup/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": "{email, send_at: (now + 3600 | floor)}" },
          { "!http": { method: "POST", path: "/letters", body: "${piped_content.1}" } },
        ],
      },
    });
  test.each([
    ["Times are milliseconds since 1970 everywhere in this API.", 1],
    ["Throughout, times are milliseconds.", 1],
    // Of one place.
    ["Times are milliseconds.", 0],
    ["Times are seconds everywhere in this API.", 0],
    ["Amounts are cents. They are the same everywhere in this API.", 0],
  ])("%s", (comment, count) => {
    expect(told(comment)).toHaveLength(count);
  });
});

describe("value/other-clock", () => {
  const told = (start: string, source: string, more: object = {}, key = "since"): string[] =>
    findings("value/other-clock", "inbound-polling", {
      "/data_intake/0": {
        type: "polling",
        name: "customers",
        ...more,
        initial_setup: { "!jq": `{polling_state: {page: 1, ${key}: ${start}}}` },
        request: {
          "!pipe": [
            {
              "!http": {
                path: "/people",
                params: { page: "${polling_state.page}", from: `\${polling_state.${key}}` },
              },
            },
            {
              "!jq": `{results: .people, iterate: .more, polling_state: {page: (\${polling_state.page} + 1), ${key}: \${polling_state.${key}}}}`,
            },
          ],
        },
      },
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });
  const milliseconds = "{email, name: (.startsAt / 1000 | todate), city: (.endsAt / 1000 | floor | todate)}";
  const seconds = "{email, name: (.started_at | todate), city: (.ended_at | todate)}";

  test.each([
    ["(now - 86400 | floor)", milliseconds],
    ["((now - 86400) * 1000 | floor)", seconds],
  ])("%s, %s", (start, source) => {
    expect(told(start, source)).toHaveLength(1);
  });

  test.each([
    ["((now - 86400) * 1000 | floor)", milliseconds],
    ["(now - 86400 | floor)", seconds],
    ["(now - 86400 | todate)", milliseconds],
    // One member may be written its own way.
    ["(now - 86400 | floor)", "{email, name: (.startsAt / 1000 | todate), city: .city}"],
    ["(now - 86400 | floor)", "{email, name: (.startsAt / 1000 | todate), city: (.ended_at | todate)}"],
  ])("%s, %s is right", (start, source) => {
    expect(told(start, source)).toEqual([]);
  });

  test("where something else says what it counts", () => {
    const start = "(now - 86400 | floor)";
    expect(told(start, milliseconds, { _comment: "from is in Unix seconds." })).toEqual([]);
    expect(told(start, milliseconds, {}, "since_unix")).toEqual([]);
  });
});

describe("value/mixed-sum", () => {
  const told = (sum: string, comment = "All times are milliseconds since 1970."): string[] =>
    findings("value/mixed-sum", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown("extra", { "12": "12 hours", "24": "One day" }),
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/parcels/1" } },
          { "!jq": `{until: (${sum})}` },
          { "!http": { method: "PATCH", path: "/parcels/1", body: "${piped_content.2}" } },
        ],
      },
    });
  const hours = "(${custom_data.extra.value} | tonumber)";
  test.each([
    [`.collect_by + ${hours} * 3600`, 1],
    [`.collect_by - ${hours} * 3600`, 1],
    [`.collect_by + ${hours} * 3600000`, 0],
    // A length of its own unit.
    [`.hold_seconds + ${hours} * 3600`, 0],
    [`.duration + ${hours} * 3600`, 0],
  ])("%s", (sum, count) => {
    expect(told(sum)).toHaveLength(count);
  });
  test("without such a comment", () => {
    expect(told(`.collect_by + ${hours} * 3600`, "Times are Unix seconds.")).toEqual([]);
  });
});

describe("value/duration-designator", () => {
  const told = (duration: string, options: Readonly<Record<string, string>>): string[] =>
    findings("value/duration-designator", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown("keep", options),
      "/workflows/0/data_pipeline/target/!http": {
        method: "POST",
        path: "/extensions",
        body: { email: "${piped_content.0.email}", extend_by: duration },
      },
    });
  const years = { "12": "1 more year", "24": "2 more years" };
  const days = { "1": "A day", "7": "A week" };
  test.each([
    ["PT${custom_data.keep.value}M", years, 1],
    ["P${custom_data.keep.value}D", years, 1],
    ["P${custom_data.keep.value}M", days, 1],
    ["P${custom_data.keep.value}M", years, 0],
    ["P${custom_data.keep.value}D", days, 0],
    // What it counts isn't said.
    ["PT${custom_data.keep.value}M", { "12": "Short", "24": "Long" }, 0],
    ["SHIP${custom_data.keep.value}M", years, 0],
    ["P${custom_data.keep.value}Magazines", years, 0],
  ])("%s of %o", (duration, options, count) => {
    expect(told(duration, options)).toHaveLength(count);
  });
});

describe("signatures and keys", () => {
  const told = (rule: string, steps: readonly object[], comment?: string): string[] =>
    findings(rule, "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/verification": { "!pipe": steps },
    });
  const answers = [
    { "!respond": { process_payload: true, code: 200 } },
    { "!respond": { process_payload: false, code: 401 } },
  ];
  const byKey = (test: string): readonly object[] => [
    { "!jq": `{genuine: (${test})}` },
    { "!switch": { jq: "if .genuine then 0 else 1 end", cases: answers } },
  ];
  const key = "${data.workflow.hook_id}";
  test.each([
    [`(.headers["x-acme-key"] // ${key}) == ${key}`, 1],
    [`(.headers["x-acme-key"] // "") | inside(${key})`, 1],
    [`.headers["x-acme-key"] == ${key}`, 0],
    [`(.headers["x-acme-key"] // "") == ${key}`, 0],
  ])("%s", (condition, count) => {
    expect(told("intake/accepts-forged", byKey(condition))).toHaveLength(count);
  });

  const signed = (algorithm: string, compared: string, comment?: string): readonly object[] => [
    { _comment: comment, "!jq": "{value_to_encrypt: .raw_body}" },
    { "!sha": { algorithm, secret: "<SIGNING_SECRET>" } },
    { "!jq": `\${piped_content.0.headers} as $h | {genuine: (${compared})}` },
    { "!switch": { jq: "if .genuine then 0 else 1 end", cases: answers } },
  ];
  const equal = '.hash == $h["x-acme-signature"]';
  test.each([
    ["Deliveries carry x-acme-signature, the hex HMAC (SHA-512) of the body.", 1],
    ["Deliveries are signed with HMAC-SHA512.", 1],
    ["The signature is the SHA-256 HMAC of the body.", 0],
    // Another one is named as well.
    ["Signatures are SHA-256, or SHA-512 for those who ask for it.", 0],
    ["Deliveries are signed with SHA-256; the old signature was SHA-1.", 0],
    // Of something else.
    ["File names end with the SHA-512 of the file.", 0],
  ])("%s", (comment, count) => {
    expect(told("intake/other-algorithm", signed("sha256", equal), comment)).toHaveLength(count);
  });

  test.each([
    [equal, 'The signature is "v1=" and the HMAC-SHA256 in hex.', 1],
    ['("v1=" + .hash) == $h["x-acme-signature"]', 'The signature is "v1=" and the HMAC-SHA256 in hex.', 0],
    [equal, "The signature is the HMAC-SHA256 in hex.", 0],
  ])("%s, %s", (compared, comment, count) => {
    expect(told("intake/refuses-genuine", signed("sha256", compared, comment))).toHaveLength(count);
  });
});

describe("units of shares and weights", () => {
  const told = (value: string, name: string): string[] =>
    findings("value/other-unit", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!jq": `{email, ${name}: (${value})}` },
    });
  test.each([
    [".discount_bp / 10000", "discount_percent", 1],
    [".discount_bp / 100", "discount_percent", 0],
    [".mass_mg / 1000000", "mass_g", 1],
    [".mass_mg / 1000", "mass_g", 0],
    [".massMicrograms / 1000000", "mass_g", 0],
    [".cpmMicros / 1000000", "price_eur", 0],
    [".price_mills / 1000", "price_usd", 0],
  ])("%s as %s", (value, name, count) => {
    expect(told(value, name)).toHaveLength(count);
  });
});
