import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Registrations that are made in one of several ways, and what `update` has from steps before: the mistake in other forms, and what is right. */

const intake = "/data_intake/0";
const url = "${webhook.url}";
const form = "${custom_data.form.value}";
const hook = "/hooks/${data.workflow.hook_id}";
const remove = { "!http": { method: "DELETE", path: hook } };
const save = { "!save": { scope: "workflow" } };
const send = (method: string, path: string, body?: object) => ({
  "!http": { method, path, ...(body === undefined ? {} : { body }) },
});
const pipe = (...steps: readonly object[]) => ({ "!pipe": steps });
const program = (jq: string) => ({ "!jq": jq });
const told = (rule: string, commands: Readonly<Record<string, unknown>>, said = ""): number =>
  findings(rule, "inbound-webhook", {
    ...(said === "" ? {} : { [`${intake}/_comment`]: said }),
    ...Object.fromEntries(Object.entries(commands).map(([name, json]) => [`${intake}/${name}`, json])),
  }).length;

describe("intake/other-events", () => {
  const post = (events: unknown) => send("POST", "/hooks", { url, events });
  const put = (events: unknown) => send("PUT", hook, { url, events });
  const either = (one: unknown, other: unknown, jq = "if (.hooks | length) > 0 then 0 else 1 end") =>
    pipe(
      { "!http": { path: "/hooks" } },
      {
        "!switch": {
          jq,
          cases: [send("PUT", "/hooks/${piped_content.1.hooks.0.id}", { url, events: one }), post(other)],
        },
      },
      program("{hook_id: .id}"),
      save,
    );
  const only = (events: unknown) => pipe(post(events), program("{hook_id: .id}"), save);
  const all = ["a.made", "a.sent", "a.lost"];
  const some = ["a.made", "a.lost"];
  const chosen = pipe(
    program(
      `{events: (if \${custom_data.form.value} == "1" then ["a.made"] else ${JSON.stringify(all)} end)}`,
    ),
    put("${piped_content.1.events}"),
  );
  test.each([
    ["update leaves one out", either(all, all), put(some), 1],
    ["one case of create does", either(some, all), put(all), 1],
    ["the other one does", either(all, some), put(all), 1],
    ["an empty list in update", only(["a.made"]), put([]), 1],
    ["an empty list in create", only([]), put(["a.made"]), 1],
    ["a list that a program chooses", either(["a.made"], some), chosen, 1],
    ["another event in one case", either(["a.made", "a.send", "a.lost"], all), put(all), 1],
    ["the same in all", either(all, all), put(all), 0],
    ["in another order", either(all, [...all].reverse()), put(all), 0],
    ["a case with more than update can know", either([...all, "a.gone"], all), put(all), 0],
    ["the same by a choice", either(["a.made"], all), chosen, 0],
    ["what the customer chose", only(all), put("${custom_data.form.value}"), 0],
    ["nothing about events", either(all, all), send("PUT", hook, { url }), 0],
    ["two that both run", pipe(post(["a.made"]), post(["a.sent"]), save), put(["a.made"]), 0],
  ])("%s", (_, create, update, count) => {
    expect(told("intake/other-events", { create, update })).toBe(count);
  });
});

