import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Rules about the shape of a value: read as two things in two places, and what is right although it looks alike. */

const target = (steps: readonly object[], rule = "response/two-shapes"): string[] =>
  findings(rule, "outbound", {
    "/workflows/0/setup/select": { label: "None", form_fields: [] },
    "/workflows/0/data_pipeline/target": { "!pipe": steps },
  }).map(name);
const name = (marked: string): string => marked.replace(/^\./, "");
const get = (path: string, params?: object): object => ({
  "!http": params === undefined ? { path } : { path, params },
});
const send = (method: string, path: string, body: object = { a: 1 }): object => ({
  "!http": { method, path, body },
});
const search = get("/people", { email: "${piped_content.0.email}" });
const known = (jq: string, ...cases: readonly object[]): object => ({ "!switch": { jq, cases } });
const nobody = { "!error": "Nobody has this address." };

describe("response/two-shapes", () => {
  test.each<[string, readonly object[], string]>([
    [
      "a list within an object",
      [
        search,
        known(
          "if .found.page.total == 0 then 0 else 1 end",
          nobody,
          send("PUT", "/people/${piped_content.1.found.0.id}"),
        ),
      ],
      "found",
    ],
    [
      "in an expansion and a program",
      [search, { "!jq": "{id: .people[0].id}" }, send("PUT", "/people/${piped_content.1.people.id}")],
      "people",
    ],
    [
      "all of a list in a path",
      [
        search,
        known(
          "if .people == [] or (.people | first) == null then 0 else 1 end",
          nobody,
          send("PUT", "/people/${piped_content.1.people}"),
        ),
      ],
      "people",
    ],
    [
      "a connection that is counted",
      [search, { "!jq": "{found: (.people | length), id: .people.edges[0].node.id}" }],
      "people",
    ],
    [
      "a member and the members of items",
      [search, { "!jq": "{ids: [.people[].id], first: .people.id}" }],
      "people",
    ],
    [
      "an object that is reckoned with",
      [get("/plan"), { "!jq": "{net: (.price / 100), currency: .price.currency}" }],
      "price",
    ],
    [
      "an object that is compared",
      [get("/plan"), { "!jq": '{isOpen: (.state == "open"), since: .state.since}' }],
      "state",
    ],
    [
      "an object in a text",
      [get("/plan"), { "!jq": '{title: "Plan \\(.name)", short: .name.short}' }],
      "name",
    ],
  ])("%s", (_, steps, marked) => {
    expect(target(steps)).toEqual([marked]);
  });

  test("in two workflows that ask the same", () => {
    const options = (jq: string): object => ({ "!pipe": [get("/lists"), { "!jq": jq }] });
    const field = (id: string, jq: string): object => ({
      label: id,
      id,
      type: "dropdown",
      options: options(jq),
    });
    expect(
      findings("response/two-shapes", "outbound", {
        "/workflows/0/setup/select/form_fields": [
          field(
            "list",
            "[.lists[0:50] | .[] | {display: .name, value: .id}] | if . == [] then [] else . end",
          ),
          field("other", "[.lists.all[] | {display: .name, value: .id}] | map(select(.value))"),
          field("third", "[{display: .lists[0].name, value: .lists[0].id}]"),
        ],
      }),
    ).toEqual([".lists"]);
  });

  test.each<[string, string]>([
    ["a webhook's text", "{email: (.buyer | ascii_downcase), name: .buyer.name, city: .buyer.city}"],
    [
      "a list as a text",
      '{email: .email, kind: (if .tags == "vip" then "a" else "b" end), all: (.tags | sort), one: .tags[0]}',
    ],
  ])("%s", (_, program) => {
    expect(inSource("response/two-shapes", program)).toHaveLength(1);
  });

  test("what a query selects", () => {
    const query = "query { person { email skills { name } teams { nodes { id } } } }";
    const ask = { "!http": { method: "POST", path: "/graphql", body: { query } } };
    const told = (jq: string): string[] => target([ask, { "!jq": jq }]);
    expect(told('{skills: (.data.person.skills | join(", "))}')).toEqual(["skills"]);
    expect(told("{teams: (.data.person.teams | length)}")).toEqual(["teams"]);
    expect(told('{skills: ([.data.person.skills[].name] | join(", "))}')).toEqual([]);
    expect(
      told("{teams: (.data.person.teams.nodes | length), skills: (.data.person.skills | length)}"),
    ).toEqual([]);
    expect(told('{email: (.data.person.email | ascii_downcase), n: "\\(.data.person.email)"}')).toEqual([]);
  });

  test.each<[string, readonly object[]]>([
    [
      "another answer",
      [search, get("/teams"), { "!jq": "{id: ${piped_content.1.people.0.id}, n: .people.total}" }],
    ],
    [
      "who asks what it is",
      [search, { "!jq": 'if (.people | type) == "array" then .people[0].id else .people.id end' }],
    ],
    [
      "a map that is gone through",
      [get("/prices"), { "!jq": "{all: [.prices[] | .net], euro: .prices.EUR}" }],
    ],
    ["a map that is counted", [get("/prices"), { "!jq": "{n: (.prices | length), euro: .prices.EUR}" }]],
    [
      "the same in an item",
      [get("/orders"), { "!jq": "{a: .orders[0].items[0].id, b: .orders[0].customer.items.count}" }],
    ],
    [
      "the first and the number",
      [search, { "!jq": "{n: (.people | length), id: .people[0].id, name: (.people | first | .name)}" }],
    ],
    [
      "two methods",
      [send("POST", "/people"), search, { "!jq": "{a: ${piped_content.1.people.id}, b: .people[0].id}" }],
    ],
    [
      "a text and its parts",
      [get("/plan"), { "!jq": '{title: (.name | ascii_downcase), b: (.name | length), c: "x\\(.name)"}' }],
    ],
    [
      "one address for everything",
      [
        send("POST", "/rpc", { method: "people.list" }),
        send("POST", "/rpc", { method: "people.get" }),
        { "!jq": "{a: ${piped_content.1.result.0.id}, b: .result.id}" },
      ],
    ],
  ])("right: %s", (_, steps) => {
    expect(target(steps)).toEqual([]);
  });
});

