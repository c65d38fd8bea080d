import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const outbound = (rule: string, steps: readonly unknown[], with_: Record<string, unknown> = {}): number =>
  findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps }, ...with_ }).length;
const inbound = (rule: string, source: unknown, with_: Record<string, unknown> = {}): number =>
  findings(rule, "inbound-webhook", { "/workflows/0/data_pipeline/source": source, ...with_ }).length;

const email = { email: "${piped_content.0.email}", list: "${custom_data.list.value}" };
const post = (path: string, body: unknown = email) => ({ "!http": { method: "POST", path, body } });
const get = (path: string) => ({ "!http": { path } });

describe("value/record-of-other-list", () => {
  const told = (path: string): number =>
    outbound("value/record-of-other-list", [post("/surveyors"), get(path), get("/roofs")]);
  test("the id of one listed record among those of another", () => {
    expect(told("/roofs/${piped_content.1.surveyor.id}")).toBe(1);
    expect(told("/roofs/${piped_content.1.surveyor_id}/notes")).toBe(1);
  });
  test("what may be the same, or is only there by one's list", () => {
    expect(told("/roofs/${piped_content.1.roof.id}")).toBe(0);
    // Who is a surveyor is a person.
    expect(told("/people/${piped_content.1.surveyor.id}")).toBe(0);
    // No request names a list of inspectors.
    expect(told("/roofs/${piped_content.1.inspector.id}")).toBe(0);
    // Any record may have files.
    expect(told("/files/${piped_content.1.surveyor.id}")).toBe(0);
    expect(told("/roofs/${piped_content.1.id}")).toBe(0);
    expect(told("/roofs/${piped_content.1.surveyor.roof_id}")).toBe(0);
  });
  test("in a program", () => {
    const make = (value: string) =>
      outbound("value/record-of-other-list", [
        get("/roofs"),
        get("/surveyors"),
        { "!jq": `{roof_id: ${value}, list: \${custom_data.list.value}}` },
        post("/visits", "${piped_content.3}"),
      ]);
    expect(make(".surveyor_id")).toBe(1);
    expect(make(".roof_id")).toBe(0);
    expect(make(".id")).toBe(0);
  });
});

describe("an id that is another record's by its list", () => {
  test("the same id in a path of its own list", () => {
    const make = (person: string, path = "/slots/${piped_content.3.id}/bookings") =>
      outbound("value/record-of-other-list", [
        { "!http": { method: "POST", path: "/persons/match", body: email } },
        get("/stops/7/slots"),
        { "!jq": ".slots | min_by(.starts_at)" },
        post(path, { person_id: person }),
      ]);
    expect(make("${piped_content.3.id}")).toBe(1);
    expect(make("${piped_content.1.person.id}")).toBe(0);
    // No path says that it is a slot's.
    expect(make("${piped_content.3.id}", "/bookings")).toBe(0);
  });
  test("another case gives the right one", () => {
    const make = (first: string, second: string) =>
      outbound("value/record-at-hand", [
        get("/licences/by-number/${piped_content.0.email}"),
        {
          "!switch": {
            jq: 'if .grade == "D" then 1 else 0 end',
            cases: [
              { "!jq": `{person_id: ${first}, board: "regional"}` },
              { "!jq": `{person_id: ${second}, board: "national"}` },
            ],
          },
        },
        { "!http": { path: "/people" } },
        post("/lists/${custom_data.list.value}/candidates", "${piped_content.2}"),
      ]);
    expect(make(".id", ".person.id")).toBe(1);
    expect(make(".person.id", ".person.id")).toBe(0);
    expect(make(".id", ".id")).toBe(0);
  });
});

describe("value/mixed-people: a variable that is called like a person", () => {
  const told = (value: string): number =>
    inbound("value/mixed-people", {
      "!jq": `first(.parents[] | select(.main)) as $parent | {email: $parent.email, child_first_name: ${value}, born: .child.born_on}`,
    });
  test("told", () => {
    expect(told("$parent.given_name")).toBe(1);
    expect(told(".child.given_name")).toBe(0);
  });
});

