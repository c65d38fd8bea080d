import { expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a comment shows of an answer, or says that a request is for, is no mistake. */

const http = (method: string, path: string, body?: unknown, _comment?: string) => ({
  ...(_comment === undefined ? {} : { _comment }),
  "!http": { method, path, ...(body === undefined ? {} : { body }) },
});
const find = (comment: string) => http("GET", "/people?email=${piped_content.0.email}", undefined, comment);
const target = (rule: string, steps: readonly unknown[]): string[] =>
  findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });

test.each([
  ["Answers with a list of one: {members: [{id}]}.", 0],
  ["Answers with {member: {id}}.", 1],
])("response/list-of-one %s", (comment, count) => {
  const body = { member: { email: "${piped_content.0.email}" } };
  const steps = [
    http("POST", "/members", body, comment),
    http("PUT", "/lists/1/members/${piped_content.1.members.0.id}"),
  ];
  expect(target("response/list-of-one", steps)).toHaveLength(count);
});

test.each([
  ["Answers with {id, items}: id is that of the search.", 0],
  ["Answers with {items: [{id, email}]}.", 1],
])("response/member-of-search %s", (comment, count) => {
  const steps = [
    { ...find(comment), "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
    {
      "!switch": {
        jq: "if (.items | length) == 0 then 0 else 1 end",
        cases: [{ "!error": "Nobody" }, { "!jq": ".items[0]" }],
      },
    },
    http("POST", "/searches/${piped_content.1.id}/close", { by: "${piped_content.2.id}" }),
  ];
  expect(target("response/member-of-search", steps)).toHaveLength(count);
});

test.each([
  ["Fails with 404 where the person is gone.", 0],
  ["{id, name}", 1],
])("unused/step-output %s", (comment, count) => {
  const steps = [
    http("GET", "/people/${piped_content.0.email}", undefined, comment),
    http("POST", "/x", { email: "${piped_content.0.email}" }),
  ];
  expect(target("unused/step-output", steps)).toHaveLength(count);
});

test.each([
  ["The same address sent again verifies it again.", 0],
  ["The address of the person.", 1],
])("pipeline/written-back %s", (comment, count) => {
  const search = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const body = { email: "${piped_content.1.people[0].email}" };
  const steps = [search, http("PATCH", "/people/${piped_content.1.people[0].id}", body, comment)];
  expect(target("pipeline/written-back", steps)).toHaveLength(count);
});

test.each([
  ["is_new is true for a new bill; for others it is left out.", 0],
  ["is_new is false for a bill that was there.", 1],
])("jq/flag-as-presence %s", (_comment, count) => {
  const cases = [http("POST", "/bills/${piped_content.1.id}/dispatch"), { "!jq": "." }];
  const steps = [
    http("PUT", "/bills/1", { email: "${piped_content.0.email}" }),
    { _comment, "!switch": { jq: "if .is_new != null then 0 else 1 end", cases } },
  ];
  expect(target("jq/flag-as-presence", steps)).toHaveLength(count);
});

test.each([
  ["Without a match people is left out.", 0, 1],
  ['Without a match the id is "".', 1, 0],
  ["Finds people.", 1, 1],
])("a lookup: %s", (_comment, asNull, asText) => {
  const search = { _comment, "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const nobody = {
    "!switch": {
      jq: "if .people == null then 0 else 1 end",
      cases: [{ "!error": "Nobody has this address." }, { "!jq": "{id: .people[0].id}" }],
    },
  };
  const send = http("POST", "/people/${piped_content.2.id}/lists", { list: "${custom_data.list.value}" });
  expect(target("jq/list-as-null", [search, nobody, send])).toHaveLength(asNull);
  const steps = [
    search,
    { "!jq": "{id: .people[0].id}" },
    { "!jq": 'if .id == "" then error("nobody") else {person: .id} end' },
    http("POST", "/x", "${piped_content.3}"),
  ];
  expect(target("jq/empty-text", steps)).toHaveLength(asText);
});

test.each([
  [{ status: "active", until: "2030-01-01" }, 0],
  [{ status: "active" }, 1],
])("pipeline/already-set %o", (body, count) => {
  const steps = [
    { "!http": { path: "/subs", params: { email: "${piped_content.0.email}" } } },
    { "!jq": '{id: ([.subs[] | select(.status == "active") | .id] | first)}' },
    http("PATCH", "/subs/${piped_content.2.id}", body),
  ];
  expect(target("pipeline/already-set", steps)).toHaveLength(count);
});
