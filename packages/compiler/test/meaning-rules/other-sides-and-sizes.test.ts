import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Fields that leave out, shares and other sizes, what the other side calls otherwise, and answers that a comment shows. */

const fields = "/workflows/0/setup/select/form_fields";
const http = (method: string, path: string, body?: unknown, _comment?: string) => ({
  ...(_comment === undefined ? {} : { _comment }),
  "!http": { method, path, ...(body === undefined ? {} : { body }) },
});
const jq = (program: string) => ({ "!jq": program });
const target = (rule: string, steps: readonly unknown[], comment = "", more: object = {}): string[] =>
  findings(rule, "outbound", {
    "/workflows/0/data_pipeline/_comment": comment,
    ...more,
    "/workflows/0/data_pipeline/target": { "!pipe": steps },
  });

describe("jq/drops-the-chosen", () => {
  test.each([
    ["Ausgeschlossene Zustände", 0],
    ["Everything but", 0],
    ["Suppressed states", 0],
    ["Sauf ces états", 0],
    ["States you have already", 0],
    ["Nicht importieren", 0],
    ["States", 1],
    ["Zustände", 1],
  ])("%s", (label, count) => {
    const options = [
      { display: "Open", value: "open" },
      { display: "Lost", value: "lost" },
    ];
    const told = inSource(
      "jq/drops-the-chosen",
      "${custom_data.states.value} as $states | if ($states | length) > 0 and (.state | IN($states[])) then null else {email: .email} end",
      { [`${fields}/1`]: { id: "states", label, type: "multiselect", options } },
    );
    expect(told).toHaveLength(count);
  });
});

describe("jq/drops-consent", () => {
  test.each([
    ["no_mail_allowed", "", 0],
    ["needs_consent", "", 0],
    ["opted_in", "Who has opted in is in the newsletter already. This imports the others, to ask them.", 0],
    ["opted_in", "Who has opted in may be written to.", 1],
  ])("%s %s", (name, comment, count) => {
    const told = inSource("jq/drops-consent", `if .${name} == true then null else {email: .email} end`, {
      "/workflows/0/data_pipeline/_comment": comment,
    });
    expect(told).toHaveLength(count);
  });
});

describe("jq/wrong-factor and jq/unpadded-remainder", () => {
  test.each([
    ["jq/wrong-factor", "paid_percent: (.paid_cents * 100 / .total_cents | floor)", "", 0],
    ["jq/wrong-factor", "price: (.price_cents * 100)", "The service counts in hundredths of a cent.", 0],
    ["jq/wrong-factor", "price_k: (.price_cents / 100000)", "", 0],
    ["jq/wrong-factor", "price: (.price_cents * 100)", "", 1],
    ["jq/wrong-factor", "price: (.price_cents * 100 / 5)", "", 1],
    ["jq/unpadded-remainder", 'door: "\\(.room / 100 | floor).\\(.room % 100)"', "", 0],
    ["jq/unpadded-remainder", 'price: "\\(.cents / 100 | floor).\\(.cents % 100)"', "", 1],
  ])("%s %s %s", (rule, member, comment, count) => {
    const more = { "/workflows/0/data_pipeline/_comment": comment };
    expect(inSource(rule, `{email: .email, ${member}}`, more)).toHaveLength(count);
  });
});

describe("jq/contradiction", () => {
  test.each([
    ["count is negative where more was sold than is there.", 0],
    ["count is how many there are.", 1],
  ])("%s", (comment, count) => {
    const told = findings("jq/contradiction", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          http("GET", "/people/${piped_content.0.id}/stock"),
          jq(
            '.count as $n | {email: ${piped_content.0.email}, _tags: (if $n >= 0 then ["a"] else ["b"] end)}',
          ),
        ],
      },
    });
    expect(told).toHaveLength(count);
  });
});

describe("jq/documented-case", () => {
  test.each([
    ["The platform keeps addresses in lower case, so the hash can be taken of them as they are.", 0],
    ["The key is the SHA-256 of the address as it was typed, not in lower case.", 0],
    [
      "Until 2023 the key was the hash of the address in lower case; now it is that of the address as it is.",
      0,
    ],
    ["The key is the SHA-256 of the address in lower case.", 1],
  ])("%s", (comment, count) => {
    const steps = [
      jq("{value_to_encrypt: .email}"),
      { "!sha": { algorithm: "sha256" } },
      http("PUT", "/people/${piped_content.2.hash}", { email: "${piped_content.0.email}" }),
    ];
    expect(target("jq/documented-case", steps, comment)).toHaveLength(count);
  });
});