describe("intake/update-without-url", () => {
  const create = pipe(send("POST", "/hooks", { url, form, on: ["a.b"] }), program("{hook_id: .id}"), save);
  const kinds = program(`{kinds: (if \${custom_data.form.value} == "1" then ["a"] else ["b"] end)}`);
  const token = [
    program("{value_to_encrypt: ${webhook.url}}"),
    { "!sha": { algorithm: "sha256", secret: "<KEY>" } },
  ];
  const get = { "!http": { path: hook } };
  const cases = (one: object, other: object) => ({
    "!switch": {
      jq: `if \${custom_data.form.value} == \${data.workflow.hook_id} then 0 else 1 end`,
      cases: [one, other],
    },
  });
  const own = "/forms/${custom_data.form.value}/hooks";
  test.each([
    ["a step makes another member", pipe(kinds, send("PUT", hook, { kinds: "${piped_content.1.kinds}" })), 1],
    [
      "a version from an answer",
      pipe(get, send("PUT", hook, { form, version: "${piped_content.1.hook.version}" })),
      1,
    ],
    ["a token of the URL alone", pipe(...token, send("PUT", hook, { token: "${piped_content.2.hash}" })), 1],
    ["its own address with nothing", send("PUT", `${hook}/url`, {}), 1],
    ["replaced by all but it", send("POST", `${hook}/replace`, { form, on: ["a.b"] }), 1],
    ["one of two cases", cases(send("PUT", hook, { url, form }), send("POST", own, { form })), 1],
    [
      "something of an answer",
      pipe(get, send("PUT", hook, { form, rest: "${piped_content.1.hook.settings}" })),
      0,
    ],
    [
      "a step that has it",
      pipe(program("{at: .webhook.url}"), send("PUT", hook, { at: "${piped_content.1.at}" })),
      0,
    ],
    ["another part with nothing", send("POST", `${hook}/rotate`, {}), 0],
    ["replaced in a part", send("POST", `${hook}/events`, { form, on: ["a.b"] }), 0],
    ["both cases", cases(send("PUT", hook, { url, form }), send("POST", own, { url, form })), 0],
    [
      "a case for something else",
      cases(send("PUT", hook, { url, form }), send("POST", own, { note: "x" })),
      0,
    ],
    ["a token and the URL", pipe(...token, send("PUT", hook, { url, token: "${piped_content.2.hash}" })), 0],
  ])("%s", (_, update, count) => {
    expect(told("intake/update-without-url", { create, update })).toBe(count);
  });
});

describe("what is saved of an answer", () => {
  const post = send("POST", "/hooks", { url });
  const put = send("PUT", hook, { url });
  const picked = program("{hook_id: .hook.id, hook_secret: .hook.secret}");
  const isOne = "if .ok then 0 else 1 end";
  test.each([
    ["in update alone", pipe(post, save), pipe(put, program("{hook_id: .hook.id}"), save), 1],
    ["below a wrapper taken first", pipe(post, save), pipe(put, program(".hook | {hook_id: .id}"), save), 1],
    [
      "in both",
      pipe(post, program("{hook_id: .hook.id}"), save),
      pipe(put, program("{hook_id: .hook.id}"), save),
      0,
    ],
    ["under its own name", pipe(post, save), pipe(put, program("{hook_id: .hook_id}"), save), 0],
  ])("state/saved-answer: %s", (_, create, update, count) => {
    expect(told("state/saved-answer", { create, update, delete: remove })).toBe(count);
  });

  test.each([
    [
      "in a case",
      { "!switch": { jq: isOne, cases: [pipe(post, save, picked), pipe(post, picked, save)] } },
      1,
    ],
    ["behind two ways", pipe({ "!switch": { jq: isOne, cases: [post, post] } }, save, picked), 1],
    ["in the right order", pipe({ "!switch": { jq: isOne, cases: [post, post] } }, picked, save), 0],
    [
      "in a case, taken behind it",
      pipe(
        { "!switch": { jq: isOne, cases: [pipe(post, save, picked), post] } },
        program("{hook_id: .hook_id}"),
        save,
      ),
      0,
    ],
  ])("intake/saved-response: %s", (_, create, count) => {
    expect(told("intake/saved-response", { create, update: undefined })).toBe(count);
  });

  const signed = {
    "!switch": {
      jq: `if .headers["x-key"] == \${data.workflow.hook_secret} then 0 else 1 end`,
      cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
    },
  };
  const create = pipe(post, picked, save);
  const old = send("DELETE", "/hooks/${piped_content.1.old}");
  const keep = program("{old: .data.workflow.hook_id}");
  const idOnly = program("{hook_id: .hook.id}");
  test.each([
    ["intake/unsaved-secret", "a new one without its secret", pipe(keep, post, idOnly, save, old), 1],
    ["intake/unsaved-secret", "a new one with it", pipe(keep, post, picked, save, old), 0],
    ["intake/unsaved-secret", "the same one", pipe(put, idOnly, save), 0],
    [
      "intake/unsaved-update",
      "a step goes on with something else",
      pipe(put, picked, send("POST", "/log", { text: "x" })),
      1,
    ],
    [
      "intake/unsaved-update",
      "it is sent on",
      pipe(put, picked, send("POST", "/log", { key: "${piped_content.2.hook_secret}" })),
      0,
    ],
    [
      "intake/unsaved-update",
      "all of it is",
      pipe(put, picked, send("POST", "/log", { all: "${piped_content.2}" })),
      0,
    ],
  ])("%s: %s", (rule, _, update, count) => {
    expect(told(rule, { create, update, delete: remove, verification: signed })).toBe(count);
  });

  test.each([
    ["One hook per account; it tells of all branches.", 1],
    ["There is one hook for each account.", 1],
    ["An account has one hook only.", 0],
    ["An account has a single hook.", 0],
    ["DELETE /hooks removes the hook of this account.", 0],
  ])("intake/delete-all, with an id that nothing reads: %s", (said, count) => {
    const commands = {
      create: pipe(post, idOnly, save),
      update: undefined,
      delete: send("DELETE", "/hooks"),
    };
    expect(told("intake/delete-all", commands, said)).toBe(count);
  });
});

