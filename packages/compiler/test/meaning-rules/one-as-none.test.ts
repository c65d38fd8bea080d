import { describe, expect, test } from "vitest";
import { allFindings, findings } from "../support/rule-findings.ts";

/** Whether something was found, asked with the wrong number. */

const changes = (steps: readonly object[]): Readonly<Record<string, unknown>> => ({
  "/workflows/0/data_pipeline/target": {
    "!pipe": [
      { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
      ...steps,
      { "!http": { method: "PUT", path: "/lists/${custom_data.list.value}/x/${piped_content.2.id}" } },
    ],
  },
});
const told = (...steps: object[]): string[] => findings("jq/one-counts-as-none", "outbound", changes(steps));
const choice = (jq: string, ...cases: object[]): object => ({ "!switch": { jq, cases } });

const refuse = { "!error": "Nobody has this email address." };
const take = { "!jq": "{id: .people[0].id}" };
const make = { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } };
const change = {
  "!http": {
    method: "PATCH",
    path: "/people/${piped_content.1.people[0].id}",
    body: { email: "${piped_content.0.email}" },
  },
};

describe("jq/one-counts-as-none", () => {
  test.each([
    ["if (.people | length) == 1 then 0 else 1 end", [refuse, take]],
    ["if (.people | length == 1) then 0 else 1 end", [refuse, take]],
    ["if (.people | length) == 1 then 0 else 1 end", [make, change]],
    ["if (.people | length) > 1 then 0 else 1 end", [change, make]],
    ["if (.people | length) >= 2 then 0 else 1 end", [take, refuse]],
    ["if (${piped_content.1.people} | length) > 1 then 1 else 0 end", [make, change]],
  ])("%s", (jq, cases) => {
    expect(told(choice(jq, ...cases))).toHaveLength(1);
  });

  test("in a program", () => {
    const jq = 'if (.people | length) == 1 then error("Unknown.") else .people[0] end';
    expect(told({ "!jq": jq })).toEqual(["(.people | length) == 1"]);
  });

  test.each([
    ["if (.people | length) == 0 then 0 else 1 end", [refuse, take]],
    ["if (.people | length) > 0 then 0 else 1 end", [change, make]],
    // Exactly one, or a message.
    ["if (.people | length) == 1 then 1 else 0 end", [refuse, take]],
    // Several can't be told apart.
    ["if (.people | length) > 1 then 0 else 1 end", [{ "!error": "Several have it." }, take]],
    [
      "if (.people | length) > 1 then 0 else 1 end",
      [{ "!jq": "{id: .people[0].id, other: .people[1].id}" }, make],
    ],
    [
      "if (.people | length) == 1 then 0 else 1 end",
      [{ "!jq": ".people[0]" }, { "!jq": ".people[0] // {}" }],
    ],
  ])("%s is right with %j", (jq, cases) => {
    expect(told(choice(jq, ...cases))).toEqual([]);
  });

  test("is told once", () => {
    const steps = [choice("if (.people | length) == 1 then 0 else 1 end", refuse, take)];
    const rules = allFindings("outbound", changes(steps)).map(({ rule }) => rule);
    expect(rules.filter((rule) => /^(?:pipeline|jq)\//.test(rule))).toEqual(["jq/one-counts-as-none"]);
  });
});
