import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Whole records where a member is meant, flags and limits: other forms, and what is right although it looks alike. */

const inTarget = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });
const send = (body: unknown) => ({
  "!http": { method: "POST", path: "/lists/${custom_data.list.value}", body },
});
const find = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };

describe("jq/repeated-condition", () => {
  test.each([
    ["if .n <= 270 then 1 elif .n <= 210 then 2 else 3 end", 1],
    ["if .n > 10 then 1 elif .n >= 20 then 2 else 3 end", 1],
    ["if .n >= 10 then 1 elif .n > 10 then 2 else 3 end", 1],
    ["if .n < 270 then 1 elif .n < 210 and .kind == 1 then 2 else 3 end", 1],
    ["if .n <= 210 then 1 elif .n <= 270 then 2 else 3 end", 0],
    ["if .n > 20 then 1 elif .n > 10 then 2 else 3 end", 0],
    ["if .n > 10 then 1 elif .n >= 10 then 2 else 3 end", 0],
    // The first one asks for more.
    ["if .n <= 270 and .kind == 1 then 1 elif .n <= 210 then 2 else 3 end", 0],
    ["if .n <= 270 then 1 elif .m <= 210 then 2 else 3 end", 0],
    ["if .n[] <= 270 then 1 elif .n[] <= 210 then 2 else 3 end", 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/repeated-condition", `{email: .email, block: (${program})}`)).toHaveLength(count);
  });
});

describe("jq/contradiction", () => {
  const note = "${custom_data.note.value | default}";
  test.each([
    [`${note} != "a" or ${note} != "b"`, 1],
    [`${note} == "a" and ${note} == "b"`, 1],
    [`${note} != "a" and ${note} != "b"`, 0],
    [`${note} != "a" or ${note} != "a"`, 0],
  ])("%s", (condition, count) => {
    const steps = [{ "!jq": `{email: .email, alert: (${condition})}` }, send("${piped_content.1}")];
    expect(inTarget("jq/contradiction", steps)).toHaveLength(count);
  });
});

test("jq/contradiction: what is chosen, and 0 for none", () => {
  const told = (condition: string, other = "tonumber * 100") => {
    const fee = `(${"${custom_data.note.value | default}"} | if . == "" then 0 else ${other} end)`;
    const steps = [
      { "!jq": `{email: .email, fee: ${fee}}` },
      {
        "!switch": {
          jq: `if ${condition} then 0 else 1 end`,
          cases: [send("${piped_content.1}"), { "!jq": "." }],
        },
      },
    ];
    return inTarget("jq/contradiction", steps);
  };
  expect(told(".fee >= 0")).toHaveLength(1);
  expect(told(".fee > 0")).toEqual([]);
  expect(told(".fee >= 0", "tonumber - 100")).toEqual([]);
});

describe("jq/boolean-as-text", () => {
  const more = {
    "/data_intake/0/_comment": "lines: [{sku, preorder: true or false}], state: open or closed.",
  };
  test.each([
    ['any(.lines[]; .preorder != "")', 1],
    ['any(.lines[]; .preorder == "yes")', 1],
    ["any(.lines[]; .preorder)", 0],
    ['any(.lines[]; .state == "open")', 0],
    // A false one counts as empty there.
    ['any(.lines[]; (.preorder // "") == "")', 0],
  ])("%s", (condition, count) => {
    const program = `{email: .email, early: (${condition})}`;
    expect(inSource("jq/boolean-as-text", program, more)).toHaveLength(count);
  });
});

describe("jq/flag-as-text", () => {
  const told = (first: string, second: string) =>
    inTarget("jq/flag-as-text", [
      find,
      { "!switch": { jq: `if ${first} then 0 else 1 end`, cases: [{ "!error": "No." }, { "!jq": "." }] } },
      { "!switch": { jq: `if ${second} then 0 else 1 end`, cases: [{ "!jq": "." }, send({ a: 1 })] } },
    ]);
  test.each([
    [".person.blocked", '.person.blocked == ""', 1],
    [".person.is_new", '.person.is_new != ""', 1],
    // A text may be a condition, too.
    [".person.nickname", '.person.nickname != ""', 0],
    ['.person.blocked == "1"', '.person.blocked == ""', 0],
    [".person.blocked", '.person.blocked == "1"', 0],
    [".person.blocked", ".person.blocked", 0],
  ])("%s, %s", (first, second, count) => {
    expect(told(first, second)).toHaveLength(count);
  });
});

describe("jq/object-compared", () => {
  test.each([
    ['. as $p | {email: $p.email, left: ($p == "left")}', 1],
    ['. as $p | {email: $p.email, left: ("left" != $p)}', 1],
    ['. as $p | {email: $p.email, left: ($p.event == "left")}', 0],
    ['.event as $e | .order | {email, tag: (if . == "left" then "gone" else $e end)}', 0],
    ['.event as $e | .order | {email: .email, tag: (if . == "left" then "gone" else $e end)}', 1],
    ['.kind | {email: "a", left: (. == "left")}', 0],
    ['.plan as $p | {email: .email, plan: (if $p == "none" then null else $p.name end)}', 0],
    // Whether there is one.
    ['.person as $p | {email: .email, name: (if $p == "" then "" else $p.name end)}', 0],
    [
      '.person as $p | {email: .email, name: (if ($p | type) == "object" then $p.name else $p == "x" end)}',
      0,
    ],
    ['.kind as $p | {email: .email, left: ($p == "left")}', 0],
    // Another variable of that name.
    [
      '(.person as $p | $p.name) as $name | .kind as $p | {email: .email, name: $name, left: ($p == "left")}',
      0,
    ],
  ])("%s", (program, count) => {
    expect(inSource("jq/object-compared", program)).toHaveLength(count);
  });
});

describe("jq/same-for-options", () => {
  const seats = (required: boolean) => ({
    "/workflows/0/setup/select/form_fields/1": {
      id: "seats",
      label: "Seats",
      type: "dropdown",
      required,
      options: [1, 2, 4].map((value) => ({ display: `${value}`, value: `${value}` })),
    },
  });
  const n = "(${custom_data.seats.value} | tonumber)";
  test.each([
    [`${n} >= 1`, 1],
    [`${n} > 4`, 1],
    [`${n} < 5`, 1],
    [`${n} > 1`, 0],
    [`${n} >= 4`, 0],
    // To be sure.
    [`${n} > 0`, 0],
  ])("%s", (condition, count) => {
    const program = `{email: .email, together: (${condition})}`;
    expect(inSource("jq/same-for-options", program, seats(true))).toHaveLength(count);
  });
  test("is silent where customers may choose none", () => {
    const program = "{email: .email, together: ((${custom_data.seats.value | default:9} | tonumber) >= 1)}";
    expect(inSource("jq/same-for-options", program, seats(false))).toEqual([]);
  });
});

describe("jq/choice-as-list", () => {
  const offered = (type: string, value: string) => ({
    "/workflows/0/setup/select/form_fields/0": {
      id: "list",
      label: "List",
      type,
      options: {
        "!pipe": [
          { "!http": { path: "/lists" } },
          { "!jq": `[.lists[] | {display: .name, value: ${value}}]` },
        ],
      },
    },
  });
  const told = (type: string, value: string, program: string) =>
    inTarget("jq/choice-as-list", [{ "!jq": program }, send("${piped_content.1}")], offered(type, value));
  const list = "${custom_data.list.value}";
  test.each([
    ["dropdown", ".id", `{ids: (${list} | map(tonumber))}`, 1],
    ["dropdown", "(.id | tostring)", `{ids: [${list} | .[] | tonumber]}`, 1],
    ["dropdown", ".id", `${list} as $l | {ids: ($l | join(","))}`, 1],
    ["multiselect", ".id", `{ids: (${list} | map(tonumber))}`, 0],
    // A value may be a list itself.
    ["dropdown", ".members", `{ids: (${list} | map(tonumber))}`, 0],
    ["dropdown", ".id", `{ids: ([${list}] | map(tonumber))}`, 0],
    ["dropdown", ".id", `{ids: (${list} | if type == "array" then map(tonumber) else [.] end)}`, 0],
  ])("%s %s %s", (type, value, program, count) => {
    expect(told(type, value, program)).toHaveLength(count);
  });
});

describe("mapping/list-for-text", () => {
  const titled = (title: string) => ({
    "/workflows/0/setup/map/describe_source/options": [
      { id: "email", title: "Email" },
      { id: "guests", title },
    ],
  });
  test.each([
    ["Number of guests", ".beds | map(.count)", 1],
    ["Number of guests", "[.beds[].count]", 1],
    ["Number of guests", ".beds | map(.count) | add", 0],
    ["Number of guests", "[.beds[]] | length", 0],
    ["Guests", ".beds | map(.count)", 0],
    ["Number of the ticket", ".tickets | map(.number)", 0],
  ])("%s: %s", (title, value, count) => {
    const program = `{email: .email, guests: (${value})}`;
    expect(inSource("mapping/list-for-text", program, titled(title))).toHaveLength(count);
  });
});

describe("response/documented-elsewhere", () => {
  const told = (comment: string, condition: string) =>
    inTarget("response/documented-elsewhere", [
      { _comment: comment, ...find },
      {
        "!switch": { jq: `if ${condition} then 0 else 1 end`, cases: [{ "!error": "No." }, { "!jq": "." }] },
      },
      send({ id: "${piped_content.1.person.id}" }),
    ]);
  test.each([
    ["Finds or adds by email: {person: {id, blocked}}", ".blocked", 1],
    ["Finds or adds by email: {person: {id, blocked}}", ".person.blocked", 0],
    // What is beside the record isn't shown.
    ["{person: {id, blocked}, …}", ".blocked", 0],
    ["{person: {id, blocked}, blocked}", ".blocked", 0],
    ["{person: {id, blocked}}", ".closed", 0],
  ])("%s %s", (comment, condition, count) => {
    expect(told(comment, condition)).toHaveLength(count);
  });
});

describe("http/documented-null-segment", () => {
  const told = (comment: string, condition: string) =>
    findings("http/documented-null-segment", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": {
        "!switch": {
          jq: `if ${condition} then 0 else 1 end`,
          cases: [
            { "!jq": "null" },
            {
              "!pipe": [
                { "!http": { path: "/guests/${piped_content.0.visit.guest_id}" } },
                { "!jq": "{email: .email}" },
              ],
            },
          ],
        },
      },
    });
  const comment = "A visit at the door may have guest_id null.";
  test.each([
    [comment, '.visit == null or .event != "visit.booked"', 1],
    [comment, '.visit.guest_id == null or .event != "visit.booked"', 0],
    [comment, '.visit == null or .visit.state == "door"', 0],
    ["Before a visit is booked it may have guest_id null.", '.event != "visit.booked"', 0],
  ])("%s %s", (said, condition, count) => {
    expect(told(said, condition)).toHaveLength(count);
  });
});
