import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** How a service registers webhooks, where a comment or a part of the request explains what would be a mistake elsewhere. */

const intake = "/data_intake/0";
const url = "${webhook.url}";
const form = "${custom_data.form.value}";
const hook = "/hooks/${data.workflow.hook_id}";
const saved = (program: string) => [{ "!jq": program }, { "!save": { scope: "workflow" } }];
const create = (body: object, made = "{hook_id: .id}", path = "/hooks") => ({
  "!pipe": [{ "!http": { method: "POST", path, body } }, ...saved(made)],
});
const send = (method: string, path: string, body?: object) => ({
  "!http": { method, path, ...(body === undefined ? {} : { body }) },
});
const told = (rule: string, said: string, commands: Readonly<Record<string, unknown>>): number =>
  findings(rule, "inbound-webhook", {
    [`${intake}/_comment`]: said,
    ...Object.fromEntries(Object.entries(commands).map(([name, json]) => [`${intake}/${name}`, json])),
  }).length;

describe("intake/other-member", () => {
  const made = create({ url, form });
  test.each([
    ["", send("PUT", hook, { address: url, form }), 1],
    ["POST takes {url, form}; PUT takes {new_url, form}.", send("PUT", hook, { new_url: url, form }), 0],
    ["", send("PUT", `${hook}/target`, { address: url, form }), 0],
    ["", send("POST", `${hook}/move`, { to: url, form }), 0],
  ])("%s %j", (said, update, count) => {
    expect(told("intake/other-member", said, { create: made, update })).toBe(count);
  });
});

describe("intake/switched-off", () => {
  const made = create({ url, active: true, retry: { enabled: true } });
  const off = send("PATCH", hook, { active: false });
  test.each([
    [send("PUT", hook, { url, active: false }), 1],
    [{ "!pipe": [off, send("PUT", hook, { url, active: true })] }, 0],
    [{ "!pipe": [off, send("POST", "/hooks", { url, active: true }), ...saved("{hook_id: .id}")] }, 0],
    [send("PUT", hook, { url, active: true, batching: { enabled: false } }), 0],
  ])("%j", (update, count) => {
    expect(told("intake/switched-off", "", { create: made, update })).toBe(count);
  });
});

