import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Records that a search gives, and wholes where a part belongs: in other forms, and what is right although it looks alike. */

const target = (
  rule: string,
  pipe: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
): string[] =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": pipe } });
const mail = "${piped_content.0.email}";
const search = { "!http": { path: "/people", params: { email: mail } } };
const choose = (jq: string, ...cases: readonly unknown[]): unknown => ({ "!switch": { jq, cases } });
const make = { "!http": { method: "POST", path: "/people", body: { email: mail } } };
const change = (path: string, body: unknown = { email: mail }): unknown => ({
  "!http": { method: "PATCH", path, body },
});

describe("the second record where one is certain", () => {
  const told = (jq: string, index: string, ...more: readonly unknown[]): string[] =>
    target("pipeline/second-of-one", [
      search,
      choose(jq, make, change(`/people/\${piped_content.1.people[${index}].id}`), ...more),
    ]);

  test.each([
    ".people | length | if . == 0 then 0 else 1 end",
    "[(.people | length), 1] | min",
    "[.people | length, 1] | min",
    ".people | length",
    "if .people[0] then 1 else 0 end",
    "if .people[0] == null then 0 else 1 end",
  ])("%s", (jq) => {
    expect(told(jq, "1")).toHaveLength(1);
    expect(told(jq, "0")).toEqual([]);
  });

  test("of several ways behind the one without any", () => {
    const jq = 'if .people == [] then 0 elif .people[0].state == "open" then 1 else 2 end';
    expect(told(jq, "1", { "!print_c": "left" })).toHaveLength(1);
  });

  test("beside the first one, where no default stands in for it", () => {
    const jq = "if (.people | length) == 0 then 0 else 1 end";
    const both = (second: string): string[] =>
      target("pipeline/second-of-one", [
        search,
        choose(jq, make, change("/people/${piped_content.1.people[0].id}", { partner: second })),
      ]);
    expect(both("${piped_content.1.people[1].id}")).toHaveLength(1);
    expect(both("${piped_content.1.people[1].id | default}")).toEqual([]);
  });

  test("of a list that is the whole step", () => {
    const told = (read: string): string[] =>
      target("pipeline/second-of-one", [
        search,
        { "!jq": "[.people[].token]" },
        choose("if length == 0 then 0 else 1 end", make, change("/people/1", { token: read })),
      ]);
    expect(told("${piped_content.2[1]}")).toHaveLength(1);
    expect(told("${piped_content.2[0]}")).toEqual([]);
  });

  test.each(["[(.people | length), 2] | min", "if (.people | length) > 1 then 1 else 0 end"])(
    "right: %s",
    (jq) => {
      const two = jq.startsWith("[") ? [change("/people/${piped_content.1.people[1].id}")] : [];
      expect(told(jq, two.length > 0 ? "0" : "1", ...two)).toEqual([]);
    },
  );
});

describe("a list or a record in a path", () => {
  const told = (jq: string, path: string, request: unknown = search): string[] =>
    target("http/record-in-path", [request, choose(jq, make, change(path))]);

  test.each([
    ["[(.data | length), 1] | min", "/people/${piped_content.1.data}"],
    ["if (.body | length) == 0 then 0 else 1 end", "/people/${piped_content.1.body}"],
    ["if (.results | length) > 0 then 1 else 0 end", "/people/${piped_content.1.results}"],
  ])("%s", (jq, path) => {
    expect(told(jq, path)).toHaveLength(1);
  });

  test("of a search by POST", () => {
    const byPost = { "!http": { method: "POST", path: "/people/search", body: { email: mail } } };
    const jq = "if (.people | length) > 0 then 1 else 0 end";
    expect(told(jq, "/people/${piped_content.1.people}", byPost)).toHaveLength(1);
    expect(told(jq, "/people/${piped_content.1.people[0].id}", byPost)).toEqual([]);
  });

  test.each([
    ["if (.code | length) > 0 then 1 else 0 end", "/people/${piped_content.1.code}"],
    ["if (.people | length) > 0 then 1 else 0 end", "/people/${piped_content.1.people[0].id}"],
    ['if .data == "" then 0 else 1 end', "/people/${piped_content.1.data}"],
  ])("right: %s %s", (jq, path) => {
    expect(told(jq, path)).toEqual([]);
  });
});

describe("mapped fields as a whole in one member", () => {
  const map = [
    { id: "email", title: "Email", required: true },
    { id: "mobile", title: "Mobile" },
  ];
  const told = (body: unknown): string[] =>
    target("pipeline/whole-for-part", [{ "!http": { method: "POST", path: "/people", body } }], {
      "/workflows/0/setup/map/describe_target/options": map,
    });

  test.each([
    { email: mail, mobile: "${piped_content.0}" },
    { email: mail, mobile: "${piped_content.0 | default}" },
    { person: { email: "${piped_content.0}" } },
  ])("%j", (body) => {
    expect(told(body)).toHaveLength(1);
  });

  test.each([
    { email: mail, fields: "${piped_content.0}" },
    { email: mail, mobile: "${piped_content.0.mobile | default}" },
    { person: "${piped_content.0}" },
  ])("right: %j", (body) => {
    expect(told(body)).toEqual([]);
  });
});

describe("a whole step beside a part of it in another case", () => {
  const step = {
    "!jq": "{id: .people[0].id, fields: (${piped_content.0} | with_entries(select(.value != null)))}",
  };
  const told = (one: string, other: string, made: unknown = step): string[] =>
    target("pipeline/whole-for-part", [
      search,
      made,
      choose(
        "if .id == null then 0 else 1 end",
        { "!http": { method: "POST", path: "/people", body: one } },
        { "!http": { method: "PATCH", path: "/people/${piped_content.2.id}", body: other } },
      ),
    ]);

  test("which is sent there", () => {
    expect(told("${piped_content.2}", "${piped_content.2.fields}")).toEqual(["${piped_content.2}"]);
    expect(told("${piped_content.2.fields}", "${piped_content.2}")).toEqual(["${piped_content.2}"]);
  });

  test("upon which the other one is built", () => {
    const built = { "!jq": "{id: .people[0].id, fields: (${piped_content.0.person} + {list: 1})}" };
    expect(told("${piped_content.0}", "${piped_content.2.fields}", built)).toEqual(["${piped_content.0}"]);
  });

  test.each([
    ["${piped_content.2.fields}", "${piped_content.2.fields}"],
    ["${piped_content.0}", "${piped_content.2.fields}"],
    ["${piped_content.0}", "${piped_content.0}"],
  ])("right: %s and %s", (one, other) => {
    expect(told(one, other)).toEqual([]);
  });
});

describe("an answer to a search by POST", () => {
  const byPost = (path: string): unknown => ({ "!http": { method: "POST", path, body: { email: mail } } });
  const told = (path: string, read: string): string[] =>
    target("response/member-of-search", [
      byPost(path),
      choose("if (.items | length) == 0 then 0 else 1 end", { "!error": "Nobody." }, { "!jq": ".items[0]" }),
      { "!http": { path: `/people/\${${read}}/deals` } },
    ]);

  test.each(["/people/search", "/people/lookup", "/people/find"])("%s", (path) => {
    expect(told(path, "piped_content.1.id")).toHaveLength(1);
  });

  test.each([
    ["/people/search", "piped_content.2.id"],
    ["/people/import", "piped_content.1.id"],
    ["/people", "piped_content.1.id"],
  ])("right: %s %s", (path, read) => {
    expect(told(path, read)).toEqual([]);
  });
});
