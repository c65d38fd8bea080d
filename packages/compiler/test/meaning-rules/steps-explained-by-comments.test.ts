import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";
import { jq, post } from "../support/steps.ts";

/** Steps that look like a slip and are explained by a message, a comment, a name or a value beside them, each beside one that is still told. */

const field = "/workflows/0/setup/select/form_fields";
const email = "${piped_content.0.email}";
const list = "${custom_data.list.value}";
const search = (path: string) => ({ "!http": { path, params: { email } } });
const target = (rule: string, steps: readonly unknown[], comment = "", more: object = {}): string[] =>
  findings(rule, "outbound", {
    ...more,
    "/workflows/0/data_pipeline/_comment": comment,
    "/workflows/0/data_pipeline/target": { "!pipe": steps },
  });
const source = (rule: string, program: string, comment = ""): string[] =>
  inSource(rule, program, { "/workflows/0/data_pipeline/_comment": comment });

describe("jq/half-asked", () => {
  const told = (message: string): string[] =>
    target("jq/half-asked", [
      jq(
        `if (.email // "") == "" and (.name // "") == "" then error("${message}") else {email: .email, name: .name} end`,
      ),
      post("/x", "${piped_content.1}"),
    ]);
  test.each([
    ["A letter needs an email address and a name.", 1],
    ["A letter needs an email address or a name.", 0],
    ["Email and name are needed.", 1],
    ["Email or name is needed.", 0],
    ["An email or a name is missing.", 0],
  ])("%s", (message, count) => {
    expect(told(message)).toHaveLength(count);
  });
});

describe("jq/missing-where-present", () => {
  const told = (message: string): string[] =>
    target("jq/missing-where-present", [
      jq(`if (.email // "") != "" then error("${message}") else . end`),
      post("/x", "${piped_content.1}"),
    ]);
  test.each([
    ["The contact has no email address.", 1],
    ["No letter is needed: the contact has an email address.", 0],
    ["No letters to those who have an email address.", 0],
    ["An anonymous contact has no email.", 0],
  ])("%s", (message, count) => {
    expect(told(message)).toHaveLength(count);
  });
});

describe("jq/one-sided-case", () => {
  const steps = (mine: string) => [
    { "!http": { path: "/people" } },
    jq(`{id: ([.people[] | select((.email | ascii_downcase) == ${mine}) | .id] | first)}`),
    post("/letters", "${piped_content.2}"),
  ];
  test.each([
    ["The platform keeps addresses as they are typed.", 1],
    ["The service keeps addresses in lower case.", 1],
    ["The platform keeps addresses in lower case.", 0],
    ["Contacts always have their addresses in small letters.", 0],
    ["We store addresses in lowercase.", 0],
  ])("%s", (comment, count) => {
    expect(target("jq/one-sided-case", steps(email), comment)).toHaveLength(count);
  });
  test("what a customer types is in any letters, whatever the platform keeps", () => {
    const more = { [`${field}/1`]: { id: "to", label: "To", type: "text" } };
    const comment = "The platform keeps addresses in lower case.";
    const typed = steps("${custom_data.to.value}");
    expect(target("jq/one-sided-case", typed, comment, more)).toHaveLength(1);
  });
});

describe("jq/record-as-id", () => {
  const steps = [
    search("/people/search"),
    jq(`{id: .people[0], list: ${list}}`),
    post("/letters", "${piped_content.2}"),
  ];
  test.each([
    ["Finds people.", 1],
    ["Finds people: {people: [{id, email}]}.", 1],
    ["people answers with the ids.", 0],
    ["{people: [12, 13]}", 0],
    ['{"people": ["p_12", "p_13"]}', 0],
    ["{people: [id, id]}", 0],
    ["A search gives ids only, in people.", 0],
  ])("%s", (comment, count) => {
    expect(target("jq/record-as-id", steps, comment)).toHaveLength(count);
  });
});

describe("jq/skips-only-both", () => {
  test.each([
    ["{email: .email, name: .name}", 1],
    ["{email: (.email // .office_email), name: .name}", 0],
    ["{email: .parent.email, name: .name}", 0],
    ['{email: "\\(.id)@example.com", name: .name}', 0],
  ])("%s", (made, count) => {
    const program = `if (.email // "") == "" and (.may_write | not) then null else ${made} end`;
    expect(source("jq/skips-only-both", program)).toHaveLength(count);
  });
});

describe("jq/variable-in-text", () => {
  const program = '. as $p | {email: $p.email, greeting: "Dear $p.first_name"}';
  test.each([
    ["Greets people by their names.", 1],
    ["The service replaces $p.last_name in a greeting.", 1],
    ["The service replaces $p.first_name in a greeting.", 0],
  ])("%s", (comment, count) => {
    expect(source("jq/variable-in-text", program, comment)).toHaveLength(count);
  });
});

