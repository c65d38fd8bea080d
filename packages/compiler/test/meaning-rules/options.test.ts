import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Rules about what form fields offer: the same kind of mistake in other words, and what is right although it looks alike. */

describe("setup/other-option-value", () => {
  const field = (id: string, path: string, value: string): object => ({
    label: id,
    id,
    type: "dropdown",
    options: {
      "!pipe": [{ "!http": { path } }, { "!jq": `[.data[] | {display: .name, value: ${value}}]` }],
    },
  });
  const told = (values: readonly [string, string], target: object, path = "/lists"): string[] =>
    findings("setup/other-option-value", "outbound", {
      "/workflows/0/setup/select/form_fields": [
        field("list", "/lists", values[0]),
        field("old-list", path, values[1]),
      ],
      "/workflows/0/data_pipeline/target": target,
    });
  const list = "${custom_data.list.value}";
  const old = "${custom_data.old-list.value}";
  const http = (method: string, path: string, body?: object): object => ({
    "!http": body === undefined ? { method, path } : { method, path, body },
  });
  const move = {
    "!pipe": [http("POST", `/lists/${list}/people`, { a: 1 }), http("DELETE", `/lists/${old}/people`)],
  };
  const inBodies = { "!pipe": [http("POST", "/people", { list }), http("POST", "/leavers", { list: old })] };
  const inPrograms = {
    "!pipe": [
      { "!jq": `{list_code: ${list}}` },
      { "!jq": `. + {old: {list_code: ${old}}}` },
      http("POST", "/people", { all: "${piped_content.2}" }),
    ],
  };

  test.each<[readonly [string, string], object, string]>([
    [[".code", ".name"], move, ".name"],
    [[".name", ".code"], move, ".name"],
    [[".id", ".uuid"], move, ".uuid"],
    [[".id", '"\\(.title)"'], move, '"\\(.title)"'],
    [["(.id | tostring)", ".title"], inBodies, ".title"],
    [[".code", ".name"], inPrograms, ".name"],
  ])("%j %j", (values, target, marked) => {
    expect(told(values, target)).toEqual([marked]);
  });

  test.each<[readonly [string, string], object, string?]>([
    [[".code", ".code"], move],
    [[".id", "(.id | tostring)"], move],
    // Other records, and other places.
    [[".code", ".name"], move, "/old-lists"],
    [[".code", ".name"], { "!pipe": [http("POST", `/lists/${list}/people`, { leaves: old })] }],
    // Two services of which each takes its own.
    [[".id", ".email"], inBodies],
  ])("right: %j %j", (values, target, path = "/lists") => {
    expect(told(values, target, path)).toEqual([]);
  });
});

describe("expansion/default-not-option", () => {
  test.each([
    ["a dropdown takes only its options", "dropdown", "new", ["new"]],
    ["an option", "dropdown", "lead", []],
    ["a text field only suggests them", "text", "new", []],
  ])("%s", (_, type, text, at) => {
    const options = ["lead", "customer"].map((value) => ({ display: value.toUpperCase(), value }));
    const told = findings("expansion/default-not-option", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        id: "stage",
        label: "Stage",
        type,
        required: false,
        options,
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/people",
          body: { email: "${piped_content.0.email}", stage: `\${custom_data.stage.value | default:${text}}` },
        },
      },
    });
    expect(told).toEqual(at);
  });
});

describe("expansion/display-for-id: in the path of its own list", () => {
  const told = (path: string, options = "[.lists[] | {display: .name, value: .id}]"): string[] =>
    findings("expansion/display-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": options }],
      },
      "/workflows/0/data_pipeline/target": {
        "!http": { method: "POST", path, body: { email: "${piped_content.0.email}" } },
      },
    });

  test.each(["/lists/${custom_data.list.display}/members", "/v2/lists/${custom_data.list.display}"])(
    "%s",
    (path) => {
      expect(told(path)).toEqual(["display"]);
    },
  );

  test.each<[string, string?]>([
    ["/lists/${custom_data.list.value}/members"],
    ["/segments/${custom_data.list.display}/members"],
    ["/members/by-list-name/${custom_data.list.display}"],
    // A slug may stand in a path as well as an id.
    ["/lists/${custom_data.list.display}/members", "[.lists[] | {display: .slug, value: .id}]"],
    // Its names are what identifies.
    ["/lists/${custom_data.list.display}/members", "[.lists[] | {display: .slug, value: .title}]"],
  ])("right: %s", (path, options) => {
    expect(told(path, options)).toEqual([]);
  });
});

