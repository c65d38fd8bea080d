import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What stands fixed, whole or twice where one of several was meant, each beside right ones that look like the mistake. */

describe("jq/fixed-lookup", () => {
  const told = (program: string): string[] => inSource("jq/fixed-lookup", program);

  test.each([
    ["a key in brackets", '{email, fee: ({small: "A", large: "C"}["small"])}', '"small"'],
    ["behind a dot", '{email, fee: ({small: "A", large: "C"}.small)}', "small"],
    ["behind a pipe", '{email, fee: ({small: "A", large: "C"} | .["large"])}', '"large"'],
    ["a dot behind a pipe", '{email, fee: ({small: "A", large: "C"} | .large)}', "large"],
    ["with a default", '{email, fee: ({small: "A", large: "C"}["small"] // "B")}', '"small"'],
    [
      "a key that a variable holds",
      '"small" as $size | {email, fee: ({small: 1, large: 2}[$size])}',
      "$size",
    ],
    [
      "a table that a variable holds",
      '{small: 1, large: 2} as $fees | {email, fee: $fees["large"]}',
      '"large"',
    ],
    ["a table in a definition", 'def fee: {small: 1, large: 2}["small"]; {email, fee: fee}', '"small"'],
    ["a list", '{email, grade: (["As new", "Good", "Worn"][1])}', "1"],
    ["a table of records", '{email, fee: ({a: {n: 1}, b: {n: 2}}["a"].n)}', '"a"'],
    ["the name of a field", '{email, fee: ({small: "A", large: "C"}["size"])}', '"size"'],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["by a member", '{email, fee: ({small: "A", large: "C"}[.size])}'],
    ["by a chosen value", '{email, fee: ({news: "A", offers: "C"}[${custom_data.list.value}])}'],
    ["a default of the same table", '{small: 1, other: 2} as $t | {email, fee: ($t[.size] // $t["other"])}'],
    ["constants with names", "{vat: 19, fee: 5} as $c | {email, sum: (.net + $c.vat + $c.fee)}"],
    ["one constant in two places", "{vat: 19, fee: 5} as $c | {email, a: (.net + $c.vat), b: ($c.vat)}"],
    ["a record that a program makes", "{a: .first, b: .last} | {email: .a, name: .b}"],
    ["one member of what is made", "{email: ({a: .first, b: .second} | .a)}"],
    ["a part of a list that came", '{email, first: (.tags | split(",")[0])}'],
    ["a list of what came", "{email, first: ([.mobile, .phone][0])}"],
    ["a table of one", '{email, fee: ({small: "A"}["small"])}'],
    ["a slice", '{email, some: (["a", "b", "c"][:2])}'],
    ["by a number that came", '{email, grade: (["As new", "Good"][.grade - 1])}'],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/text-as-condition: a constant", () => {
  const told = (program: string): string[] => inSource("jq/text-as-condition", program);

  test.each([
    ["a text", '{email, _tags: (if "accepted" then ["Booked"] else [] end)}', '"accepted"'],
    ["the empty text", '{email, _tags: (if "" then ["Booked"] else [] end)}', '""'],
    ["in select", '{email, booked: ([.quotes[] | select("accepted")] | length)}', '"accepted"'],
    ["negated", '{email, open: (if ("accepted" | not) then "yes" else "no" end)}', '"accepted"'],
    ["that a variable holds", '"accepted" as $is | {email, booked: (if $is then "y" else "n" end)}', "$is"],
    ["behind elif", '{email, a: (if .a == 1 then 1 elif "b" then 2 else 3 end)}', '"b"'],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["compared", '{email, _tags: (if .status == "accepted" then ["Booked"] else [] end)}'],
    ["a list that has it", '{email, a: (if ["a", "b"] | index("a") then 1 else 2 end)}'],
    ["a table by it", '{email, a: (if {"a": true, "b": false}[.kind] then 1 else 2 end)}'],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

const target = "/workflows/0/data_pipeline/target";
const search = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };

describe("http/whole-output-as-id", () => {
  const told = (...steps: unknown[]): string[] =>
    findings("http/whole-output-as-id", "outbound", { [target]: { "!pipe": steps } });
  const made = { "!jq": '{owner_id: .people[0].id, note: "new"}' };
  const send = (body: unknown) => ({ "!http": { method: "POST", path: "/entries", body } });
  const whole = "${piped_content.2}";

  test.each([
    ["below data", { owner: { data: { type: "owners", id: whole } } }],
    ["a member", { owner_id: whole }],
    ["camelCase", { ownerId: whole }],
    ["a variable", { query: "mutation ($id: ID!) { add(id: $id) { id } }", variables: { id: whole } }],
    ["a list of records", { owners: [{ id: whole }] }],
  ])("in a body: %s", (_, body) => {
    expect(told(search, made, send(body))).toEqual(["piped_content.2"]);
  });

  test("in parameters", () => {
    const asked = { "!http": { path: "/entries", params: { owner_id: whole } } };
    expect(told(search, made, asked)).toEqual(["piped_content.2"]);
  });

  test("in a later program", () => {
    const later = { "!jq": "{owner_id: ${piped_content.2}, kind: .kind}" };
    expect(told(search, made, search, later, send("${piped_content.4}"))).toHaveLength(1);
  });

  test.each([
    ["the input", "{origin_id: .}", "."],
    ["a variable", ". as $made | {origin_id: $made}", "$made"],
    ["an earlier answer", "{origin_id: ${piped_content.1}, note: .note}", "${piped_content.1}"],
    ["a token", "{session_token: .}", "."],
    ["in one case", 'if .ok then {origin_id: .} else {origin_id: "none"} end', "."],
  ])("an answer: %s", (_, program, marked) => {
    expect(told(search, { "!jq": program }, send("${piped_content.2}"))).toEqual([marked]);
  });

  test.each([
    ["the id", [search, made, send({ owner_id: "${piped_content.2.owner_id}" })]],
    ["all of it as attributes", [search, made, send({ attributes: whole })]],
    ["a step that gives the id", [search, { "!jq": ".people[0].id" }, send({ owner_id: whole })]],
    ["a compound key", [search, { "!jq": "{source: .people[0].source, key: 1}" }, send({ id: whole })]],
    ["what is in a list", [search, { "!jq": "{ids: [.people[] | {id: .id}]}" }, send(whole)]],
    ["a text answer", [search, { "!jq": "{token: .body}" }, send(whole)]],
    ["an id behind a pipe", [search, { "!jq": ".people[0].id | {owner_id: .}" }, send(whole)]],
    ["of each", [search, { "!jq": "{all: [.people[].id | {owner_id: .}]}" }, send(whole)]],
    ["reduced", [search, { "!jq": "{id: ([.people[].id] | first)}" }, send(whole)]],
  ])("right: %s", (_, steps) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("http/repeated-request", () => {
  const inPipe = (name: string, ...steps: unknown[]): string[] =>
    findings("http/repeated-request", "inbound-webhook", {
      "/data_intake/0/update": undefined,
      [`/data_intake/0/${name}`]: { "!pipe": steps },
    });
  const first = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.paid}" } };
  const second = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.refunded}" } };
  const removal = (id: string) => ({ "!http": { method: "POST", path: "/hooks/remove", body: { id } } });
  const change = (id: string, event: string) => ({
    "!http": { method: "PUT", path: `/hooks/${id}`, body: { url: "${webhook.url}", event } },
  });

  test.each([
    ["DELETE", "delete", [first, first]],
    ["lower case", "delete", [{ "!http": { ...first["!http"], method: "delete" } }, first]],
    ["the third", "delete", [first, second, first]],
    [
      "POST with the id in its body",
      "delete",
      [removal("${data.workflow.paid}"), removal("${data.workflow.paid}")],
    ],
    [
      "two events under one id",
      "update",
      [change("${data.workflow.paid}", "paid"), change("${data.workflow.paid}", "refunded")],
    ],
  ])("%s", (_, name, steps) => {
    expect(inPipe(name, ...steps)).toHaveLength(1);
  });

  test.each([
    ["two ids", "delete", [first, second]],
    ["two bodies", "delete", [removal("${data.workflow.paid}"), removal("${data.workflow.refunded}")]],
    [
      "two updates",
      "update",
      [change("${data.workflow.paid}", "a"), change("${data.workflow.refunded}", "b")],
    ],
    [
      "made anew in between",
      "delete",
      [first, { "!http": { method: "POST", path: "/hooks", body: { id: "${data.workflow.paid}" } } }, first],
    ],
    ["a fixed address", "delete", [removal("all"), removal("all")]],
    [
      "switched off and on",
      "update",
      [false, true].map((active) => ({
        "!http": {
          method: "PATCH",
          path: "/hooks/${data.workflow.paid}",
          body: { url: "${webhook.url}", active },
        },
      })),
    ],
  ])("right: %s", (_, name, steps) => {
    expect(inPipe(name, ...steps)).toEqual([]);
  });

  test("right: changes of one record by different bodies", () => {
    const step = (body: unknown) => ({
      "!http": { method: "PATCH", path: "/people/${piped_content.0.id}", body },
    });
    const steps = [step({ state: "open" }), step({ note: "New" })];
    expect(findings("http/repeated-request", "outbound", { [target]: { "!pipe": steps } })).toEqual([]);
  });
});
