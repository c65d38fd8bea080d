import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const told = (rule: string, target: readonly unknown[]): number =>
  findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": target } }).length;
const post = (body: unknown, path = "/lists/${custom_data.list.value}/people") => ({
  "!http": { method: "POST", path, body },
});
const search = { "!http": { path: "/people", params: { email: "${piped_content.1.email}" } } };
const choose = (...cases: readonly unknown[]) => ({
  "!switch": { jq: "if (.people | length) == 0 then 0 else 1 end", cases },
});
const change = (body: unknown) => ({
  "!http": { method: "PATCH", path: "/people/${piped_content.2.people[0].id}", body },
});

describe("a member that a step makes by way of a variable", () => {
  const pipe = (made: string, read: number) => [
    { "!jq": made },
    post({ day: `\${piped_content.${read}.day}`, until: "${piped_content.1.until}" }),
  ];
  const rest = "until: (now | todate)";
  test.each([
    [`.day[0:10] as $day | {day: $day, ${rest}}`],
    [`if .day == null then error("No day") else .day[0:10] as $d | {day: $d, ${rest}} end`],
    [`(.day | ltrimstr(" ")) as $day | {$day, ${rest}}`],
    [`{day: .day[0:10], ${rest}}`],
  ])("told: %s", (made) => {
    expect(told("unused/made-member", pipe(made, 0))).toBe(1);
    expect(told("unused/made-member", pipe(made, 1))).toBe(0);
  });
  test.each([
    [`.day as $day | {day: $day, ${rest}}`],
    [`"2026-01-01" as $day | {day: $day, ${rest}}`],
    [`. as {$day} | {$day, ${rest}}`],
  ])("not told of a copy: %s", (made) => expect(told("unused/made-member", pipe(made, 0))).toBe(0));
});

describe("pipeline/superseded-body: what was done to a record is left out", () => {
  const rule = "pipeline/superseded-body";
  const cleaned =
    '(.email // "" | gsub(" "; "")) as $email | if $email == "" then error("No email") else .email = $email end';
  test("the cleaned value is only looked for", () => {
    const lead = (read: number) => [
      { "!jq": cleaned },
      search,
      {
        "!jq": `{id: .people[0].id, lead: (\${piped_content.${read}} + {list: \${custom_data.list.value}})}`,
      },
      post("${piped_content.3.lead}"),
    ];
    expect(told(rule, lead(0))).toBe(1);
    expect(told(rule, lead(1))).toBe(0);
    expect(told(rule, [{ "!jq": cleaned }, search, post("${piped_content.0}")])).toBe(1);
    expect(told(rule, [{ "!jq": cleaned }, search, post("${piped_content.1}")])).toBe(0);
    expect(
      told(rule, [
        { "!jq": '.email |= ltrimstr("mailto:")' },
        search,
        post({ person: "${piped_content.0}" }),
      ]),
    ).toBe(1);
  });
  test("not where others take the record as it was cleaned, or it only is checked", () => {
    const both = [
      { "!jq": cleaned },
      search,
      post("${piped_content.0}"),
      post("${piped_content.1}", "/logs"),
    ];
    expect(told(rule, both)).toBe(0);
    const named = [
      { "!jq": cleaned },
      search,
      post("${piped_content.0}"),
      post({ name: "${piped_content.1.name}" }, "/logs"),
    ];
    expect(told(rule, named)).toBe(0);
    const checks = 'if (.email // "") == "" then error("No email") else . end';
    expect(told(rule, [{ "!jq": checks }, search, post("${piped_content.0}")])).toBe(0);
    // A search in small letters finds what is kept as it was written.
    const small = ".email |= ascii_downcase";
    expect(told(rule, [{ "!jq": small }, search, post("${piped_content.0}")])).toBe(0);
    const key = "{email: (.email | ascii_downcase)}";
    expect(told(rule, [{ "!jq": key }, search, post("${piped_content.0}")])).toBe(0);
  });
  test("what a step adds is sent by nobody", () => {
    const adds = 'if .email == null then error("No email") else . + {list_id: ${custom_data.list.value}} end';
    expect(told(rule, [{ "!jq": adds }, search, post("${piped_content.0}")])).toBe(1);
    expect(told(rule, [{ "!jq": adds }, search, post("${piped_content.1}")])).toBe(0);
    expect(
      told(rule, [
        { "!jq": adds },
        search,
        post({ person: "${piped_content.0}", list: "${piped_content.1.list_id}" }),
      ]),
    ).toBe(0);
  });
  test("empty members are left out, in other forms", () => {
    const filter = "with_entries(select(.value != null))";
    const refusing = `if .email == null then error("No email") else ${filter} end`;
    for (const made of [filter, refusing]) {
      expect(
        told(rule, [
          { "!jq": made },
          post("${piped_content.0}"),
          post({ to: "${piped_content.1.email}" }, "/mails"),
        ]),
      ).toBe(1);
      expect(
        told(rule, [
          { "!jq": made },
          post("${piped_content.1}"),
          post({ to: "${piped_content.1.email}" }, "/mails"),
        ]),
      ).toBe(0);
    }
    const asked = {
      "!switch": { jq: 'if has("email") then 0 else 1 end', cases: [search, { "!error": "No email" }] },
    };
    expect(told(rule, [{ "!jq": filter }, asked, post("${piped_content.0}")])).toBe(1);
    expect(told(rule, [{ "!jq": filter }, asked, post("${piped_content.1}")])).toBe(0);
    const inside = (read: number) => [
      { "!jq": filter },
      search,
      choose(
        post({ person: "${piped_content.1}" }, "/people"),
        change({ person: `\${piped_content.${read}}` }),
      ),
    ];
    expect(told(rule, inside(0))).toBe(1);
    expect(told(rule, inside(1))).toBe(0);
  });
  test("one case of several", () => {
    const cases = (...reads: readonly number[]) => [
      { "!jq": ". + {list_id: ${custom_data.list.value}}" },
      {
        "!switch": {
          jq: '["a", "b", "c"] | index(${custom_data.kind.value})',
          cases: reads.map((read, at) => post(`\${piped_content.${read}}`, `/kind-${at}/people`)),
        },
      },
    ];
    expect(told(rule, cases(1, 1, 0))).toBe(1);
    expect(told(rule, cases(1, 1, 1))).toBe(0);
    expect(told(rule, cases(1, 0))).toBe(0);
  });
});

