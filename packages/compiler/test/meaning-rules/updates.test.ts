import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What `update` and `delete` do with a registration: the same kind of mistake in other words, and what is right although it looks alike. */

describe("intake/deletes-new", () => {
  const post = { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } };
  const save = [{ "!jq": "{hook_id: .id}" }, { "!save": { scope: "workflow" } }];
  const remove = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const keep = { "!jq": "." };
  const cases = { "!switch": { jq: "if .hook_id == null then 0 else 1 end", cases: [keep, remove] } };

  test.each([
    ["right behind the save", [post, ...save, remove], 1],
    ["in a case behind it", [post, ...save, cases], 1],
    ["before it", [post, remove, keep, ...save], 0],
    ["another key", [post, { "!jq": "{secret: .secret}" }, { "!save": { scope: "workflow" } }, remove], 0],
    ["a change of the new one", [post, ...save, { "!http": { ...remove["!http"], method: "PATCH" } }], 0],
  ])("%s", (_, steps, told) => {
    expect(
      findings("intake/deletes-new", "inbound-webhook", { "/data_intake/0/update": { "!pipe": steps } }),
    ).toHaveLength(told);
  });
});

describe("what create and update have of a registration", () => {
  const body = { url: "${webhook.url}" };
  const made = (program: string): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body } },
      { "!jq": program },
      { "!save": { scope: "workflow" } },
    ],
  });
  const changed = (method: string, path: string, ...rest: readonly object[]): object => ({
    "!pipe": [{ "!http": { method, path, body } }, ...rest],
  });
  const saves = (program: string): object[] => [{ "!jq": program }, { "!save": { scope: "workflow" } }];
  const own = "/hooks/${data.workflow.hook_id}";
  const told = (rule: string, create: object, update: object): string[] =>
    findings(rule, "inbound-webhook", { "/data_intake/0/create": create, "/data_intake/0/update": update });

  test.each([
    ["without the wrapper", "{hook_id: .hook.id}", "{hook_id: .id}", [".id"]],
    [
      "another wrapper",
      "{hook_id: .hook.id, key: .hook.key}",
      "{hook_id: .data.id, key: .hook.key}",
      [".data.id"],
    ],
    ["the secret", "{hook_id: .hook.id, key: .hook.key}", "{key: .key}", [".key"]],
    ["below by a variable", "{hook_id: .hook.id}", ". as $a | {hook_id: $a.id}", ["$a.id"]],
    ["with a wrapper in one", "{hook_id: .id}", "{hook_id: .hook.id}", [".id"]],
    ["too deep", "{hook_id: .id, key: .key}", "{hook_id: .hook.id, key: .key}", [".hook.id"]],
    [
      "JSON:API",
      "{hook_id: .data.id, key: .data.attributes.key}",
      "{hook_id: .data.id, key: .data.key}",
      [".data.key"],
    ],
    ["the same", "{hook_id: .hook.id}", "{hook_id: .hook.id}", []],
    ["another name", "{hook_id: .hook.id}", "{hook_id: .hook_id}", []],
  ])("a value from another place: %s", (_, create, update, at) => {
    expect(told("intake/moved-answer", made(create), changed("PUT", own, ...saves(update)))).toEqual(at);
  });

  test.each([
    ["a mutation", "query", "mutation { hookCreate { id key } }", "mutation { hookUpdate { id key } }", []],
    ["a method of JSON-RPC", "method", "hooks.add", "hooks.change", []],
    ["one action, an upsert", "action", "hooks.put", "hooks.put", [".hook.id"]],
  ])("the body says what to do: %s", (_, member, create, update, at) => {
    const deed = (what: string, program: string): object => ({
      "!pipe": [
        { "!http": { method: "POST", path: "/rpc", body: { ...body, [member]: what } } },
        ...saves(program),
      ],
    });
    const made = deed(create, "{hook_id: .hookCreate.hook.id, key: .hookCreate.hook.key}");
    expect(told("intake/moved-answer", made, deed(update, "{hook_id: .hook.id}"))).toEqual(at);
  });

  test.each([
    ["nothing is saved", changed("POST", "/hooks"), true],
    ["the id is saved", changed("POST", "/hooks", ...saves("{hook_id: .hook.id}")), true],
    ["the secret too", changed("POST", "/hooks", ...saves("{hook_id: .hook.id, key: .hook.key}")), true],
    [
      "and more is asked",
      changed("POST", "/hooks", ...saves("{hook_id: .hook.id}"), { "!http": { path: "/hooks" } }),
      true,
    ],
    [
      "the first one is removed",
      changed("POST", "/hooks", { "!http": { method: "DELETE", path: own } }),
      false,
    ],
    ["the id goes along", changed("POST", own), false],
    ["it is changed", changed("PATCH", own, ...saves("{hook_id: .hook.id}")), false],
  ])("a second registration: %s", (_, update, isTold) => {
    expect(told("intake/second-registration", made("{hook_id: .hook.id}"), update)).toEqual(
      isTold ? ['"!http"'] : [],
    );
  });
});