describe("value/name-for-id: what a GraphQL query wants", () => {
  const options = (value: string, display = ".title") => ({
    "!pipe": [
      {
        "!http": { method: "POST", path: "/graphql", body: { query: "query { groups { id title code } }" } },
      },
      { "!jq": `[.data.groups[] | {display: ${display}, value: ${value}}]` },
    ],
  });
  const told = (value: string, query: string, display?: string): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": options(value, display),
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/graphql",
          body: {
            query,
            variables: { group: "${custom_data.list.value}", name: "${piped_content.0.email}" },
          },
        },
      },
    });
  const mutation = (declared: string, used: string): string =>
    `mutation Add($group: ${declared}, $name: String!) { add(${used}, name: $name) { id } }`;

  test.each([
    ["an argument called an id", mutation("String!", "group_id: $group")],
    ["one in camel case", mutation("String", "groupId: $group")],
    ["one of an object", mutation("String!", "input: {groupId: $group}")],
    ["a variable declared an ID", mutation("ID!", "group: $group")],
  ])("%s", (_, query) => {
    expect(told(".title", query)).toEqual([".title"]);
  });

  test("is right with an id, a code, or where a name is wanted", () => {
    expect(told(".id", mutation("ID!", "group_id: $group"))).toEqual([]);
    expect(told(".code", mutation("ID!", "group_id: $group"))).toEqual([]);
    expect(told(".title", mutation("String!", "group: $group"))).toEqual([]);
    expect(told(".title", mutation("String!", "groupTitle: $group"))).toEqual([]);
  });
});

describe("value/name-for-id: lists that have one path", () => {
  const list = (request: object, program: string): object => ({
    "!pipe": [{ "!http": request }, { "!jq": program }],
  });
  const told = (airports: object, lounges: object): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": list(
        airports,
        '[.airports[] | {display: "\\(.iata) \\(.city)", value: .iata}]',
      ),
      "/workflows/0/setup/select/form_fields/1": {
        id: "lounge",
        label: "Lounge",
        type: "dropdown",
        options: list(lounges, "[.lounges[] | {display: .name, value: .id}]"),
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/guests",
          body: { airport: "${custom_data.list.value}", lounge_id: "${custom_data.lounge.value}" },
        },
      },
    });
  const query = (text: string): object => ({ method: "POST", path: "/graphql", body: { query: text } });
  const call = (method: string): object => ({ method: "POST", path: "/rpc", body: { method } });
  const lookup = (kind: string): object => ({ path: "/lookup", params: { kind, limit: "50" } });

  test("other lists have ids", () => {
    expect(told(query("{ airports { iata city } }"), query("{ lounges { id name } }"))).toEqual([]);
    expect(told(call("airports.list"), call("lounges.list"))).toEqual([]);
    expect(told(lookup("airport"), lookup("lounge"))).toEqual([]);
  });

  test("the same list has ids", () => {
    expect(
      told(query("{ places { iata city } }"), query("query All { places(all: true) { id name } }")),
    ).toEqual([".iata"]);
    expect(told({ path: "/places", params: { open: "1" } }, { path: "/places" })).toEqual([".iata"]);
  });
});

describe("expansion/default-not-option: where nothing is chosen", () => {
  const direction = {
    label: "Direction",
    id: "direction",
    type: "dropdown",
    required: false,
    options: [
      { display: "Incoming", value: "in" },
      { display: "Outgoing", value: "out" },
    ],
  };
  const told = (request: object): string[] =>
    findings("expansion/default-not-option", "outbound", {
      "/workflows/0/setup/select/form_fields/1": direction,
      "/workflows/0/data_pipeline/target": { "!http": request },
    });
  const sent = "${custom_data.direction.value | default:both}";

  test("a request that reads may ask for all by a word of its own", () => {
    expect(told({ path: "/calls", params: { direction: sent } })).toEqual([]);
    expect(told({ method: "get", path: "/calls", params: { direction: sent } })).toEqual([]);
  });

  test("what is written has one of the values", () => {
    expect(told({ method: "POST", path: "/calls", body: { direction: sent } })).toEqual(["both"]);
    expect(told({ method: "POST", path: "/calls", params: { direction: sent } })).toEqual(["both"]);
  });
});