describe("value/record-at-hand: names of one family that a comment shows side by side", () => {
  const told = (comment: string, member: string, read: string): number =>
    outbound("value/record-at-hand", [
      { _comment: comment, ...post("/pupils") },
      post("/courses/7/enrolments", {
        [member]: `\${piped_content.1.${read}}`,
        list: "${custom_data.list.value}",
      }),
    ]);
  test("the payer for the pupil", () => {
    expect(told("The answer has pupil and payer.", "pupil_id", "payer.id")).toBe(1);
    expect(told("{pupil: {id}, payer: {id}}", "pupil_id", "payer.id")).toBe(1);
    expect(told("The answer has pupil and payer.", "pupil_id", "pupil.id")).toBe(0);
    expect(told("The answer has pupil and payer.", "payer_id", "payer.id")).toBe(0);
    expect(told("The answer has a payer.", "pupil_id", "payer.id")).toBe(0);
  });
  test("anybody may be the owner of something", () => {
    expect(told("{creator: {id}, assignee: {id}}", "assignee_id", "creator.id")).toBe(0);
    expect(told("{owner: {id}, customer: {id}}", "customer_id", "owner.id")).toBe(0);
  });
  test("the owner of a profile for the profile", () => {
    const comment = '{"profile": {"id": "pr_3", "owner_id": "us_1"}}';
    expect(told(comment, "profile_id", "profile.owner_id")).toBe(1);
    expect(told(comment, "profile_id", "profile.id")).toBe(0);
    expect(told(comment, "owner_id", "profile.owner_id")).toBe(0);
  });
  test("the employer of a person for the employee", () => {
    const make = (read: string) =>
      outbound("value/record-at-hand", [
        { _comment: "Gives {id, employer_id, email}.", ...post("/people") },
        post("/leases", { employee_id: `\${piped_content.1.${read}}`, list: "${custom_data.list.value}" }),
      ]);
    expect(make("employer_id")).toBe(1);
    expect(make("id")).toBe(0);
  });
  test("what a comment on the items calls the id", () => {
    const make = (read: string, comment = '"details": "{\\"buyer_id\\": 34}"') =>
      inbound(
        "value/record-at-hand",
        { "!pipe": [get(`/buyers/\${piped_content.0.${read}}`), { "!jq": "{email: .buyer.email}" }] },
        {
          "/workflows/0/data_pipeline/_comment": comment,
          "/workflows/0/data_intake": "sales",
          "/data_intake/1": {
            type: "polling",
            name: "sales",
            request: { "!pipe": [get("/sales"), { "!jq": "{results: .sales, iterate: false}" }] },
          },
        },
      );
    expect(make("id")).toBe(1);
    expect(make("buyer_id")).toBe(0);
    expect(make("id", "seller is somebody else")).toBe(0);
  });
});

describe("value/routed-by-other-id: the intake's comment names the id", () => {
  const told = (read: string, comment: string): number =>
    findings("value/routed-by-other-id", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/resource_id": { "!jq": read },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [get("/forms"), { "!jq": "[.forms[] | {display: .title, value: .id}]" }],
      },
    }).length;
  test("told", () => {
    expect(told(".agency.id", "Payloads are told apart by agency.form_id.")).toBe(1);
    expect(told(".agency.form_id", "Payloads are told apart by agency.form_id.")).toBe(0);
    expect(told(".agency.id", "Payloads are told apart by their agency.")).toBe(0);
  });
});

describe("value/member-for-id", () => {
  test("the name of a record under a bare id, and the number of a tenant", () => {
    const make = (program: string) =>
      outbound("value/member-for-id", [
        { _comment: "{tenant: {id, number, farm: {id, name}}}", ...post("/tenants") },
        { "!jq": program },
        post("/bills", "${piped_content.2}"),
      ]);
    const list = "list: ${custom_data.list.value}";
    expect(make(`{bill: {type: "farm", id: .tenant.farm.name}, ${list}}`)).toBe(1);
    expect(make(`{bill: {type: "farm", id: .tenant.farm.id}, ${list}}`)).toBe(0);
    expect(make(`{tenant_id: .tenant.number, ${list}}`)).toBe(1);
    expect(make(`{tenant_id: .tenant.id, ${list}}`)).toBe(0);
    expect(make(`{bill: {name: .tenant.farm.name}, ${list}}`)).toBe(0);
  });
  test("another member than the one that the switch asks for", () => {
    const make = (name: string) =>
      outbound("value/member-for-id", [
        { _comment: "{entries: [{id, bib, status}]}", ...get("/lists/${custom_data.list.value}/entries") },
        { "!jq": 'first(.entries[] | select(.status == "paid")) // {id: null, bib: null}' },
        {
          "!switch": {
            jq: "if .id == null then 1 else 0 end",
            cases: [post(`/entries/\${piped_content.2.${name}}/withdraw`), { "!print_c": "None" }],
          },
        },
      ]);
    expect(make("bib")).toBe(1);
    expect(make("id")).toBe(0);
  });
});