describe("intake/unregistered-event, beside the only one that is registered", () => {
  const post = (events: readonly string[]) =>
    pipe(send("POST", "/hooks", { url, events }), program("{hook_id: .id}"), save);
  test.each([
    [["gift.completed"], '.event == "gift.refunded"', "", 1],
    [["gift.completed"], '.topic == "gift.refunded"', "", 1],
    [["gift.completed"], '.event == "refunded"', "", 0],
    [["gift.completed"], '.event == "donor.erased"', "", 0],
    [["gift.completed"], '.state == "gift.refunded"', "", 0],
    [["gift.*"], '.event == "gift.refunded"', "", 0],
    [["gift.completed"], '.event == "gift.refunded"', "gift.refunded comes to every hook.", 0],
    [["GIFT_COMPLETED"], '.event == "gift.refunded"', "", 0],
  ])("%j %s %s", (events, test, said, count) => {
    expect(
      findings("intake/unregistered-event", "inbound-webhook", {
        [`${intake}/_comment`]: said,
        [`${intake}/create`]: post(events),
        "/workflows/0/data_pipeline/source": program(
          `{email: .email, _tags: (if ${test} then ["back"] else [] end)}`,
        ),
      }),
    ).toHaveLength(count);
  });
});

describe("intake/update-without-url: `create` takes over a registration that is there", () => {
  const types = ["a.made", "a.sent"];
  const either = (one: object, other: object) =>
    pipe(
      { "!http": { path: "/hooks" } },
      {
        "!switch": {
          jq: "if (.hooks | length) == 0 then 0 else 1 end",
          cases: [
            send("POST", "/hooks", { label: "us", url, ...one }),
            send("PATCH", "/hooks/${piped_content.1.hooks.0.id}", { url, ...other }),
          ],
        },
      },
      program("{hook_id: .id}"),
      save,
    );
  const create = either({ types }, { types });
  test.each([
    ["all but the address", create, send("PATCH", hook, { types }), 1],
    ["all of it", create, send("PATCH", hook, { url, types }), 0],
    ["what the customer chose", either({ types, form }, { form }), send("PATCH", hook, { form }), 0],
  ])("%s", (_, made, update, count) => {
    expect(told("intake/update-without-url", { create: made, update, delete: remove })).toBe(count);
  });
});

