import { describe, expect, test } from "vitest";
import { allFindings, findings } from "../support/rule-findings.ts";

/** How requests are sent and what they ask for, how much at once, and what a pipeline can't do without. */

const lists = {
  "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.items[] | {display: .name, value: .id}]" }],
};
const field = (id: string, options: unknown): object => ({ label: id, id, type: "dropdown", options });

describe("pipeline/refuses-unmapped", () => {
  const told = (options: unknown, first: object, more: readonly object[] = []): string[] =>
    findings("pipeline/refuses-unmapped", "outbound", {
      "/workflows/0/setup/map/describe_target/options": options,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          first,
          ...more,
          {
            "!http": {
              method: "POST",
              path: "/lists/${custom_data.list.value}/x",
              body: "${piped_content.0}",
            },
          },
        ],
      },
    });
  const email = { title: "Email", id: "email" };
  const name = { title: "Name", id: "name" };
  const phone = { title: "Phone", id: "phone" };
  const refuses = (condition: string): object => ({
    "!switch": {
      jq: `if ${condition} then 0 else 1 end`,
      cases: [{ "!error": "Not enough." }, { "!jq": "." }],
    },
  });

  test.each([
    ['(.email // "") == ""'],
    ['(.email // "") == "" or (.name // "") == ""', { ...name, required: true }],
    [".email == null", name],
  ])("%s", (condition, other = name) => {
    expect(told([email, other], refuses(condition))).toHaveLength(1);
  });

  test("by a program", () => {
    const program = { "!jq": 'if (.email // "") == "" then error("No email.") else . end' };
    expect(told([email, name], program)).toHaveLength(1);
  });

  test.each([
    ['(.email // "") == ""', [{ ...email, required: true }, name]],
    // One of the two is enough, and which is for the customer to say.
    ['(.email // "") == "" and (.phone // "") == ""', [{ ...email, required: true }, phone]],
    ['(.name // "") == "blocked"', [email, name]],
    // It goes on without it.
    ['(.email // "") != ""', [email, name]],
  ])("%s is right", (condition, options) => {
    expect(told(options, refuses(condition))).toEqual([]);
  });
});

describe("http/graphql-method", () => {
  const told = (method: string, body: unknown): string[] =>
    findings("http/graphql-method", "outbound", {
      "/workflows/0/data_pipeline/target": { "!http": { method, path: "/graphql", body } },
    });
  const query = "mutation($email: String!) { addPerson(email: $email) { id } }";

  test.each(["PUT", "patch", "DELETE"])("%s", (method) => {
    expect(told(method, { query, variables: { email: "${piped_content.0.email}" } })).toHaveLength(1);
  });
  test.each([
    ["POST", { query, variables: { email: "${piped_content.0.email}" } }],
    ["PUT", { query: "Oslo", email: "${piped_content.0.email}" }],
  ])("%s is right", (method, body) => {
    expect(told(method, body)).toEqual([]);
  });
});

describe("http/reads-by-post", () => {
  const told = (http: object, more: Readonly<Record<string, unknown>> = {}): string[] =>
    findings("http/reads-by-post", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field("team", {
        "!pipe": [{ "!http": http }, { "!jq": "[.items[] | {display: .name, value: .id}]" }],
      }),
      ...more,
    });

  test.each([
    [{ method: "POST", path: "/teams" }],
    [{ method: "post", path: "/lists/${custom_data.list.value}/teams", params: { limit: 100 } }],
  ])("%j", (http) => {
    expect(told(http)).toHaveLength(1);
  });

  test.each([
    [{ path: "/teams" }],
    [{ method: "POST", path: "/teams/search" }],
    [{ method: "POST", path: "/teams.list" }],
    [{ method: "POST", path: "/listTeams" }],
    [{ method: "POST", path: "/teams", body: { page: 1 } }],
    [{ method: "POST", path: "/teams", headers: { "x-http-method-override": "GET" } }],
  ])("%j is right", (http) => {
    expect(told(http)).toEqual([]);
  });

  test("where all is read with POST", () => {
    const all = {
      "/workflows/0/setup/connect/describe_connection/!pipe/0/!http": { method: "POST", path: "/me" },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { method: "POST", path: "/lists" },
    };
    expect(told({ method: "POST", path: "/teams" }, all)).toEqual([]);
  });
});