describe("intake/update-without-url", () => {
  const body = { form: "${custom_data.form.value}", kinds: ["a.b", "a.c"], active: true };
  test.each([
    ["all but the URL", body, 1],
    ["and the events of before", { ...body, kinds: ["a.b"] }, 1],
    ["what the customer chose", { form: body.form }, 0],
    ["less than all", { form: body.form, active: true }, 0],
    ["all", { ...body, url: "${webhook.url}" }, 0],
  ])("PATCH with %s", (_, changed, told) => {
    expect(
      findings("intake/update-without-url", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { ...body, url: "${webhook.url}" },
        "/data_intake/0/update": {
          "!http": { method: "PATCH", path: "/hooks/${data.workflow.hook_id}", body: changed },
        },
      }),
    ).toHaveLength(told);
  });

  const nested = {
    data: { type: "webhooks", attributes: { url: "${webhook.url}", events: ["a.b"], on: false } },
  };
  const id = "${data.workflow.webhook_id}";
  const form = "${custom_data.form.value}";
  const query = "mutation($id: ID!, $hook: HookInput!) { webhookUpdate(id: $id, hook: $hook) { id } }";
  const made = { query: "mutation($hook: HookInput!) { webhookCreate(hook: $hook) { id } }" };
  test.each([
    ["JSON:API", "PATCH", nested, { data: { type: "webhooks", id, attributes: { on: true } } }, 1],
    [
      "with the URL",
      "PATCH",
      nested,
      { data: { type: "webhooks", id, attributes: { url: "${webhook.url}" } } },
      0,
    ],
    ["what was chosen", "PATCH", nested, { data: { type: "webhooks", attributes: { form, on: true } } }, 0],
    [
      "all but the URL",
      "PATCH",
      { hook: { url: "${webhook.url}", form, on: true } },
      { hook: { form, on: true } },
      1,
    ],
    ["a PUT", "PUT", nested, { data: { type: "webhooks", id, attributes: { form } } }, 1],
    [
      "another name for it",
      "PATCH",
      nested,
      { data: { type: "webhooks", attributes: { target_url: "x" } } },
      0,
    ],
    ["nothing", "PATCH", { callback: "${webhook.url}" }, {}, 1],
    ["something else", "PATCH", { callback: "${webhook.url}" }, { paused: false }, 0],
    [
      "GraphQL",
      "POST",
      { ...made, variables: { hook: { url: "${webhook.url}", on: true } } },
      { query, variables: { id, hook: { on: true } } },
      1,
    ],
    [
      "GraphQL, chosen",
      "POST",
      { ...made, variables: { hook: { url: "${webhook.url}", on: true } } },
      { query, variables: { id, hook: { form, on: true } } },
      0,
    ],
    ["a form", "PATCH", { "hook[url]": "${webhook.url}", "hook[on]": "1" }, { "hook[on]": "1" }, 1],
  ])("%s (%s)", (_, method, create, body, told) => {
    expect(
      findings("intake/update-without-url", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": create,
        "/data_intake/0/update": {
          "!http": { method, path: "/hooks/${data.workflow.hook_id}", body },
        },
      }),
    ).toHaveLength(told);
  });
});

describe("intake/deleted-by-choice", () => {
  const told = (key: string, list = "forms"): string[] =>
    findings("intake/deleted-by-choice", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: `/${list}/\${custom_data.form.value}/hooks`,
              body: { url: "${webhook.url}" },
            },
          },
          { "!jq": `.hook | {hook: .id, ${key}: \${custom_data.form.value}}` },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": {
        "!http": {
          method: "DELETE",
          path: `/${list}/\${custom_data.form.value}/hooks/\${data.workflow.hook}`,
        },
      },
    });
  test.each(["form", "form_id", "formId", "hook_form", "hook_form_id", "form_key"])(
    "%s is saved for it",
    (key) => {
      expect(told(key)).toEqual(["${custom_data.form.value}"]);
    },
  );
  test.each(["title", "platform", "form_name"])("%s is something else", (key) => {
    expect(told(key)).toEqual([]);
  });
});