describe("jq/variable-in-text: a text that is the name of a variable", () => {
  test.each([
    ['.gift as $gift | {email: .email, is_donor: ("$gift" != null)}', 1],
    ['.gift as $gift | {email: .email, gift: "$gift"}', 1],
    [".gift as $gift | {email: .email, is_donor: ($gift != null)}", 0],
    ['.gift as $gift | {email: .email, text: "It costs $gift"}', 0],
    ['{email: .email, currency: "$dollars"}', 0],
  ])("%s", (program, count) => {
    expect(source("jq/variable-in-text", program)).toHaveLength(count);
  });
  test.each([
    ['{email: .email, is_donor: ("gift" != null)}', 1],
    ['{email: .email, is_donor: (null == "gift")}', 1],
    ["{email: .email, is_donor: (.gift != null)}", 0],
    ["{email: .email, is_donor: ([] != null)}", 0],
    ['.gift as $gift | {email: .email, is_donor: ("$gift" != null)}', 0],
  ])("jq/contradiction: %s", (program, count) => {
    expect(source("jq/contradiction", program)).toHaveLength(count);
  });
});

describe("pipeline/whole-beside-parts", () => {
  test.each([
    ["consignee", 1],
    ["person", 1],
    ["custom_fields", 0],
    ["properties", 0],
    ["attributes", 0],
    ["snapshot", 0],
    ["record", 0],
    ["template_params", 0],
    ["answers", 0],
  ])("%s", (name, count) => {
    const body = { wanted_on: "${piped_content.1.wanted_on}", [name]: "${piped_content.1}" };
    const steps = [jq("{wanted_on: (now | todate)}"), post("/releases", body)];
    expect(target("pipeline/whole-beside-parts", steps)).toHaveLength(count);
  });
});

describe("response/record-as-list", () => {
  test.each([
    ["Segments of the list.", 1],
    ["A list: {id, name}. All lists: {lists: [{id, name}]}.", 1],
    ["Answers with the list's segments: {items: [{id, name}]}.", 0],
    ['{"id": 17, "items": [{"id": 1, "name": "All"}]}', 0],
  ])("%s", (_comment, count) => {
    const request = { _comment, "!http": { path: `/lists/${list}` } };
    const options = { "!pipe": [request, jq("[.items[] | {display: .name, value: .id}]")] };
    const more = { [`${field}/1`]: { id: "segment", label: "Segment", type: "dropdown", options } };
    const steps = [post("/segments/${custom_data.segment.value}/people", { email, list })];
    expect(target("response/record-as-list", steps, "", more)).toHaveLength(count);
  });
});

describe("state/saved-answer", () => {
  test.each([
    ["Cards are on a board.", 1],
    ["A card has board_id.", 1],
    ["POST /boards answers {id, name}, never board_id.", 1],
    ["POST /boards answers {board_id, name}.", 0],
    ["The response has board_id.", 0],
  ])("%s", (comment, count) => {
    const make = { "!pipe": [post("/boards", { name: "New" }), { "!save": { scope: "workflow" } }] };
    const steps = [
      {
        "!switch": {
          jq: 'if ${data.workflow.board_id | default} == "" then 0 else 1 end',
          cases: [make, jq("{board_id: ${data.workflow.board_id}}")],
        },
      },
      post("/cards", { board_id: "${data.workflow.board_id}", email }),
      jq("{card: .id}"),
      post("/cards/${piped_content.3.card}/open", undefined),
    ];
    expect(target("state/saved-answer", steps, comment)).toHaveLength(count);
  });
});

describe("jq/minus-itself", () => {
  test.each([
    ["{email: .email, open: (.fee - .fee)}", 1],
    ["{email: .email, open: ((.fee - .fee) / 100)}", 1],
    [".fees as $f | {email: .email, part: ($f.paid / $f.paid * 100 | round)}", 1],
    ["{email: .email, open: (.fee - .paid)}", 0],
    ["{email: .email, double: (.fee + .fee)}", 0],
    ["{email: .email, gap: (now - now)}", 1],
    ["{email: .email, all: [.a[] - .a[]]}", 0],
  ])("%s", (program, count) => {
    expect(source("jq/minus-itself", program)).toHaveLength(count);
  });
});

describe("jq/other-span: between two times", () => {
  const visit = (factor: string, came: string): string =>
    `. as $v | {email: .email, came: ${came}, visit_minutes: (($v.left_at - $v.came_at) / ${factor} | floor)}`;
  test.each([
    [visit("3600", "($v.came_at | todate)"), 1],
    [visit("60", "($v.came_at | todate)"), 0],
    [visit("3600", "$v.came_at"), 0],
    [visit("60000", "($v.came_at / 1000 | todate)"), 0],
  ])("%s", (program, count) => {
    expect(source("jq/other-span", program)).toHaveLength(count);
  });
});

describe("jq/contradiction: the length of what a customer has to fill in", () => {
  const told = (type: string, required: boolean, program: string): string[] =>
    target(
      "jq/contradiction",
      [jq(program), post("/x", { list, email, note: "${piped_content.1.note}" })],
      "",
      {
        [`${field}/1`]: { id: "channel", label: "Channel", type, required },
      },
    );
  const note = (condition: string): string => `{note: (if ${condition} then "a" else "b" end)}`;
  test.each([
    ["text", true, note("(${custom_data.channel.value} | length) > 0"), 1],
    ["text", true, note("(${custom_data.channel.value} | length) == 0"), 1],
    ["text", true, note("(${custom_data.channel.value} | length) > 3"), 0],
    ["text", false, note("(${custom_data.channel.value | default} | length) > 0"), 0],
    ["multiselect", true, note("(${custom_data.channel.value} | length) > 0"), 0],
  ])("%s, required: %s, %s", (type, required, program, count) => {
    expect(told(type, required, program)).toHaveLength(count);
  });
});
