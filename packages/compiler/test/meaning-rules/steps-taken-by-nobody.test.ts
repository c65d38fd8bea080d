import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";
import { byEmail, cases, get, jq, post } from "../support/steps.ts";

/** The output of the step that is meant is taken by nobody: in other words, and what is right although it looks alike. */

const target = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("an id of another record, where a step has found or made the one that is meant", () => {
  const found = cases(
    "if .customers == [] then 1 else 0 end",
    jq(".customers[0]"),
    post("/customers", byEmail),
  );
  const told = (id: string, ...maker: readonly unknown[]): string[] =>
    target("value/record-at-hand", [
      get("/customers", byEmail),
      ...(maker.length > 0 ? maker : [found]),
      get("/wines/${custom_data.list.value}"),
      jq(`{customer_id: ${id}, wine: .name}`),
      post("/requests", "${piped_content.4}"),
    ]);

  test("in a program", () => {
    expect(told("${piped_content.3.id}")).toEqual(["${piped_content.3.id}"]);
    expect(told(".id")).toEqual([".id"]);
    expect(told("${piped_content.2.id}")).toEqual([]);
  });

  test("made or changed by PUT", () => {
    const put = { "!http": { method: "PUT", path: "/customers", body: byEmail } };
    expect(told(".id", put)).toEqual([".id"]);
    expect(told("${piped_content.2.id}", put)).toEqual([]);
  });

  test("picked out of a list below a name", () => {
    const picked = (id: string, condition = ".child == null") =>
      target("value/record-at-hand", [
        get("/families", byEmail),
        jq(
          '.families[0] | {family_id: .id, child: ([.children[] | select(.name == "A")] | first), room: .room.name}',
        ),
        cases(`if ${condition} then 0 else 1 end`, { "!error": "No child." }, get("/centres/1")),
        jq(
          `{child_id: ${id}, day: .today, family: \${piped_content.2.family_id}, room: \${piped_content.2.room}}`,
        ),
        post("/absences", "${piped_content.4}"),
      ]);
    expect(picked(".id")).toEqual([".id"]);
    expect(picked("${piped_content.2.child.id}")).toEqual([]);
    // What nobody knows by its list may be anything.
    expect(picked(".child_no")).toEqual([]);
  });
});

describe("pipeline/search-as-record", () => {
  const told = (body: unknown, search = get("/people", byEmail), path = "/people"): string[] =>
    target("pipeline/search-as-record", [
      jq("with_entries(select(.value != null))"),
      search,
      cases("if .people == [] then 0 else 1 end", post(path, body), jq(".people[0]")),
      post("/notes", { person: "${piped_content.3.id}" }),
    ]);

  test.each([
    ["${piped_content.2}"],
    ["${piped_content.2.people}"],
    ["${piped_content.2.person}"],
    [{ person: "${piped_content.2}" }],
    [{ data: { attributes: "${piped_content.2}" } }],
  ])("%j", (body) => {
    expect(told(body)).toHaveLength(1);
  });

  test.each([
    ["${piped_content.1}"],
    ["${piped_content.0}"],
    [{ person: "${piped_content.1}" }],
    // One that was found may be copied.
    ["${piped_content.2.people[0]}"],
    [{ name: "${piped_content.1.name}", source: "${piped_content.2.source.id}" }],
  ])("right: %j", (body) => {
    expect(told(body)).toEqual([]);
  });

  test("another list may take what one has", () => {
    expect(told("${piped_content.2}", get("/people", byEmail), "/imports")).toEqual([]);
    expect(told("${piped_content.2}", get("/people/${custom_data.list.value}"))).toEqual([]);
  });
});

describe("one case sends what another one has built its record of", () => {
  const told = (body: string, path = "/waiting/camps", before = "/riders"): string[] =>
    target("pipeline/unbuilt-body", [
      { "!http": { method: "PUT", path: before, body: byEmail } },
      jq("{rider_id: .id, list: ${custom_data.list.value}}"),
      cases(
        "if ${custom_data.list.value} == 1 then 0 else 1 end",
        post("/waiting/groups", "${piped_content.2}"),
        post(path, body),
      ),
    ]);

  test("to whichever list", () => {
    expect(told("${piped_content.1}")).toEqual(["${piped_content.1}"]);
    expect(told("${piped_content.2}")).toEqual([]);
    // A copy of the rider goes to the list of riders.
    expect(told("${piped_content.1}", "/archive/riders")).toEqual([]);
    expect(told("${piped_content.1}", "/visitors", "/guests")).toEqual([]);
  });
});

describe("pipeline/passed-over: the whole record as it came", () => {
  const built = "{company: (.company // .email), person: {email: .email, name: .name}}";
  const told = (body: unknown, program = built): string[] =>
    target("pipeline/passed-over", [
      jq(program),
      get("/exhibitors", { email: "${piped_content.1.person.email}" }),
      cases("if .exhibitors == [] then 0 else 1 end", post("/exhibitors", body), jq(".exhibitors[0]")),
      post("/stands", { exhibitor_id: "${piped_content.3.id}" }),
    ]);

  test("nothing sends what was built", () => {
    expect(told("${piped_content.0}")).toEqual(["piped_content.0"]);
    expect(told("${piped_content.1}")).toEqual([]);
    expect(told({ company: "${piped_content.1.company}", person: "${piped_content.1.person}" })).toEqual([]);
    // All of it is there for the search.
    expect(told("${piped_content.0}", "{person: {email: (.email | ascii_downcase)}}")).toEqual([]);
  });
});

