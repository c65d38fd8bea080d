import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";
import { byEmail, cases, get, jq, post } from "../support/steps.ts";

/** Another step's output, another member or another person than the one that is meant; and what is right although it looks alike. */

const outbound = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("a step's output in the place of what customers mapped", () => {
  const mapped = {
    "/workflows/0/setup/map/describe_target/options": ["email", "street", "town", "postcode"].map((id) => ({
      id,
      title: id,
    })),
  };
  const told = (steps: readonly unknown[]) => outbound("mapping/other-output", steps, mapped);

  test("the id that a step made or kept", () => {
    const kept = cases(
      'if ${data.workflow.club_id | default} == "" then 0 else 1 end',
      {
        "!pipe": [
          post("/clubs", { name: "Readers" }),
          jq("{club_id: .id}"),
          { "!save": { scope: "workflow" } },
        ],
      },
      jq("{club_id: ${data.workflow.club_id | default}}"),
    );
    const sent = (index: number) => [
      kept,
      post("/clubs/${piped_content.1.club_id}/members", `\${piped_content.${index}}`),
    ];
    expect(told(sent(1))).toEqual(["${piped_content.1}"]);
    expect(told(sent(0))).toEqual([]);
  });

  test("as a member, beside others of the contact", () => {
    const sent = (name: string, index: number) => [
      get("/orders", byEmail),
      post("/parcels", { to: "${piped_content.0.email}", [name]: `\${piped_content.${index}}` }),
    ];
    expect(told(sent("address", 1))).toEqual(["${piped_content.1}"]);
    expect(told(sent("address", 0))).toEqual([]);
    // What is called like what was asked for is meant.
    expect(told(sent("orders", 1))).toEqual([]);
  });

  test("what a step made of the contact, or where the fields are sent elsewhere", () => {
    const cleaned = jq("with_entries(select(.value != null))");
    expect(told([cleaned, post("/parcels", "${piped_content.1}")])).toEqual([]);
    expect(
      told([jq("{email, address: {street, town, postcode}}"), post("/p", "${piped_content.1}")]),
    ).toEqual([]);
    expect(
      told([
        get("/orders", byEmail),
        post("/people", "${piped_content.0}"),
        post("/notes", { about: "${piped_content.1}" }),
      ]),
    ).toEqual([]);
  });

  test("in one case of several", () => {
    const sent = (one: string, two: string) => [
      get("/people", byEmail),
      cases("if .people == [] then 0 else 1 end", post("/people", one), {
        "!http": { method: "PATCH", path: "/people/${piped_content.1.people[0].id}", body: two },
      }),
    ];
    expect(told(sent("${piped_content.0}", "${piped_content.1}"))).toEqual(["${piped_content.1}"]);
    expect(told(sent("${piped_content.0}", "${piped_content.0}"))).toEqual([]);
  });
});

const inbound = (rule: string, source: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "inbound-webhook", { ...more, "/workflows/0/data_pipeline/source": source });
const comment = (text: string) => ({ "/data_intake/0/_comment": text });

describe("an id for a number", () => {
  const shown = comment('{"kind": "sent", "bill": {"id": 90551, "number": "R-90551", "email": "a@b"}}');
  const told = (program: string, more = shown) => inbound("value/id-for-number", jq(program), more);

  test("by a variable, in camel case, by an older step", () => {
    expect(told(".bill as $b | {email: $b.email, bill_no: $b.id}")).toEqual(["$b.id"]);
    expect(told("{email: .bill.email, billNumber: .bill.id}")).toEqual([".bill.id"]);
    expect(told(".bill as $b | {email: $b.email, bill_no: $b.number}")).toEqual([]);
  });

  test("where there is no number, or another record has it", () => {
    expect(
      told("{email: .bill.email, bill_no: .bill.id}", comment('{"bill": {"id": 7, "email": "a@b"}}')),
    ).toEqual([]);
    expect(told("{email: .bill.email, till_no: .till.id}")).toEqual([]);
    expect(told("{email: .bill.email, bill_id: .bill.id}")).toEqual([]);
  });
});

describe("the input under a name that is another step's", () => {
  const told = (program: string, path = "/customers/${piped_content.1.customer_id}") =>
    inbound("value/other-step", {
      "!pipe": [get("/jobs/${piped_content.0.job_id}"), get(path), jq(program)],
    });

  test("below its own name, and by the first letter", () => {
    expect(
      told("${piped_content.2} as $it | {email: .customer.email, no: $it.no, state: $it.state}"),
    ).toEqual(["piped_content.2"]);
    expect(told("${piped_content.2} as $j | {email: .email, no: $j.no, state: $j.state}")).toEqual([
      "piped_content.2",
    ]);
  });

  test("what is the customer, or where the job is read, too", () => {
    expect(told("${piped_content.2} as $c | {email: .email, no: $c.no, state: $c.state}")).toEqual([]);
    expect(told("${piped_content.1} as $j | {email: .email, no: $j.no, state: $j.state}")).toEqual([]);
    expect(
      told("${piped_content.2} as $x | {email: .email, no: $x.no, at: $x.at, job: ${piped_content.1.title}}"),
    ).toEqual([]);
  });
});

