import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Words of options, comments and conditions that look like a mistake, and mean something else. */

const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const dropdown = (id: string, options: Readonly<Record<string, string>>) => ({
  id,
  label: id,
  type: "dropdown",
  options: Object.entries(options).map(([value, display]) => ({ value, display })),
});

describe("value/said-number", () => {
  const told = (options: Readonly<Record<string, string>>, program: string): string[] =>
    findings("value/said-number", "outbound", {
      [fields]: [dropdown("plan", options)],
      [target]: {
        "!pipe": [
          { "!jq": `{email: .email, ${program}[\${custom_data.plan.value}]}` },
          post("/people", "${piped_content.1}"),
        ],
      },
    });
  test.each([
    [{ a: "3 guests", b: "5 guests", c: "10 guests or more" }, "guests: {a: 3, b: 5, c: 99}", 0],
    [{ a: "4 lessons", b: "8 lessons", c: "12 lessons (one for free)" }, "lessons: {a: 4, b: 8, c: 13}", 0],
    [{ a: "Under 18 years", b: "18 years", c: "65 years" }, "years: {a: 0, b: 18, c: 65}", 0],
    [
      { a: "Morning (8 to 12)", b: "Afternoon (12 to 5)", c: "Evening (5 to 9)" },
      "from: {a: 8, b: 12, c: 17}",
      0,
    ],
    [{ a: "Early 6 to 14", b: "Late 14 to 22", c: "Night 22 to 6" }, "to: {a: 14, b: 22, c: 30}", 0],
    [{ a: "10 minutes", b: "20 minutes", c: "40 minutes" }, "minutes: {a: 10, b: 20, c: 45}", 1],
  ])("%o %s", (options, program, count) => {
    expect(told(options, program)).toHaveLength(count);
  });
});

describe("command/other-order", () => {
  const told = (_comment: string): string[] =>
    findings("command/other-order", "outbound", {
      [fields]: [dropdown("way", { sms: "Text message", mail: "E-mail", post: "Letter" })],
      [target]: {
        _comment,
        "!switch": {
          jq: '["post", "sms", "mail"] | index(${custom_data.way.value})',
          cases: ["/a", "/b", "/c"].map((path) => post(path, { to: "${piped_content.0.email}" })),
        },
      },
    });
  test.each([
    ["The field offers sms, mail and post.", 0],
    ["way is sms, mail or post. /a is for letters, /b for texts.", 0],
    ["In all cases the same body: sms, mail, post.", 0],
    ["The service tries them in this order: sms, mail, post. Here one is asked for.", 0],
    ["The cases: sms, mail, post.", 1],
    ["In this order: sms, mail, post.", 1],
  ])("%s", (comment, count) => {
    expect(told(comment)).toHaveLength(count);
  });
});

describe("jq/flag-as-text", () => {
  const told = (first: string, second: string): string[] =>
    findings("jq/flag-as-text", "outbound", {
      [target]: {
        "!pipe": [
          { "!http": { method: "PUT", path: "/people", body: { email: "${piped_content.0.email}" } } },
          {
            "!switch": { jq: `if ${first} then 0 else 1 end`, cases: [{ "!error": "No." }, { "!jq": "." }] },
          },
          {
            "!switch": {
              jq: `if ${second} then 0 else 1 end`,
              cases: [{ "!jq": "." }, post("/entries", { email: "${piped_content.0.email}" })],
            },
          },
        ],
      },
    });
  test.each([
    // A time, or null.
    [".person.closed", '.person.closed != ""', 0],
    [".person.assigned", '.person.assigned == ""', 0],
    // Of something else.
    [".person.blocked", '.account.blocked != ""', 0],
    // It is known that it may be either.
    ['.person.is_new and .person.is_new != ""', ".person.is_new", 0],
    [".person.blocked", '.person.blocked != ""', 1],
    [".blocked", '.person.blocked != ""', 1],
    [".person.is_new", '.account.is_new == ""', 1],
  ])("%s, %s", (first, second, count) => {
    expect(told(first, second)).toHaveLength(count);
  });
});

describe("a record or a word", () => {
  test.each([
    '.customer as $c | {email: (if $c != "none" then $c.email else null end), name: (if $c != "none" then $c.name else null end)}',
    '.customer as $c | ($c == "none") as $isNone | if $isNone then null else {email: $c.email} end',
    '.customer as $c | (if $c == "none" then empty else . end) | {email: $c.email}',
    '.customer | select(. != "none") | {email: .email}',
    '.customer as $c | if $c == "none" then null else {email: $c.email, name: $c.name} end',
    '{email: .email, status: (if .status == "done" then "Done" else .status.label end)}',
  ])("right: %s", (program) => {
    expect(inSource("jq/object-compared", program)).toEqual([]);
    expect(inSource("response/two-shapes", program)).toEqual([]);
  });
  test("told", () => {
    expect(inSource("jq/object-compared", '. as $p | {email: $p.email, left: ($p == "left")}')).toHaveLength(
      1,
    );
    const both = '{email: .customer.email, none: (.customer == "none")}';
    expect(inSource("response/two-shapes", both)).toHaveLength(1);
  });
});