describe("options and labels", () => {
  const field = (value: string) => ({
    "!pipe": [get("/stations"), { "!jq": `[.rows[] | {display: (.name + ", " + .land), value: ${value}}]` }],
  });
  test("setup/other-option-value: compared with what another field keeps", () => {
    const make = (value: string, member = "to_uic") =>
      findings("setup/other-option-value", "outbound", {
        "/workflows/0/setup/select/form_fields/0/options": field(value),
        "/workflows/0/setup/select/form_fields/1": {
          label: "Other",
          id: "other",
          type: "dropdown",
          options: field(".uic"),
        },
        "/workflows/0/data_pipeline/target": {
          "!pipe": [
            { "!jq": `if .${member} != \${custom_data.list.value} then {} else . end` },
            post("/people", { email: "${piped_content.0.email}", other: "${custom_data.other.value}" }),
          ],
        },
      }).length;
    expect(make(".name")).toBe(1);
    expect(make(".uic")).toBe(0);
    expect(make(".name", "station_name")).toBe(0);
  });
  test("expansion/display-for-id: saved for a path", () => {
    const make = (part: string, path = "/forms/${data.workflow.hook_form}/hooks/${data.workflow.hook_id}") =>
      findings("expansion/display-for-id", "inbound-webhook", {
        "/data_intake/0/create": {
          "!pipe": [
            post("/forms/${custom_data.form.value}/hooks", { url: "${webhook.url}" }),
            { "!jq": `{hook_id: .id, hook_form: "\${custom_data.form.${part}}"}` },
            { "!save": { scope: "workflow" } },
          ],
        },
        "/data_intake/0/update": undefined,
        "/data_intake/0/delete": { "!http": { method: "DELETE", path } },
        "/workflows/0/setup/select/form_fields/0/options": {
          "!pipe": [get("/forms"), { "!jq": "[.forms[] | {display: .title, value: .id}]" }],
        },
      }).length;
    expect(make("display")).toBe(1);
    expect(make("value")).toBe(0);
    expect(make("display", "/hooks/${data.workflow.hook_id}")).toBe(0);
  });
});

describe("value/record-beside: names", () => {
  const told = (value: string): number =>
    inbound("value/record-beside", {
      "!jq": `.booking as $b | {email: $b.email, course_title: ${value}, _tags: [$b.course.title]}`,
    });
  test("told where the record that is called so is read", () => {
    expect(told("$b.studio.name")).toBe(1);
    expect(told("$b.course.title")).toBe(0);
    expect(told("$b.course.level.name")).toBe(0);
    expect(told("$b.studio.town")).toBe(0);
  });
});

describe("value/other-person-fetched and value/other-person-selected", () => {
  const fetched = (read: string, title: string, comment: string): number =>
    inbound(
      "value/other-person-fetched",
      { "!pipe": [get(`/people/\${piped_content.0.hire.${read}}`), { "!jq": "{email: .person.email}" }] },
      {
        "/workflows/0/setup/map/describe_source/options": [{ id: "email", title }],
        "/workflows/0/data_pipeline/_comment": comment,
      },
    );
  const staff =
    "hirer_id pays for the hire, booked_by_id is whoever typed it in, mostly one of our own staff.";
  const both = "contact_id is the responsible person, surveyor_id the surveyor who came.";
  test("of two ids", () => {
    expect(fetched("booked_by_id", "Email", staff)).toBe(1);
    expect(fetched("hirer_id", "Email", staff)).toBe(0);
    expect(fetched("surveyor_id", "E-mail of the responsible person", both)).toBe(1);
    expect(fetched("contact_id", "E-mail of the responsible person", both)).toBe(0);
    expect(fetched("surveyor_id", "E-mail of the surveyor", both)).toBe(0);
    expect(fetched("surveyor_id", "E-mail", both)).toBe(0);
  });
  test("of a list", () => {
    const make = (role: string, title: string) =>
      inbound(
        "value/other-person-selected",
        { "!jq": `(.people | map(select(.role == "${role}")) | first) as $p | {email: $p.email}` },
        {
          "/workflows/0/setup/map/describe_source/options": [{ id: "email", title }],
          "/workflows/0/data_pipeline/_comment": "people: one with role guardian, some with role emergency.",
        },
      );
    expect(make("emergency", "Guardian's e-mail")).toBe(1);
    expect(make("guardian", "Guardian's e-mail")).toBe(0);
    expect(make("emergency", "Email")).toBe(0);
    expect(make("emergency", "Emergency e-mail")).toBe(0);
    expect(make("emergency", "Parent's e-mail")).toBe(0);
  });
});
