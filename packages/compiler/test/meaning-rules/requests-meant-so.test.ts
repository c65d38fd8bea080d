import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Requests that look like a slip and are meant so, each beside one that is still told. */

const target = "/workflows/0/data_pipeline/target";
const options = "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http";
const email = "${piped_content.0.email}";
const list = "${custom_data.list.value}";
const note = "${custom_data.note.value | default}";
const told = (rule: string, steps: readonly object[], said = "", more = {}): number =>
  findings(rule, "outbound", {
    ...more,
    "/workflows/0/data_pipeline/_comment": said,
    [target]: { "!pipe": steps },
  }).length;

describe("http/fixed-choice", () => {
  test.each([
    ["l-2041", 1],
    ["all-2000", 0],
    ["default-100", 0],
  ])("%s", (id, count) => {
    const steps = [
      { "!http": { method: "POST", path: "/people", body: { list_id: id, email } } },
      { "!http": { method: "PUT", path: "/people/${piped_content.1.id}", body: { list_id: list, note } } },
    ];
    expect(told("http/fixed-choice", steps)).toBe(count);
  });
});

describe("http/id-at-hand", () => {
  const put = (body: object) => [
    { "!jq": "{email: .email, subscriber_id: .number}" },
    { "!http": { method: "PUT", path: "/subscribers/${piped_content.1.email}", body } },
  ];
  test.each([
    ["nothing says so", { list, note }, "", 1],
    ["the id is sent itself", { external: "${piped_content.1.subscriber_id}", list, note }, "", 0],
    ["a comment shows the path", { list, note }, "PUT /subscribers/{email}: adds or changes it.", 0],
  ])("%s", (_, body, said, count) => {
    expect(told("http/id-at-hand", put(body), said)).toBe(count);
  });
});

describe("http/shared-key", () => {
  test.each([
    ["order_key", "No second one by the same order_key is made.", 1],
    ["campaign_key", "campaign_key: one key per campaign; no second one by the same email is made.", 0],
    ["list_key", "One digest per list_key, whoever is in it: the emails are added to it.", 0],
  ])("%s", (name, said, count) => {
    const steps = [
      { "!http": { method: "POST", path: "/subscribers", body: { email, note, [name]: list } } },
    ];
    expect(told("http/shared-key", steps, said)).toBe(count);
  });
});

describe("http/reads-by-post", () => {
  test.each([
    ["/lists", "All that is read is JSON.", 1],
    ["/lists", "Lists are read with POST here.", 0],
    ["/lists/all", "", 0],
    ["/lists?_method=GET", "", 0],
  ])("%s %s", (path, said, count) => {
    const all = { [options]: { method: "POST", path }, "/workflows/0/_comment": said };
    expect(findings("http/reads-by-post", "outbound", all)).toHaveLength(count);
  });
});

describe("http/unaimed-person", () => {
  test.each([
    [{ status: "active" }, 1],
    [{ role: "owner" }, 0],
  ])("%j", (params, count) => {
    const steps = [
      { "!http": { path: "/members", params } },
      { "!jq": "{owner: .members[0].id}" },
      {
        "!http": {
          method: "POST",
          path: `/lists/${list}/subscribers`,
          body: { email, owner: "${piped_content.2.owner}", note },
        },
      },
    ];
    expect(told("http/unaimed-person", steps)).toBe(count);
  });
});

describe("http/latest-of-page", () => {
  test.each([
    ["orders", 1],
    ["seasons", 0],
    ["years", 0],
  ])("%s", (name, count) => {
    const steps = [
      { "!http": { path: `/${name}` } },
      { "!jq": `{found: (.${name} | max_by(.begins))}` },
      {
        "!http": {
          method: "PUT",
          path: `/${name}/\${piped_content.2.found.id}`,
          body: { email, list, note },
        },
      },
    ];
    const paged = {
      "/api/pagination": {
        style: { type: "page", page_number: { param: "page" } },
        parser: { total_pages: { "!jq": ".pages" } },
      },
      [options]: { path: "/lists", pagination: true },
      "/workflows/0/setup/map/describe_target/options": {
        "!pipe": [
          { "!http": { path: "/fields", pagination: true } },
          { "!jq": '[.fields[] | {title: .name, id: .id}] + [{title: "Email", id: "email"}]' },
        ],
      },
    };
    expect(told("http/latest-of-page", steps, "", paged)).toBe(count);
  });
});

describe("http/repeated-item", () => {
  test.each([
    [{ fields: ["name", "email", "name"] }, 1],
    [{ kinds: ["order.paid", "order.paid"] }, 1],
    [{ week: ["open", "open", "closed"] }, 0],
    [{ columns: ["name", "email", "city"], types: ["text", "text", "text"] }, 0],
    [{ sort: ["asc", "asc", "desc"] }, 0],
  ])("%j", (body, count) => {
    const steps = [
      { "!http": { method: "POST", path: `/lists/${list}/subscribers`, body: { email, note, ...body } } },
    ];
    expect(told("http/repeated-item", steps)).toBe(count);
  });
});

describe("http/repeated-request", () => {
  const remove = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  test.each([
    ["Removes the hook.", 1],
    ["The first DELETE moves a hook to the bin, the second one removes it.", 0],
  ])("%s", (said, count) => {
    const all = { "/data_intake/0/_comment": said, "/data_intake/0/delete": { "!pipe": [remove, remove] } };
    expect(findings("http/repeated-request", "inbound-webhook", all)).toHaveLength(count);
  });
});
