import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Another step's output, another member or another person than the one that is meant; and what is right although it looks alike. */

const outbound = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

const get = (path: string, params?: unknown): unknown => ({ "!http": { path, params } });
const post = (path: string, body: unknown): unknown => ({ "!http": { method: "POST", path, body } });
const jq = (program: string): unknown => ({ "!jq": program });
const cases = (condition: string, ...all: readonly unknown[]): unknown => ({
  "!switch": { jq: condition, cases: all },
});
const byEmail = { email: "${piped_content.0.email}" };

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