describe("intake/delete-by-post", () => {
  const told = (http: object): string[] =>
    findings("intake/delete-by-post", "inbound-webhook", { "/data_intake/0/delete": { "!http": http } });

  test.each([
    [{ method: "POST", path: "/hooks/${data.workflow.hook_id}" }],
    [{ method: "PUT", path: "/lists/${custom_data.list.value}/hooks/${data.workflow.hook_id}" }],
  ])("%j", (http) => {
    expect(told(http)).toHaveLength(1);
  });

  test.each([
    [{ method: "DELETE", path: "/hooks/${data.workflow.hook_id}" }],
    [{ method: "POST", path: "/hooks/${data.workflow.hook_id}/delete" }],
    [{ method: "POST", path: "/hooks/${data.workflow.hook_id}", params: { _method: "delete" } }],
    [{ method: "PATCH", path: "/hooks/${data.workflow.hook_id}", body: { active: false } }],
    [{ method: "POST", path: "/unsubscribe", body: { id: "${data.workflow.hook_id}" } }],
  ])("%j is right", (http) => {
    expect(told(http)).toEqual([]);
  });
});

describe("response/record-as-list", () => {
  const told = (path: string, program: string, from: unknown = lists): string[] =>
    findings("response/record-as-list", "outbound", {
      "/workflows/0/setup/select/form_fields": [
        field("list", from),
        field("team", { "!pipe": [{ "!http": { path } }, { "!jq": program }] }),
      ],
    });

  test.each([
    ["/lists/${custom_data.list.value}", "[.items[] | {display: .name, value: .id}]"],
    ["/lists/${custom_data.list.value}", "[.items[] | select(.open) | {display: .name, value: .id}] | sort"],
  ])("%s with %s", (path, program) => {
    expect(told(path, program)).toHaveLength(1);
  });

  test.each([
    ["/lists/${custom_data.list.value}/teams", "[.items[] | {display: .name, value: .id}]"],
    // What the record has below it.
    ["/lists/${custom_data.list.value}", "[.teams[] | {display: .name, value: .id}]"],
    ["/teams/${custom_data.list.value}", "[.items[] | {display: .name, value: .id}]"],
    ["/lists", "[.items[] | {display: .name, value: .id}]"],
  ])("%s with %s is right", (path, program) => {
    expect(told(path, program)).toEqual([]);
  });

  test("where the list stands in another member", () => {
    const from = {
      "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.lists[] | {display: .name, value: .id}]" }],
    };
    expect(
      told("/lists/${custom_data.list.value}", "[.items[] | {display: .name, value: .id}]", from),
    ).toEqual([]);
  });
});

describe("api/high-rate", () => {
  const told = (scope: string, quota: object): string[] =>
    findings("api/high-rate", "outbound", { "/api/rate_limit": { [scope]: { read: quota } } });

  test.each([
    ["user", { requests: 100_000, period: 60 }],
    ["user", { requests: 10_000, period: 1 }],
    ["app", { requests: 600_000, period: 60 }],
  ])("%s: %j", (scope, quota) => {
    expect(told(scope, quota)).toHaveLength(1);
  });
  test.each([
    ["user", { requests: 100, period: 1 }],
    ["user", { requests: 100_000, period: 86_400 }],
    ["app", { requests: 500, period: 1 }],
    ["app", { requests: 10_000, period: 60 }],
  ])("%s: %j is right", (scope, quota) => {
    expect(told(scope, quota)).toEqual([]);
  });
});

describe("api/odd-page-size", () => {
  const state = "page: (${polling_state.page} + 1), since: ${polling_state.since}";
  const polled = (params: object, more: Readonly<Record<string, unknown>> = {}): string[] =>
    findings("api/odd-page-size", "inbound-polling", {
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path: "/people", params: { updated_after: "${polling_state.since}", ...params } } },
          { "!jq": `{results: .items, iterate: .has_more, polling_state: {${state}}}` },
        ],
      },
      ...more,
    });
  const page = { page: "${polling_state.page}" };
  const options = (params: object): Readonly<Record<string, unknown>> => ({
    "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", params },
  });

  test.each([
    [{ ...page, limit: 2 }, {}],
    [{ ...page, per_page: "2" }, {}],
    [{ ...page, limit: 100_000 }, options({ limit: 100 })],
  ])("%j beside %j", (params, more) => {
    expect(polled(params, more)).toHaveLength(1);
  });

  test.each([
    [{ ...page, limit: 100 }, {}],
    [{ ...page, limit: 1 }, {}],
    // Whether there is a second one says whether to go on.
    [{ after: "${polling_state.day}", limit: 2 }, {}],
    [{ ...page, limit: 5_000 }, options({ limit: 100 })],
    // Open data is given in large pieces.
    [{ ...page, $limit: 50_000 }, {}],
    [{ ...page, version: 2 }, {}],
  ])("%j beside %j is right", (params, more) => {
    expect(polled(params, more)).toEqual([]);
  });

  test("is told once", () => {
    const rules = allFindings("outbound", {
      "/api/rate_limit": { user: { read: { requests: 60_000_000, period: 60 } } },
    }).map(({ rule }) => rule);
    expect(rules).toEqual(["api/high-rate"]);
  });
});