describe("pipeline/raw-value", () => {
  const told = (made: string, ...more: readonly unknown[]): string[] =>
    findings("pipeline/raw-value", "outbound", {
      [`${fields}/1`]: dropdown("level", { l: "Low", h: "High" }),
      [target]: {
        "!pipe": [
          { "!jq": `{email: .email, level: {l: ${made}}[\${custom_data.level.value}]}` },
          ...more,
          post("/people", { email: "${piped_content.1.email}", level: "${custom_data.level.value}" }),
        ],
      },
    });
  const log = { "!print_c": "Level ${piped_content.1.level}" };
  test("a label for the log", () => {
    expect(told('"Low", h: "Very high"', log)).toEqual([]);
    expect(told('"low", h: "high"', log)).toHaveLength(1);
  });
  test("a word for a condition", () => {
    const choice = (jq: string) => ({ "!switch": { jq, cases: [{ "!jq": "1" }, { "!jq": "2" }] } });
    expect(told('"low", h: "high"', choice('if .level == "high" then 0 else 1 end'))).toEqual([]);
    expect(told('"low", h: "high"', choice("if .level == null then 0 else 1 end"))).toHaveLength(1);
  });
});

describe("jq/same-for-options", () => {
  const n = "(${custom_data.form.value} | tonumber)";
  test.each([
    [`if ${n} < 1 then error("none") else ${n} end`, 0],
    [`if ${n} > 10 then 10 else ${n} end`, 0],
    [`${n} > 1 and ${n} < 9`, 0],
    [`if ${n} > 10 then "many" else "few" end`, 1],
  ])("%s", (value, count) => {
    const form = { id: "form", label: "Seats", type: "dropdown" };
    const options = [1, 2, 4].map((each) => ({ display: `${each}`, value: `${each}` }));
    const found = inSource("jq/same-for-options", `{email: .email, seats: (${value})}`, {
      [`${fields}/0`]: { ...form, options },
    });
    expect(found).toHaveLength(count);
  });
});

describe("jq/boolean-as-text", () => {
  test.each([
    ["child is true or false.", '.child == "true" or .child == true', 0],
    ["child is true or false.", '(.child | tostring) == "true"', 0],
    ["child is true or false, as a text.", '.child == "true"', 0],
    ["child is true or false.", '.child == "true"', 1],
  ])("%s %s", (comment, condition, count) => {
    const program = `if ${condition} then null else {email: .email} end`;
    expect(inSource("jq/boolean-as-text", program, { "/data_intake/0/_comment": comment })).toHaveLength(
      count,
    );
  });
});

test("jq/default-of-other-kind: numbers as texts", () => {
  const told = (table: string) =>
    inSource("jq/default-of-other-kind", `{email: .email, ticket: (${table}[.ticket] // 0)}`);
  expect(told('{a: "1", c: "2"}')).toEqual([]);
  expect(told('{a: "Adult", c: "Child"}')).toHaveLength(1);
});

describe("intake/first-signature", () => {
  const told = (comment: string): string[] =>
    findings("intake/first-signature", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: 'if (.hash as $mine | ${piped_content.0.headers.x-signature} | split(",") | index($mine) == 0) then 0 else 1 end',
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });
  test.each([
    ["X-Signature has one or two signatures with a comma between.", 1],
    ["X-Signature has one or two signatures, ours first.", 0],
    [
      "X-Signature has two signatures; the first is by the key of the endpoint, the second by that of the account.",
      0,
    ],
  ])("%s", (comment, count) => {
    expect(told(comment)).toHaveLength(count);
  });
});

test("value/code-for-id: a service that takes addresses", () => {
  const told = (...more: readonly unknown[]): string[] =>
    findings("value/code-for-id", "outbound", {
      [target]: {
        "!pipe": [
          { "!http": { path: "/clients", params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{client_id: .client.email}" },
          {
            "!http": { method: "PUT", path: "/clients/${piped_content.2.client_id}", body: { state: "new" } },
          },
          ...more,
        ],
      },
    });
  expect(told()).toEqual([]);
  expect(told({ "!http": { path: "/clients" } }, { "!jq": "{client_id: .client.id}" })).toHaveLength(1);
});