describe("response/list-of-one", () => {
  const told = (steps: readonly object[]): string[] => target(steps, "response/list-of-one");
  const wrapped = { guest: { email: "${piped_content.0.email}" } };
  const put = (path: string): object => send("PUT", path);

  test.each<[string, readonly object[]]>([
    ["made", [send("POST", "/guests", wrapped), put("/lists/1/guests/${piped_content.1.guests.0.id}")]],
    [
      "changed",
      [
        send("PATCH", "/guests/${piped_content.0.ref}", wrapped),
        put("/lists/1/${piped_content.1.guests.0.id}"),
      ],
    ],
    ["by a program", [send("POST", "/guests", wrapped), { "!jq": "{id: .guests[0].id}" }]],
    [
      "behind a choice",
      [
        known(
          "if .ref == null then 0 else 1 end",
          send("POST", "/guests", wrapped),
          send("PATCH", "/guests/${piped_content.0.ref}", wrapped),
        ),
        put("/lists/1/${piped_content.1.guests.0.id}"),
      ],
    ],
  ])("%s", (_, steps) => {
    expect(new Set(told(steps))).toEqual(new Set(["guests"]));
  });

  test.each<[string, readonly object[]]>([
    ["the record", [send("POST", "/guests", wrapped), put("/lists/1/${piped_content.1.guest.id}")]],
    ["a search", [get("/guests"), put("/guests/${piped_content.1.guests.0.id}")]],
    [
      "several are made",
      [send("POST", "/guests", { guests: [{ email: "a" }] }), put("/lists/1/${piped_content.1.guests.0.id}")],
    ],
    [
      "other records",
      [send("POST", "/orders", { order: { a: 1 } }), put("/lists/1/${piped_content.1.guests.0.id}")],
    ],
    [
      "nothing says it",
      [send("POST", "/guests", { email: "a" }), put("/lists/1/${piped_content.1.guests.0.id}")],
    ],
  ])("right: %s", (_, steps) => {
    expect(told(steps)).toEqual([]);
  });
});

describe("response/one-of-list", () => {
  const told = (steps: readonly object[]): string[] => target(steps, "response/one-of-list");
  const teams = get("/teams");
  const put = (path: string, body?: object): object => send("PUT", path, body);

  test.each<[string, readonly object[]]>([
    [
      "in a path",
      [
        teams,
        search,
        put("/people/${piped_content.2.people.ref}", { team: "${piped_content.1.teams.0.ref}" }),
      ],
    ],
    [
      "in a program",
      [
        teams,
        search,
        {
          "!jq":
            "{person: .people.id, teams: [${piped_content.1.teams}[] | .id], one: ${piped_content.1.teams.0.id}}",
        },
      ],
    ],
  ])("%s", (_, steps) => {
    expect(told(steps)).toHaveLength(1);
  });

  test.each<[string, readonly object[]]>([
    [
      "of the first",
      [
        teams,
        search,
        put("/people/${piped_content.2.people.0.ref}", { team: "${piped_content.1.teams.0.ref}" }),
      ],
    ],
    [
      "a page within",
      [
        teams,
        search,
        put("/people/${piped_content.2.people.total}", { team: "${piped_content.1.teams.0.total}" }),
      ],
    ],
    [
      "one record",
      [
        teams,
        get("/people/7"),
        put("/people/${piped_content.2.people.ref}", { team: "${piped_content.1.teams.0.ref}" }),
      ],
    ],
    [
      "settings",
      [
        teams,
        get("/settings"),
        put("/x/${piped_content.2.settings.locale}", { team: "${piped_content.1.teams.0.ref}" }),
      ],
    ],
  ])("right: %s", (_, steps) => {
    expect(told(steps)).toEqual([]);
  });
});
