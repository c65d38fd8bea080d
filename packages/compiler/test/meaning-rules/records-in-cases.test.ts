import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a case sends of a record that a step has made, and the second record of a list: the mistake in other forms, and what is right. */

const target = "/workflows/0/data_pipeline/target";
const send = (method: string, path: string, body: unknown) => ({ "!http": { method, path, body } });
const pipe = (...steps: readonly object[]) => ({ "!pipe": steps });
const program = (jq: string) => ({ "!jq": jq });
const look = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
const choose = (jq: string, ...cases: readonly object[]) => ({ "!switch": { jq, cases } });
const told = (rule: string, json: object): number => findings(rule, "outbound", { [target]: json }).length;

describe("pipeline/second-of-one", () => {
  const post = send("POST", "/people", { email: "${piped_content.0.email}" });
  const patch = (at: string) => send("PATCH", `/people/\${piped_content.1.people${at}.id}`, { seen: true });
  test.each([
    [
      "a count first",
      pipe(look, choose(".people | length | if . == 0 then 0 else 1 end", post, patch("[1]"))),
      1,
    ],
    ["one at most", pipe(look, choose("[(.people | length), 1] | min", post, patch(".1"))), 1],
    ["the first one itself", pipe(look, choose("if .people[0] then 1 else 0 end", post, patch("[1]"))), 1],
    ["the number as it is", pipe(look, choose(".people | length", post, patch("[1]"))), 1],
    [
      "a count first, and the first",
      pipe(look, choose(".people | length | if . == 0 then 0 else 1 end", post, patch("[0]"))),
      0,
    ],
    ["the second one itself", pipe(look, choose("if .people[1] then 1 else 0 end", post, patch("[1]"))), 0],
    ["two at most", pipe(look, choose("[(.people | length), 2] | min", post, patch("[0]"), patch("[1]"))), 0],
    ["the number, and two", pipe(look, choose(".people | length", post, patch("[0]"), patch("[1]"))), 0],
  ])("%s", (_, json, count) => {
    expect(told("pipeline/second-of-one", json)).toBe(count);
  });

  test.each([
    ["The second step from the end has the key.", 1],
    ["The second one is the person's own.", 0],
  ])("%s", (_comment, count) => {
    const steps = [look, choose("if .people[0] then 1 else 0 end", post, patch("[1]"))];
    expect(told("pipeline/second-of-one", { _comment, "!pipe": steps })).toBe(count);
  });
});

describe("pipeline/second-of-one: of a list that comes in", () => {
  const made = (body: string) =>
    told("pipeline/second-of-one", pipe(look, program(body), post("${piped_content.2}")));
  const post = (body: string) => send("POST", "/people", body);
  test.each([
    ["{id: ([.people[] | select(.own)] | if length > 0 then .[1].id else null end)}", 1],
    ["{id: (.people | if length == 0 then null else (.[1].id | tostring) end)}", 1],
    ["{id: (.people | if length > 0 then .[0].id else null end)}", 0],
    ["{id: (.people | if length > 1 then .[1].id else null end)}", 0],
    ["{ids: (.people | if length > 0 then [.[0].id, .[1].id] else null end)}", 0],
    ["{ids: (.people | if length > 0 then {one: first, other: .[1].id} else null end)}", 0],
    ["{id: (.people | if length > 0 then (.[0] | .ids | .[1]) else null end)}", 0],
    ["{id: (.people | if length > 0 then (.[0].ids as $ids | $ids[1]) else null end)}", 0],
  ])("%s", (body, count) => {
    expect(made(body)).toBe(count);
  });
});

describe("pipeline/whole-for-part", () => {
  const made = program("{person_id: (.people[0].id // null), person: (${piped_content.0} | {email, name})}");
  const cases = (one: string, other: string) =>
    pipe(
      look,
      made,
      choose(
        "if .person_id == null then 0 else 1 end",
        send("POST", "/people", one),
        send("PATCH", "/people/${piped_content.2.person_id}", other),
      ),
    );
  const [whole, part] = ["${piped_content.2}", "${piped_content.2.person}"];
  const mixed = (others: string, body: string, ...rest: readonly object[]) =>
    pipe(program(`{person: {email: .email}, ${others}}`), send("POST", "/people", body), ...rest);
  const letter = send("POST", "/letters", { text: "${piped_content.1.text}" });
  test.each([
    ["in one of two cases", cases(whole, part), 1],
    ["in the other one", cases(part, whole), 1],
    ["beside what another request has", mixed('text: "x"', "${piped_content.1}", letter), 1],
    ["its part in both", cases(part, part), 0],
    ["with what nothing else reads", mixed("notify: true", "${piped_content.1}"), 0],
    [
      "a text of the record's name",
      pipe(
        program("{person_name: .name, text: .text}"),
        send("POST", "/people", "${piped_content.1}"),
        letter,
      ),
      0,
    ],
    [
      "another record",
      pipe(
        program("{car: {plate: .plate}, text: .text}"),
        send("POST", "/people", "${piped_content.1}"),
        letter,
      ),
      0,
    ],
  ])("%s", (_, json, count) => {
    expect(told("pipeline/whole-for-part", json)).toBe(count);
  });
});

describe("a record in the cases of a switch", () => {
  const spread = program('{id: .people[0].id, fields: (${piped_content.0.person} + {source: "x"})}');
  const written = (one: string, other: string, step = spread) =>
    pipe(
      look,
      step,
      choose(
        "if .id == null then 0 else 1 end",
        send("POST", "/people", one),
        send("PATCH", "/people/${piped_content.2.id}", other),
      ),
    );
  const fields = "${piped_content.2.fields}";
  test.each([
    ["the record below its name", written(fields, "${piped_content.0}"), 1],
    ["for a new one", written("${piped_content.0}", fields), 1],
    ["the member itself", written(fields, "${piped_content.0.person}"), 0],
    ["in both", written(fields, fields), 0],
    [
      "all of it with more",
      written(
        fields,
        "${piped_content.0}",
        program('{id: .people[0].id, fields: (${piped_content.0} + {source: "x"})}'),
      ),
      0,
    ],
  ])("pipeline/unbuilt-body: %s", (_, json, count) => {
    expect(told("pipeline/unbuilt-body", json)).toBe(count);
  });

  const three = (...bodies: readonly string[]) =>
    pipe(
      program(". + {list_id: ${custom_data.list.value}}"),
      choose(
        '["a", "b", "c"] | index(.kind)',
        ...bodies.map((body, at) => send("POST", `/${["first", "second", "third"][at]}/requests`, body)),
      ),
    );
  const [added, raw] = ["${piped_content.1}", "${piped_content.0}"];
  test.each([
    ["one of three lacks it", three(raw, added, added), 1],
    ["the last one", three(added, added, raw), 1],
    ["all have it", three(added, added, added), 0],
    ["one of two lacks it", three(raw, added), 0],
    ["two lack it", three(raw, raw, added), 0],
  ])("pipeline/made-without-choice: %s", (_, json, count) => {
    expect(told("pipeline/made-without-choice", json)).toBe(count);
  });
});
