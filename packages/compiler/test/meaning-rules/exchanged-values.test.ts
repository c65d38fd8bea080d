import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Options that have each other's values, and lists that look like it and are right. */

/** `Yes = no; No = yes` */
const pairsIn = (text: string): readonly (readonly [string, string])[] =>
  text.split("; ").map((pair) => pair.split(" = ") as [string, string]);

const inField = (text: string): string[] =>
  findings("setup/exchanged-values", "outbound", {
    "/workflows/0/setup/select/form_fields/0/options": pairsIn(text).map(([display, value]) => ({
      display,
      value,
    })),
  });
const inMap = (text: string): string[] =>
  findings("setup/exchanged-values", "outbound", {
    "/workflows/0/setup/map/describe_target/options": pairsIn(text).map(([title, id]) => ({ title, id })),
  });

describe("setup/exchanged-values of a form field", () => {
  test.each([
    ["Two weeks = 42; Six weeks = 14"],
    ["One week = 14; Two weeks = 7"],
    ["2 hours = 1440; 1 day = 120; 1 week = 10080"],
    ["3 months = 12; 12 months = 3; 24 months = 24"],
    ["In half a year = 52; In a year = 26"],
    ["20 % = 100; 100 % (free) = 20"],
    ["1 kg = 5; 5 kg = 1"],
    ["Yes = no; No = yes"],
    ["Normal = low_stock; Stock is low = normal"],
    ["Full member = trial; On trial = full"],
    ["Stay-over clean = TURN; Turndown = STAY"],
    ["Email = sms; Text messages = email"],
    ["Travel = medication; Medication = travel; Other = other"],
  ])("%s", (pairs) => {
    expect(inField(pairs)).toHaveLength(1);
  });

  test.each([
    ["Two weeks = 14; Six weeks = 42"],
    ["One week = 1; Two weeks = 2"],
    ["In three months = 13; In half a year = 26"],
    ["Never = 0; After 30 days = 30"],
    ["One = 1; Two = 2"],
    // Codes, and other words for them.
    ["Sponsor = SP; Family = FA"],
    ["Not yet paid = open; Open for review = pending"],
    ["Small = 1; Medium = 2; Large = 3"],
    ["From 1 to 5 = a; From 5 to 1 = b"],
    ["Newest first = desc; Oldest first = asc"],
    // Places in an order, counted down.
    ["Priority 1 = high; Priority 2 = low"],
    ["Everything = all; All but drafts = published"],
  ])("%s is right", (pairs) => {
    expect(inField(pairs)).toEqual([]);
  });
});

describe("setup/exchanged-values of a mapping", () => {
  test.each([
    ["First name = email; Email = first_name"],
    ["Given name = email; E-mail = givenName"],
    ["Email = email; Date of birth = open_matters; Open matters = birth_date"],
    ["Email = email; Requester's name = requester_phone; Requester's mobile = requester_name"],
    ["Parcel weight in kilograms = site_name; Site = weight_kg"],
    ["Contractor's fee (EUR) = moisture_percent; Grain moisture (%) = fee"],
    ["Last name = phone; Mobile = family-name"],
    // One of them is called otherwise than its value, and all others aren't.
    ["First name = first_name; Phone = phone; City = city; Email = contact_id; Docketry number = email"],
  ])("%s", (pairs) => {
    expect(inMap(pairs)).toHaveLength(1);
  });

  test.each([
    ["First name = first_name; Email = email"],
    ["Email = mail; Mobile = phone"],
    // The title of a person, and of what they do.
    ["Email = email; First name = first_name; Phone = phone; Title = salutation; Job = title"],
    ["Company = account; Person = contact"],
    ["Site = site_name; Name = full_name"],
    ["Number = contact_no; Contact = person_id"],
    ["Email = field_12; First name = field_13"],
  ])("%s is right", (pairs) => {
    expect(inMap(pairs)).toEqual([]);
  });

  test("the opposite is told as that", () => {
    expect(inMap("First name = last_name; Last name = first_name")).toEqual([]);
  });

  test("values that are written instead", () => {
    const found = findings("setup/exchanged-values", "outbound", {
      "/workflows/0/setup/map/describe_target/options": [
        { title: "Email", id: "email" },
        {
          title: "Source",
          id: "source",
          source_fields: [
            { title: "Newsletter", id: "telephone" },
            { title: "Telephone", id: "newsletter" },
          ],
        },
      ],
    });
    expect(found).toHaveLength(1);
  });
});
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Two members of one object whose values are exchanged, each beside right ones that look like it. */

const rule = "jq/crossed-members";