describe("response/member-of-search", () => {
  const told = (read: string, condition = "(.items | length) == 0", path = "/members"): string[] =>
    target("response/member-of-search", [
      jq("{email: .email, mobile: .name}"),
      get(path, { email: "${piped_content.1.email}" }),
      cases(
        `if ${condition} then 0 else 1 end`,
        post("/members", { email: "${piped_content.1.email}", mobile: read }),
        post("/changes", { of: "${piped_content.2.items[0].id}", mobile: "${piped_content.1.mobile}" }),
      ),
    ]);

  test("of another step under this name", () => {
    expect(told("${piped_content.2.mobile}")).toEqual(["mobile"]);
    expect(told("${piped_content.2.mobile}", ".items == []")).toEqual(["mobile"]);
    expect(told("${piped_content.2.id}")).toEqual(["id"]);
  });

  test.each([
    "${piped_content.1.mobile}",
    "${piped_content.2.items[0].mobile}",
    "${piped_content.2.total}",
    "${piped_content.2.hint}",
    "${piped_content.2.mobile | default}",
  ])("right: %s", (read) => {
    expect(told(read)).toEqual([]);
  });

  test("one record has its members", () => {
    expect(told("${piped_content.2.mobile}", ".items == []", "/members/${custom_data.list.value}")).toEqual(
      [],
    );
  });
});

describe("reference/other-step", () => {
  const told = (read: string): string[] =>
    target("reference/other-step", [
      get("/families", byEmail),
      cases("if .families == [] then 0 else 1 end", { "!error": "None." }, jq(".families[0]")),
      jq("{family_id: .id, child: .children[0]}"),
      cases("if .child == null then 0 else 1 end", { "!error": "No child." }, get("/centres/1")),
      post(`/families/${read}/absences`, { child: "${piped_content.3.child.id}" }),
    ]);

  test("a record that was picked, and an answer beside refusals", () => {
    expect(told("${piped_content.2.family_id}")).toEqual(["2"]);
    expect(told("${piped_content.4.family_id}")).toEqual(["4"]);
    expect(told("${piped_content.3.family_id}")).toEqual([]);
    expect(told("${piped_content.2.id}")).toEqual([]);
  });
});

describe("mapping/unread-field", () => {
  const fields = (...ids: readonly string[]) => ({
    "/workflows/0/setup/map/describe_target/options": ids.map((id) => ({ id, title: id })),
  });
  const told = (ids: readonly string[], ...steps: readonly unknown[]): string[] =>
    target("mapping/unread-field", steps, fields(...ids));

  test("read of another step", () => {
    const ids = ["email", "name", "phone"];
    const find = get("/people", byEmail);
    const send = (phone: string) => post("/people", { name: "${piped_content.0.name}", phone });
    expect(told(ids, find, send("${piped_content.1.phone}"))).toEqual(['"phone"']);
    expect(told(ids, find, send("${piped_content.0.phone | default}"))).toEqual([]);
    expect(told(ids, find, jq("${piped_content.1} as $c | {name: $c.name, phone: $c.phone}"))).toEqual([
      '"name"',
      '"phone"',
    ]);
    expect(told(ids, find, jq("${piped_content.0} as $c | {name: $c.name, phone: $c.phone}"))).toEqual([]);
  });

  test("behind a step that only cleans", () => {
    const ids = ["email", "name", "phone", "town"];
    const send = (...names: readonly string[]) =>
      post("/people", Object.fromEntries(names.map((name) => [name, `\${piped_content.1.${name}}`])));
    const clean = jq("with_entries(select(.value != null))");
    expect(told(ids, clean, send("email", "name", "phone"))).toEqual(['"town"']);
    expect(told(ids, clean, send("email", "name", "phone", "town"))).toEqual([]);
    expect(told(ids, clean, post("/people", "${piped_content.1}"))).toEqual([]);
    expect(told(ids, jq('. + {full: (.name + " " + .town)}'), send("email", "full", "phone"))).toEqual([]);
  });

  test("a sketch sends only some", () => {
    expect(told(["email", "name", "phone"], post("/people", byEmail))).toEqual([]);
    expect(told(["email", "name", "phone", "town"], post("/people", byEmail))).toEqual([]);
  });
});

describe("pipeline/answer-as-variable", () => {
  const query = (variables: unknown, path = "/graphql"): unknown =>
    post(path, { query: "mutation Save($input: Input!) { save(input: $input) { id } }", variables });
  const told = (input: string, first: unknown = query({ input: byEmail })): string[] =>
    target("pipeline/answer-as-variable", [
      first,
      jq("{owner: .data.save.id, list: ${custom_data.list.value}}"),
      query({ input }),
    ]);

  test("a whole answer is no input", () => {
    expect(told("${piped_content.1}")).toEqual(["${piped_content.1}"]);
    expect(told("${piped_content.2}")).toEqual([]);
    expect(told("${piped_content.1.data.save}")).toEqual([]);
    expect(told("${piped_content.0}")).toEqual([]);
    // What is no GraphQL answers with the record itself.
    expect(told("${piped_content.1}", post("/people", byEmail))).toEqual([]);
  });
});
