import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a case of a `!switch` sends: built by a step before it, of the right record, for what was chosen. */

describe("a record that is built in a step before, and completed in a case", () => {
  const told = (profile: string, made: string, changed: unknown): string[] =>
    findings("pipeline/unbuilt-body", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": `\${piped_content.0} as $c | {id: .people[0].id, profile: ${profile}}` },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                {
                  "!pipe": [
                    { "!jq": made },
                    { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
                  ],
                },
                { "!http": { method: "PATCH", path: "/people/${piped_content.2.id}", body: changed } },
              ],
            },
          },
        ],
      },
    });
  const nested =
    "({mail: $c.email, licence: {number: $c.licence_number, until: $c.licence_until}} | with_entries(select(.value != null)))";
  const added = ".profile + {list: ${custom_data.list.value}}";
  test.each([
    ["added to", nested, added, "${piped_content.0}", ["${piped_content.0}"]],
    [
      "with a member set",
      nested,
      `${added} | .licence.kind |= (. // "B")`,
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    ["as it is", nested, ".profile", "${piped_content.0}", ["${piped_content.0}"]],
    ["sent in both", nested, added, "${piped_content.2.profile}", []],
    ["of the same form", "{email: $c.email, name: $c.name}", added, "${piped_content.0}", []],
    ["another body", nested, added, { state: "known" }, []],
    ["another record", nested, "{list: ${custom_data.list.value}, note: .id}", "${piped_content.0}", []],
  ])("%s", (_, profile, made, changed, at) => {
    expect(told(profile, made, changed)).toEqual(at);
  });
});

describe("value/record-at-hand of a client", () => {
  const told = (id: string): string[] =>
    findings("value/record-at-hand", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { method: "PUT", path: "/clients", body: { email: "${piped_content.0.email}" } } },
          { "!http": { method: "POST", path: "/quotes", body: { client: "${piped_content.1.client.id}" } } },
          { "!http": { method: "POST", path: `/quotes/\${${id}}/lines`, body: { kind: "express" } } },
          {
            "!http": {
              method: "POST",
              path: "/quotes/${piped_content.2.quote.id}/files",
              body: { kind: "a" },
            },
          },
        ],
      },
    });
  test.each([
    ["piped_content.1.client.id", ["${piped_content.1.client.id}"]],
    ["piped_content.2.quote.id", []],
    // A name that belongs to the app.
    ["piped_content.2.client_id", []],
    ["piped_content.2.id", []],
  ])("%s", (id, at) => {
    expect(told(id)).toEqual(at);
  });
});

describe("command/exchanged-cases", () => {
  const told = (jq: string, first: unknown, second: unknown): string[] =>
    findings("command/exchanged-cases", "outbound", {
      "/workflows/0/setup/select/form_fields/0": {
        id: "service",
        label: "Service",
        type: "dropdown",
        options: [
          { display: "Express (2 days)", value: "express" },
          { display: "Certified (10 days)", value: "certified" },
        ],
      },
      "/workflows/0/data_pipeline/target": { "!switch": { jq, cases: [first, second] } },
    });
  const send = (path: string, kind: string) => ({ "!http": { method: "POST", path, body: { kind } } });
  const [fast, sealed] = [send("/surcharges", "express"), send("/enclosures", "certificate")];
  const right = '{"express": 0, "certified": 1}[${custom_data.service.value}]';
  const wrong = '{"express": 1, "certified": 0}[${custom_data.service.value}]';
  test.each([
    ["another form of the word", wrong, fast, sealed, 1],
    [
      "by a variable",
      '${custom_data.service.value} as $s | {"express": 1, "certified": 0}[$s]',
      fast,
      sealed,
      1,
    ],
    [
      "asked by a variable",
      '${custom_data.service.value} as $s | if $s == "express" then 1 else 0 end',
      fast,
      sealed,
      1,
    ],
    ["right", right, fast, sealed, 0],
    ["right, the other way round", wrong, sealed, fast, 0],
    [
      "asked rightly",
      '${custom_data.service.value} as $s | if $s == "express" then 0 else 1 end',
      fast,
      sealed,
      0,
    ],
    // Only one of them says what it is about.
    ["of one", wrong, fast, send("/enclosures", "paper"), 0],
    // Words that both have.
    ["days", wrong, send("/a", "days"), send("/b", "days"), 0],
    ["a word that only begins alike", wrong, fast, send("/certain", "other"), 0],
  ])("%s", (_, jq, first, second, count) => {
    expect(told(jq, first, second)).toHaveLength(count);
  });
});

describe("lists of a GraphQL answer", () => {
  const query =
    "query Latest($subscription: ID!) { shipments(subscriptionId: $subscription, first: 1) { nodes { id sentAt } } subscription { id } }";
  const told = (program: string): string[] =>
    findings("response/two-shapes", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: "/graphql",
              body: { query, variables: { subscription: "${piped_content.0.id}" } },
            },
          },
          { "!jq": program },
        ],
      },
    });
  const behind = (value: string): string =>
    `(if .errors != null then error("No.") else ${value} end) as $last | `;
  test.each([
    [`${behind(".data.shipments.nodes")}{email: $last.id}`, 1],
    ["{email: .data.shipments.nodes.sentAt}", 1],
    [".data.shipments.nodes as $last | {email: $last.sentAt}", 1],
    ["{email: .data.shipments[0].sentAt}", 1],
    [`${behind(".data.shipments.nodes[0]")}{email: $last.id}`, 0],
    [".data.shipments.nodes | map(.id) | {email: .[0]}", 0],
    ["{email: .data.subscription.id}", 0],
    [`${behind(".data.shipments")}{email: $last.nodes[0].id}`, 0],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
});