describe("pipeline/unbuilt-body: a record that is built and then freed of what is empty", () => {
  const sent = (made: string, read: number) => [
    { "!jq": made },
    search,
    choose(post("${piped_content.1}", "/people"), change(`\${piped_content.${read}}`)),
  ];
  const built = "{email, names: {first: .given, last: .family}}";
  test.each([
    [`${built} | del(.[] | nulls)`],
    [`${built} | del(.[] | select(. == null))`],
    [`${built} | if .email == null then error("No email") else del(.[] | nulls) end`],
    [`if .email == null then error("No email") else ${built} | with_entries(select(.value != null)) end`],
  ])("told: %s", (made) => {
    expect(told("pipeline/unbuilt-body", sent(made, 0))).toBe(1);
    expect(told("pipeline/unbuilt-body", sent(made, 1))).toBe(0);
  });
  test.each([
    ["{email, given, family} | del(.[] | nulls)"],
    ["del(.[] | nulls)"],
    ["{email, given, family}"],
  ])("not told where all keeps its place: %s", (made) =>
    expect(told("pipeline/unbuilt-body", sent(made, 0))).toBe(0),
  );
});

describe("unused/step-output: what refuses and makes an object", () => {
  const first = (made: string, read: number) => [{ "!jq": made }, post(`\${piped_content.${read}}`)];
  test.each([
    ['if .email == null then error("No email") else ({tags: []} + {email, name}) | del(.[] | nulls) end'],
    [
      'if .email == null then error("No email") else {email, name} | with_entries(select(.value != null)) end',
    ],
    ['if .email == null then error("No email") else {email, name} end'],
  ])("told: %s", (made) => {
    expect(told("unused/step-output", first(made, 0))).toBe(1);
    expect(told("unused/step-output", first(made, 1))).toBe(0);
  });
  test("not told of a mere check, or where the next step reads it", () => {
    expect(told("unused/step-output", first('if .email == null then error("No email") else . end', 0))).toBe(
      0,
    );
    const hash = (next: string) => [
      { "!jq": "{value_to_encrypt: .email}" },
      { "!sha": { algorithm: "sha256" } },
      { "!jq": next },
      post("${piped_content.3}"),
    ];
    expect(
      told(
        "unused/step-output",
        hash(
          'if ${custom_data.list.value} == "" then error("None") else {email: ${piped_content.0.email}} end',
        ),
      ),
    ).toBe(1);
    expect(
      told(
        "unused/step-output",
        hash(
          'if ${custom_data.list.value} == "" then error(.hash) else {email: ${piped_content.0.email}} end',
        ),
      ),
    ).toBe(0);
    expect(told("unused/step-output", hash("{email: ${piped_content.0.email}, key: .hash}"))).toBe(0);
  });
});