test.each([
  ["areas come here with commas; the service wants semicolons.", 0],
  ["In version 1 areas was joined with commas. No longer: it is one field.", 0],
  ["areas is one field with commas.", 1],
])("jq/documented-separator %s", (comment, count) => {
  const told = inSource("jq/documented-separator", '{email: .email, areas: ([.a, .b] | join(";"))}', {
    "/workflows/0/data_pipeline/_comment": comment,
  });
  expect(told).toHaveLength(count);
});

describe("command/exchanged-cases", () => {
  test.each([
    ["import", "export", "/exports", "/imports", "What we import, the service exports.", 0],
    ["incoming", "outgoing", "/outgoing-calls", "/incoming-calls", "Seen from the service.", 0],
    ["credit", "debit", "/debits", "/credits", "A credit for the customer is a debit of ours.", 0],
    ["arrival", "departure", "/departures/close", "/arrivals/close", "An arrival ends the departure.", 0],
    ["import", "export", "/exports", "/imports", "Two ways.", 1],
  ])("%s %s %s %s %s", (one, other, first, second, comment, count) => {
    const options = [one, other].map((value) => ({ value, display: value }));
    const cases = [first, second].map((path) => http("POST", path, { to: "${piped_content.0.email}" }));
    const steps = [{ "!switch": { jq: `{"${one}": 0, "${other}": 1}[\${custom_data.way.value}]`, cases } }];
    const more = { [fields]: [{ id: "way", label: "Way", type: "dropdown", options }] };
    expect(target("command/exchanged-cases", steps, comment, more)).toHaveLength(count);
  });
});

describe("command/reversed-verdict", () => {
  const refuse = (message: string) => ({
    "!switch": {
      jq: "if (.errors // [] | length) > 0 then 1 else 0 end",
      cases: [{ "!error": message }, jq(".errors")],
    },
  });
  test.each([
    [[http("GET", "/projects/1/errors"), refuse("All is well.")], 0],
    [
      [http("POST", "/lint", { email: "${piped_content.0.email}" }), refuse("There is nothing to report.")],
      0,
    ],
    [[http("POST", "/lint", { email: "${piped_content.0.email}" }), refuse("Refused.")], 1],
  ])("%#", (steps, count) => {
    expect(target("command/reversed-verdict", steps)).toHaveLength(count);
  });
});

describe("counted lists", () => {
  const one = (condition: string, message: string, given = "{id: .id}"): readonly unknown[] => [
    http("GET", "/teams/1"),
    jq(`if ${condition} then error("${message}") else ${given} end`),
    http("POST", "/x", "${piped_content.2}"),
  ];
  test.each([
    [one("(.owners | length) <= 1", "No other owner is left."), 0],
    [one("(.members | length) == 1", "Nobody else is in the team."), 0],
    [one("(.rows | length) == 1", "Nothing but the header.", "{id: .rows[1].id}"), 0],
    [one("(.rows | length) <= 1", "The sheet has no records.", "{id: .rows[1].id}"), 0],
    [one("(.beds | length) < 2", "No double room."), 0],
    [one("(.owners | length) <= 1", "Nobody owns it."), 1],
  ])("jq/one-counts-as-none %#", (steps, count) => {
    expect(target("jq/one-counts-as-none", steps)).toHaveLength(count);
  });
  test.each([
    ["The first phone is always the switchboard, the second the person's own, or null.", 0],
    ["phones: [{number}]", 1],
  ])("pipeline/second-of-one %s", (comment, count) => {
    const program =
      "if (.phones | length) > 0 then {email: .email, phone: .phones[1].number} else {email: .email} end";
    const steps = [http("GET", "/people/1"), jq(program), http("POST", "/x", "${piped_content.2}")];
    expect(target("pipeline/second-of-one", steps, comment)).toHaveLength(count);
  });
});