describe("what names a registration", () => {
  const compares = (header: string, key: string) => ({
    "!switch": {
      jq: `if .headers["${header}"] == \${data.workflow.${key}} then 0 else 1 end`,
      cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
    },
  });
  test.each([
    ["The token proves deliveries.", 1],
    ["A hook is addressed by its token: DELETE /hooks/{token}. The id is only shown.", 0],
  ])("intake/secret-as-id: %s", (said, count) => {
    const commands = {
      create: create({ url }, "{hook_id: .id, hook_token: .token}"),
      update: send("PUT", "/hooks/${data.workflow.hook_token}", { url }),
      delete: send("DELETE", "/hooks/${data.workflow.hook_token}"),
      verification: compares("x-token", "hook_token"),
    };
    expect(told("intake/secret-as-id", said, commands)).toBe(2 * count);
  });

  test.each([
    ["Deliveries have a token.", 1],
    ["Deliveries carry the header x-hook-key with the id of the hook.", 0],
  ])("intake/id-as-secret: %s", (said, count) => {
    const commands = {
      create: create({ url }, "{hook_id: .id, log_token: .token}"),
      verification: compares("x-hook-key", "hook_id"),
    };
    expect(told("intake/id-as-secret", said, commands)).toBe(count);
  });

  test.each([
    ["Hooks are of one form.", 1],
    ["A form has one hook, which is addressed by the form.", 0],
    ["DELETE /hooks/FORM", 0],
  ])("intake/saved-other-id: %s", (said, count) => {
    const commands = {
      create: create({ url, form_id: form }, "{form_hook: .form_id}"),
      update: send("PUT", "/hooks/${data.workflow.form_hook}", { url }),
      delete: send("DELETE", "/hooks/${data.workflow.form_hook}"),
    };
    expect(told("intake/saved-other-id", said, commands)).toBe(count);
  });

  test.each([
    ["Hooks have ids.", 1],
    ["DELETE /hooks/{url}: the URL, encoded.", 0],
  ])("intake/deleted-by-url: %s", (said, count) => {
    expect(told("intake/deleted-by-url", said, { delete: send("DELETE", `/hooks/${url}`) })).toBe(count);
  });

  test.each([
    ["Hooks have ids.", 1],
    ["A form has one hook, and that is named by the form.", 0],
  ])("intake/registration-by-choice: %s", (said, count) => {
    const commands = { create: create({ url, form }), update: send("PUT", `/hooks/${form}`, { url }) };
    expect(told("intake/registration-by-choice", said, commands)).toBe(count);
  });

  test.each([
    ["Hooks have ids.", 1],
    ["DELETE /listeners/ID removes it.", 1],
    ["A form has one listener only.", 1],
    ["DELETE /listeners removes the listeners of this connection, and we make one.", 0],
  ])("intake/delete-all: %s", (said, count) => {
    const commands = {
      create: create({ url }, "{hook_id: .id}", "/listeners"),
      update: undefined,
      delete: send("DELETE", "/listeners"),
    };
    expect(
      findings("intake/delete-all", "inbound-webhook", {
        [`${intake}/_comment`]: said,
        [`${intake}/create`]: commands.create,
        [`${intake}/update`]: send("PUT", "/listeners/${data.workflow.hook_id}", { url }),
        [`${intake}/delete`]: commands.delete,
      }),
    ).toHaveLength(count);
  });

  test.each([
    ["Listeners have ids.", 1],
    ["A form has one listener only.", 0],
  ])("intake/delete-all, where nothing names one: %s", (said, count) => {
    const commands = {
      create: create({ url }, "{hook_id: .id}", "/listeners"),
      update: undefined,
      delete: send("DELETE", "/listeners"),
    };
    const changes = Object.entries(commands).map(([name, json]) => [`${intake}/${name}`, json] as const);
    const all = { ...Object.fromEntries(changes), [`${intake}/_comment`]: said };
    expect(findings("intake/delete-all", "inbound-webhook", all)).toHaveLength(count);
  });
});

describe("what a change sends, and what it answers", () => {
  const post = send("POST", "/hooks", { url, form });
  const again = (made: string) => ({ "!pipe": [send("PUT", hook, { url, form }), ...saved(made)] });
  const events = (all: readonly string[]) => ({ url, events: all });
  test.each([
    ["intake/second-registration", "", create({ url, form }), post, 1],
    [
      "intake/second-registration",
      "POST /hooks replaces it and keeps the id.",
      create({ url, form }),
      post,
      0,
    ],
    ["intake/update-without-field", "", create({ url, form }), send("PUT", hook, { url }), 1],
    [
      "intake/update-without-field",
      "PUT takes url alone.",
      create({ url, form }),
      send("PUT", hook, { url }),
      0,
    ],
    ["intake/moved-answer", "", create({ url, form }, "{hook_id: .hook.id}"), again("{hook_id: .id}"), 1],
    [
      "intake/moved-answer",
      "POST answers {hook: {id, secret}}; PUT answers {id, secret} alone.",
      create({ url, form }, "{hook_id: .hook.id}"),
      again("{hook_id: .id}"),
      0,
    ],
    [
      "intake/unsaved-update",
      "",
      create({ url, form }),
      { "!pipe": [send("PUT", hook, { url, form }), { "!jq": "{hook_id: .id}" }] },
      1,
    ],
    [
      "intake/unsaved-update",
      "",
      create({ url, form }),
      {
        "!pipe": [
          send("PUT", hook, { url, form }),
          { "!jq": "{hook_id: .id}" },
          { "!print_c": "${piped_content.2.hook_id} was changed." },
        ],
      },
      0,
    ],
    [
      "intake/other-events",
      "",
      create(events(["order.created", "order.updated"])),
      send("PUT", hook, events(["order.updated"])),
      1,
    ],
    [
      "intake/other-events",
      "PUT adds to the events that are registered.",
      create(events(["order.created", "order.updated"])),
      send("PUT", hook, events(["order.updated"])),
      0,
    ],
  ])("%s: %s", (rule, said, made, update, count) => {
    expect(told(rule, said, { create: made, update })).toBe(count);
  });
});