describe("what update and delete are sent to", () => {
  const told = (changes: object, rule: string): number =>
    findings(`intake/${rule}`, "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http": {
        method: "POST",
        path: "/hooks",
        body: { url: "${webhook.url}" },
      },
      "/data_intake/0/update": {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
      ...changes,
    }).length;
  const update = (http: object): object => ({ "/data_intake/0/update": { "!http": http } });
  const remove = (http: object): object => ({ "/data_intake/0/delete": { "!http": http } });
  const body = { url: "${webhook.url}" };
  const id = "${data.workflow.hook_id}";

  test.each([
    ["update-deletes", update({ method: "DELETE", path: `/hooks/${id}` }), 1],
    [
      "update-deletes",
      {
        "/data_intake/0/update": {
          "!pipe": [
            { "!http": { method: "DELETE", path: `/hooks/${id}` } },
            { "!http": { method: "POST", path: "/hooks", body } },
          ],
        },
      },
      0,
    ],
    ["update-without-id", update({ method: "PATCH", path: "/hooks", body }), 1],
    ["update-without-id", update({ method: "PUT", path: "/hooks", body: { ...body, id } }), 0],
    ["update-without-id", update({ method: "PUT", path: "/hooks", params: { id }, body }), 0],
    ["other-list", remove({ method: "DELETE", path: `/forms/${id}` }), 1],
    ["other-list", update({ method: "PUT", path: `/subscriptions/${id}`, body }), 1],
    ["other-list", remove({ method: "DELETE", path: `/forms/\${custom_data.form.value}/hooks/${id}` }), 0],
    [
      "other-list",
      {
        "/data_intake/0/create/!pipe/0/!http": {
          method: "POST",
          path: "/forms/${custom_data.form.value}/hooks",
          body,
        },
      },
      0,
    ],
    ["delete-all", remove({ method: "DELETE", path: "/hooks" }), 1],
    ["delete-all", remove({ method: "DELETE", path: "/hooks", params: { id } }), 0],
    ["delete-all", remove({ method: "DELETE", path: "/hooks", params: { url: "${webhook.url}" } }), 0],
  ])("%s: %j", (rule, changes, expected) => {
    expect(told(changes, rule)).toBe(expected);
  });
});

describe("intake/other-member", () => {
  const form = "${custom_data.form.value}";
  const url = "${webhook.url}";
  test.each([
    [{ target: url, form, active: true }, ['"target"']],
    // Their names show it: exchanged values are told.
    [{ form: url, url: form, active: true }, []],
    [{ url, list: form, active: true }, ['"list"']],
    [{ url, form, active: true }, []],
    [{ url, active: true }, []],
    [{ url, form, active: true, forms: [form] }, []],
    // An API may change its registrations in a way of its own.
    [{ target: url, source: form }, []],
    [{ target: url }, []],
  ])("%j", (body, told) => {
    expect(
      findings("intake/other-member", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url, form, active: true },
        "/data_intake/0/update": {
          "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body },
        },
      }),
    ).toEqual(told);
  });
});

describe("intake/unsaved-update", () => {
  const put = {
    "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
  };
  const save = { "!save": { scope: "workflow" } };
  const create = {
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": ".hook | {hook_id: .id, token: .token}" },
      save,
    ],
  };
  const branch = (...cases: object[]): object => ({ "!switch": { jq: "if .hook then 0 else 1 end", cases } });
  test.each([
    ["without a save", [put, { "!jq": "{token: .hook.token}" }], 1],
    ["by a pipeline", [put, { "!jq": ".hook | {token}" }], 1],
    ["by a variable", [put, { "!jq": ".hook as $h | {hook_id: $h.id, token: $h.token}" }], 1],
    ["in a case", [put, branch({ "!jq": "{token: .hook.token}" }, { "!error": "Nothing" })], 1],
    ["from an earlier step", [put, { "!jq": "${piped_content.1.hook} | {token: .token}" }], 1],
    ["with a save", [put, { "!jq": "{token: .hook.token}" }, save], 0],
    ["another key", [put, { "!jq": "{state: .hook.state}" }], 0],
    ["what was saved", [put, { "!jq": "{token: ${data.workflow.token}}" }], 0],
    ["a save before it", [put, { "!jq": "{token: .hook.token}" }, save, { "!jq": "{token}" }], 0],
    ["nothing but the request", [put], 0],
  ])("%s", (_, steps, told) => {
    expect(
      findings("intake/unsaved-update", "inbound-webhook", {
        "/data_intake/0/create": create,
        "/data_intake/0/update": { "!pipe": steps },
      }),
    ).toHaveLength(told);
  });
});
