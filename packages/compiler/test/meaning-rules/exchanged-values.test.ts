import { describe, expect, test } from "vitest";
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