describe("conditions on a count, and on a flag", () => {
  const told = (program: string, path = "/patrons/${piped_content.0.id}/loans") =>
    inbound("jq/contradiction", { "!pipe": [get(path), jq(program)] });
  const tags = (condition: string) =>
    `{email: \${piped_content.0.email}, _tags: (if ${condition} then ["x"] else [] end)}`;

  test("the total of a list, and what is at least 0", () => {
    expect(told(`.total as $n | ${tags("$n >= 0")}`)).toEqual(["$n >= 0"]);
    expect(told(`.total as $n | ${tags("$n > 0")}`)).toEqual([]);
    expect(told(`([.late - .due, 0] | max / 60 | floor) as $late | ${tags("$late >= 0")}`)).toEqual([
      "$late >= 0",
    ]);
    expect(told(`([.late - .due, -5] | max) as $late | ${tags("$late >= 0")}`)).toEqual([]);
    // Of payments it may be a sum.
    expect(told(`.total as $n | ${tags("$n >= 0")}`, "/patrons/${piped_content.0.id}/payments")).toEqual([]);
    expect(told(`.balance as $n | ${tags("$n >= 0")}`)).toEqual([]);
  });

  test("a flag", () => {
    const flag = (program: string, text = "is_new is false for who was there.") =>
      inbound("jq/flag-as-presence", jq(program), comment(text));
    expect(flag("if .is_new != null then {email: .email} else null end")).toEqual([".is_new != null"]);
    expect(flag("if .is_new == null then null else {email: .email} end", "{id, email, is_new}")).toEqual([
      ".is_new == null",
    ]);
    expect(flag("if .is_new then {email: .email} else null end")).toEqual([]);
    expect(flag("if .is_new == null or .is_new then {email: .email} else null end")).toEqual([]);
    expect(
      flag("if .is_new != null then {email: .email} else null end", "is_new is null until it is known."),
    ).toEqual([]);
    expect(
      flag("if .issued != null then {email: .email} else null end", "issued is false for none."),
    ).toEqual([]);
  });
});

describe("what a comment says", () => {
  test("two starts, and roles in a record", () => {
    const field = (value: string) => ({
      "/workflows/0/setup/select/form_fields/1": {
        _comment: "The feed knows two starts: beginning and now.",
        id: "start",
        label: "Start",
        type: "dropdown",
        options: [
          { display: "All", value: "beginning" },
          { display: "New", value },
        ],
      },
    });
    const program = jq("{email: .email, start: ${custom_data.start.value}}");
    expect(inbound("value/undocumented-word", program, field("from-now"))).toEqual(["from-now"]);
    expect(inbound("value/undocumented-word", program, field("now"))).toEqual([]);
    const roles = comment('{"people": [{"role": "owner" or "purchasing" or "barista", "email": …}]}');
    const picked = (role: string) =>
      inbound(
        "value/undocumented-word",
        jq(`first(.people[] | select(.role == "${role}")) | {email: .email}`),
        roles,
      );
    expect(picked("purchaser")).toEqual(['"purchaser"']);
    expect(picked("purchasing")).toEqual([]);
  });

  test("null without a reason, and for another reason", () => {
    const told = (condition: string, text: string) =>
      inbound(
        "jq/documented-null",
        jq(`if ${condition} then null else {email: .email, left: (.plan.all - .plan.used)} end`),
        comment(text),
      );
    const text = "plan is null for a patient without one.";
    expect(told('.state == "x"', text)).toEqual([".plan.all - .plan.used"]);
    expect(told(".plan == null", text)).toEqual([]);
    expect(told(".has_plan | not", text)).toEqual([]);
    expect(told('.state == "x"', "plan is null until the patient is booked.")).toEqual([]);
  });
});

describe("a list for a text, and the other one of a choice", () => {
  test("titles", () => {
    const told = (program: string, title: string) =>
      inbound("mapping/list-for-text", jq(program), {
        "/workflows/0/setup/map/describe_source/options": [
          { id: "email", title: "Email" },
          { id: "rooms", title },
        ],
      });
    expect(told("{email: .email, rooms: ([.rooms[].name] | unique)}", "Rooms, comma-separated")).toEqual([
      "[.rooms[].name] | unique",
    ]);
    expect(told('{email: .email, rooms: ([.rooms[].name] | join(", "))}', "Rooms (text)")).toEqual([]);
    expect(told("{email: .email, rooms: [.rooms[].name]}", "Rooms")).toEqual([]);
  });

  test("two options", () => {
    const told = (other: string, text = "guest_id sleeps there, payer_id pays, agent_id books.") =>
      inbound(
        "value/other-choice",
        jq(
          `{id: (if \${custom_data.whom.value} != "guest" then .${other} else .guest_id end), email: .email}`,
        ),
        {
          ...comment(text),
          "/workflows/0/setup/select/form_fields/1": {
            id: "whom",
            label: "Whom",
            type: "dropdown",
            options: ["guest", "payer"].map((value) => ({ display: value, value })),
          },
        },
      );
    expect(told("agent_id")).toEqual([".agent_id"]);
    expect(told("payer_id")).toEqual([]);
    expect(told("agent_id", "guest_id sleeps there, agent_id pays.")).toEqual([]);
  });
});

test("terms that a comment gives in hours and days", () => {
  const told = (
    terms: string,
    factor = "3600",
    text = "1: within 4 hours, 2: 24 hours, 3: 7 days, 4: 28 days.",
  ) =>
    inbound(
      "value/documented-terms",
      jq(`{email: .email, due: (now + (${terms} * ${factor}) | todate)}`),
      comment(text),
    );
  expect(told("[4, 24, 7, 28][.urgency - 1]")).toEqual(["7", "28"]);
  expect(told("{a: 4, b: 24, c: 168, d: 28}[.urgency]")).toEqual(["28"]);
  expect(told("[4, 24, 168, 672][.urgency - 1]")).toEqual([]);
  expect(told("[4, 24, 7, 28][.urgency - 1]", "3600", "Within 4 hours, or 7 days.")).toEqual([]);
  expect(told("[1, 2, 3, 4][.urgency - 1]", "86400")).toEqual([]);
});