describe("intake/update-without-url: a request to the address of the registration", () => {
  const create = pipe(send("POST", "/hooks", { url, types: ["a.made"] }), program("{hook_id: .id}"), save);
  test.each([
    ["with constants alone", "/url", { types: ["a.made"] }, 1],
    ["with the address", "/url", { url }, 0],
    ["with what was saved", "/url", { url: "${data.workflow.hook_url}" }, 0],
    ["to another part", "/types", { types: ["a.made"] }, 0],
  ])("%s", (_, part, body, count) => {
    const update = send("PUT", `${hook}${part}`, body);
    expect(told("intake/update-without-url", { create, update, delete: remove })).toBe(count);
  });
});

describe("intake/unsaved-secret: a secret that a request of its own makes", () => {
  const create = pipe(
    send("POST", "/hooks", { url }),
    program("{hook_id: .hook.id}"),
    save,
    send("POST", "/hooks/${data.workflow.hook_id}/keys"),
    program("{hook_key: .key.secret}"),
    save,
  );
  const verification = {
    "!switch": {
      jq: 'if .headers["x-key"] == ${data.workflow.hook_key} then 0 else 1 end',
      cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
    },
  };
  const changed = "A hook that is changed gets a new key.";
  const update = (saved: string, said: string) => ({
    _comment: said,
    ...pipe(send("PUT", hook, { url }), program(saved), save),
  });
  test.each([
    ["left out", update("{hook_id: .hook.id}", changed), 1],
    ["saved", update("{hook_id: .hook.id, hook_key: .key.secret}", changed), 0],
    ["that stays", update("{hook_id: .hook.id}", "The hook keeps its key."), 0],
    ["nothing is said", update("{hook_id: .hook.id}", "Another form."), 0],
  ])("%s", (_, changes, count) => {
    expect(told("intake/unsaved-secret", { create, update: changes, delete: remove, verification })).toBe(
      count,
    );
  });
});

describe("state/saved-answer: an id that is called for short", () => {
  const made = (list: string, key: string, ...steps: readonly object[]) => ({
    create: pipe(send("POST", list, { url }), ...steps, save),
    update: undefined,
    delete: send("DELETE", `${list}/\${data.workflow.${key}}`),
  });
  test.each([
    ["of the list", made("/endpoints", "ep_id"), 1],
    ["that is picked", made("/endpoints", "ep_id", program("{ep_id: .id}")), 0],
    ["by its own name", made("/endpoints", "id"), 0],
    ["of another kind", made("/endpoints", "serial"), 0],
  ])("%s", (_, commands, count) => {
    expect(told("state/saved-answer", commands)).toBe(count);
  });
});

describe("intake/delete-unnamed: a path without whose it is", () => {
  const create = (path: string) =>
    pipe(send("POST", path, { url }), program(`{hook_id: .id, owner: ${form}}`), save);
  const below = `/forms/${form}/hooks`;
  test.each([
    ["left out", below, "/forms/hooks/${data.workflow.hook_id}", 1],
    ["saved", below, "/forms/${data.workflow.owner}/hooks/${data.workflow.hook_id}", 0],
    ["a list of its own", below, "/hooks/${data.workflow.hook_id}", 0],
    ["a path without any", "/forms/hooks", "/forms/hooks/${data.workflow.hook_id}", 0],
    ["named in a parameter", `/forms/hooks?form=${form}`, "/forms/hooks/${data.workflow.hook_id}", 0],
    ["below its version", `/v2/forms/${form}/hooks`, "/v2/hooks/${data.workflow.hook_id}", 0],
  ])("%s", (_, made, path, count) => {
    const commands = { create: create(made), update: undefined, delete: send("DELETE", path) };
    expect(told("intake/delete-unnamed", commands)).toBe(count);
  });
});

describe("value/other-answer: what a record has as its own, read beside it", () => {
  const create = (picked: string) => pipe(send("POST", "/hooks", { url }), program(picked), save);
  test.each([
    ["its number", "{hook_no: .no, hook_token: .hook.token}", 1],
    ["its number within", "{hook_no: .hook.no, hook_token: .hook.token}", 0],
    ["a secret beside it", "{hook_no: .hook.no, hook_token: .token}", 0],
  ])("%s", (_, picked, count) => {
    expect(told("value/other-answer", { create: create(picked) })).toBe(count);
  });
});