describe("in a program", () => {
  test.each([
    [
      "a count and an amount",
      "{email, trust_balance: ($open | length), open_matters: (.trust_balance_cents / 100)}",
    ],
    ["a day and a flag", '{email, read_on: (if .leak then "yes" else "no" end), leak: .read_at[0:10]}'],
    ["an email and a name", "{email: .driver.given_name, first_name: .driver.email}"],
    ["a list and a day", '{email, _tags: .last_order_at[0:10], last_order_on: ["client"]}'],
    ["an id and what was chosen", '{email, list_id: "weekly", kind: ${custom_data.list.value}}'],
    ["ids of two records", "{email, listId: .person.id, personId: ${custom_data.list.value}}"],
    ["a variable", ". as $p | {email, visits: $p.household, household: ($p.visits | length)}"],
    ["camelCase and brackets", '{email, companyName: .["company-size"], companySize: .["company-name"]}'],
    [
      "a function",
      "def text: tostring; {email, desk_name: (.desk.email | text), desk_email: (.desk.name | text)}",
    ],
    ["an object and an amount", "{email, fee_cents: {email: .email, name: .name}, contractor: (.fee * 100)}"],
    ["words of a table", '{email, outcome: ({ORDER_SHIPPED: "lapsed", ORDER_LAPSED: "shipped"}[.event])}'],
    ["short words of a table", '{email, result: ({P: "Adjusted", A: "Passed", F: "Failed"}[.verdict])}'],
    ["cut words of a table", '{email, cause: ({CURT: "Planned service", SERV: "Curtailment"}[.cause])}'],
  ])("%s", (_, program) => {
    expect(
      inSource(rule, program.replace("{email,", "{email: .email,").replace("$open", ".open")),
    ).toHaveLength(1);
  });

  test.each([
    ["a name that stands for an email", "{email: .email, name: (.display // .email)}"],
    ["records with other names", "{email: .email, label: .category.title, category: .label}"],
    ["a window between two others", "{email: .email, starts: .first.end, ends: .second.start}"],
    ["directions", "{email: .email, source: .target_id, target: .source_id}"],
    ["a summary of an event", "{email: .email, name: .display, event: .event.summary}"],
    ["names in another language", "{email: .email, vorname: .first, nachname: .last, anzahl: (.a | length)}"],
    ["a table that turns", '{email: .email, order: ({asc: "desc", desc: "asc"}[.order])}'],
    ["a table of sides", '{email: .email, order: ({buy_order: "sell", sell_order: "buy"}[.side])}'],
    ["a table of next steps", '{email: .email, next: ({draft: "review", review: "done"}[.state])}'],
    ["grades", '{email: .email, grade: ({A: "Very good", B: "Adequate"}[.grade])}'],
    ["an id that is an email", "{email: .email, account_id: .email, description: .account_name}"],
    ["an id that is a word", '{email: .email, list_id: "main", kind: .audience}'],
    ["two amounts", "{email: .email, total: (.net_cents / 100), tax: (.tax_cents / 100)}"],
    ["one value for both", "{email: .email, name: .email}"],
  ])("right: %s", (_, program) => {
    expect(inSource(rule, program)).toEqual([]);
  });
});

describe("in a request", () => {
  const path = "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http/params";
  const params = (given: object): string[] => findings(rule, "outbound", { [path]: given });

  test.each([
    [{ $select: "1", $top: "Id,Name" }],
    [{ $filter: "Id,Name", $select: "Kind eq 1" }],
    [{ sort: "true", "filter[open]": "-opened_on" }],
    [{ dir: "created", sort: "asc" }],
    [{ per_page: "name", sort: "50" }],
  ])("%j", (given) => {
    expect(params(given)).toHaveLength(1);
  });

  test.each([
    [{ sort: "asc", order_by: "created" }],
    [{ order: "desc", sort: "name" }],
    [{ include: "owner", sort: "id" }],
    [{ type: "date", filter: "open" }],
    [{ page: "1", limit: "100", sort: "-name" }],
    [{ fields: "id,name", view: "grid", max: 10 }],
  ])("right: %j", (given) => {
    expect(params(given)).toEqual([]);
  });

  const body = "/workflows/0/data_pipeline/target";
  const sent = (given: object): string[] =>
    findings(rule, "outbound", {
      [body]: { "!http": { method: "POST", path: "/lists/${custom_data.list.value}/people", body: given } },
    });

  test.each([
    [{ list_id: "${piped_content.0.email}", email: "${custom_data.list.value}" }],
    [{ person: { note: "active", status: "${custom_data.note.value | default}" } }],
  ])("%j", (given) => {
    expect(sent(given)).toHaveLength(1);
  });

  test.each([
    [{ list: "${custom_data.list.value}", email: "${piped_content.0.email}" }],
    [{ to: "${piped_content.0.email}", from: "${custom_data.list.value}" }],
    [{ subject: "${custom_data.note.value | default}", note: "Sent by the app" }],
  ])("right: %j", (given) => {
    expect(sent(given)).toEqual([]);
  });

  test("a registration", () => {
    const at = "/data_intake/0/create/!pipe/0/!http/body";
    const registered = (given: object): string[] => findings(rule, "inbound-webhook", { [at]: given });
    expect(registered({ topic: "${webhook.url}", address: "order/paid" })).toHaveLength(1);
    expect(registered({ topic: "order/paid", address: "${webhook.url}" })).toEqual([]);
    expect(registered({ source: "order/paid", hook: "${webhook.url}" })).toEqual([]);
  });
});

test("right: a state whose times move up", () => {
  const commands = {
    pre_poll: { "!jq": "{polling_state: {since: .polling_state.started, started: (now | todate)}}" },
  };
  expect(inPolling(rule, commands)).toEqual([]);
});
