import { createRuntime, type Json } from "@configc/runtime";
import { runNode } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { appWith, failureOf, node, runCommand } from "../../packages/runtime/test/support/app.ts";
import { testEffects } from "../../packages/runtime/test/support/effects.ts";
import { type Received, serve } from "../../packages/runtime/test/support/server.ts";

/**
 * The specification's tables at run time, row by row: the name of each test begins with the rows that it shows, by their ids in
 * `docs/coverage.md`. `rows.test.ts` says that none is missing.
 */
const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

const commands: readonly {
  readonly rows: string;
  readonly command: object;
  readonly input?: Json;
  readonly output: unknown;
}[] = [
  {
    rows: "command.!pipe expansion.piped_content",
    command: { "!pipe": [{ "!jq": ".a + 1" }, { "!jq": "[${piped_content.0.a}, ${piped_content.1}, .]" }] },
    input: { a: 1 },
    output: [1, 2, 2],
  },
  { rows: "command.!jq", command: { "!jq": "[.a[] | {b: .}]" }, input: { a: [1] }, output: [{ b: 1 }] },
  {
    rows: "command.!save save.scope expansion.data",
    command: {
      "!pipe": [
        { "!save": { scope: "workflow" } },
        { "!jq": '{k: "other"}' },
        { "!save": { scope: "connection" } },
        { "!jq": '["${data.workflow.k}", "${data.connection.k}"]' },
      ],
    },
    input: { k: "kept" },
    output: ["kept", "other"],
  },
  {
    rows: "command.!switch switch.jq switch.cases",
    command: { "!switch": { jq: ".n", cases: [{ "!jq": '"zero"' }, { "!jq": '"one of \\(.n)"' }] } },
    input: { n: 1 },
    output: "one of 1",
  },
  {
    rows: "command.!sha sha.algorithm",
    command: { "!sha": { algorithm: "sha256" } },
    input: { value_to_encrypt: "hello" },
    output: { value_to_encrypt: "hello", hash },
  },
  {
    rows: "sha.secret",
    command: { "!sha": { algorithm: "md5", secret: "Jefe" } },
    input: { value_to_encrypt: "what do ya want for nothing?" },
    output: { value_to_encrypt: "what do ya want for nothing?", hash: "750c783e6ab0b503eaa86e310a5db738" },
  },
  {
    rows: "command.!extract extract.item_keys extract.to_json",
    command: { "!extract": { item_keys: ["a", "gone"], to_json: true } },
    input: { a: '{"b": [1]}', c: 2 },
    output: { a: { b: [1] } },
  },
  {
    rows: "command.!respond respond.process_payload respond.code respond.headers respond.body",
    command: {
      "!respond": {
        process_payload: true,
        code: 202,
        headers: { "X-A": "${piped_content.0.v}" },
        body: { c: "${piped_content.0.v}" },
      },
    },
    input: { v: "w" },
    output: { process_payload: true, code: 202, headers: { "x-a": "w" }, body: { c: "w" } },
  },
];

describe("commands", () => {
  test.each(commands)("$rows", async ({ command, input = null, output }) => {
    expect(await runCommand(command, { input })).toEqual(output);
  });

  test("command.!error stops with its message", async () => {
    expect(await failureOf(runCommand({ "!error": "No such list" }))).toMatchObject({
      kind: "AppError",
      message: "No such list",
    });
  });

  test("command.!print_c logs, and gives its input on", async () => {
    const effects = testEffects();
    expect(
      await runCommand({ "!print_c": "got ${piped_content.0.a}" }, { input: { a: 1 }, effects }),
    ).toEqual({ a: 1 });
    expect(effects.logged.map(({ message }) => message)).toEqual(["got 1"]);
  });

  test("command.!resource resource.action resource.data events.7: the contact, its fields, other resources", async () => {
    const contact = { email: "a@example.com", first_name: "A" };
    expect(await runCommand({ "!resource": "PlatformContact" }, { context: { contact } })).toEqual(contact);
    expect(await runCommand({ "!resource": "PlatformContact.fields" })).toMatchObject([
      { id: "email", required: true },
    ]);
    const sync = { "!resource": { action: "Platform.sync", data: { deal: "${piped_content.0.d}" } } };
    expect(await runCommand(sync, { input: { d: 7 } })).toEqual({
      resource: "Platform",
      action: "sync",
      data: { deal: 7 },
    });
  });
});

/** Of `!http`, what arrives. */
const requests: readonly { readonly rows: string; readonly http: object; readonly arrives: object }[] = [
  {
    rows: "command.!http http.path api.base_url document.api endpoints.http",
    http: { path: "/a/b" },
    arrives: { method: "GET", url: "/v1/a/b" },
  },
  { rows: "http.method", http: { method: "DELETE", path: "a" }, arrives: { method: "DELETE", url: "/v1/a" } },
  {
    rows: "http.body",
    http: { method: "POST", path: "/", body: { a: [1, null], b: "${piped_content.0}" } },
    arrives: { body: '{"a":[1,null],"b":"in"}' },
  },
  {
    rows: "http.params",
    http: { path: "/", params: { q: "a b", l: [1, 2], none: null } },
    arrives: { url: "/v1/?q=a%20b&l=1&l=2" },
  },
  {
    rows: "http.headers",
    http: { path: "/", headers: { "X-A": "<${piped_content.0}>" } },
    arrives: { headers: { "x-a": "<in>", authorization: "Bearer t-1" } },
  },
  {
    rows: "http.target",
    http: { path: "/", target: "external" },
    arrives: { headers: expect.not.objectContaining({ authorization: expect.anything() }) },
  },
];

describe("requests", () => {
  const entry = { type: "oauth2", configuration: {} };
  const ask = async (command: (origin: string) => object, api: object = {}): Promise<readonly Received[]> => {
    const { origin, received } = await serve(() => ({ json: { items: [1], pages: 2 } }));
    const effects = testEffects({ me: { access_token: "t-1" } });
    await runCommand(command(origin), {
      api: { base_url: `${origin}/v1`, ...api },
      entry,
      effects,
      connection: "me",
      input: "in",
    });
    return received;
  };

  test.each(requests)("$rows", async ({ http, arrives }) => {
    expect(await ask(() => ({ "!http": http }))).toMatchObject([arrives]);
  });

  test("http.url is absolute; credentials stay at home", async () => {
    const [home] = await ask((origin) => ({ "!http": { url: `${origin}/elsewhere` } }));
    const [away] = await ask((origin) => ({
      "!http": { url: `${origin.replace("127.0.0.1", "localhost")}/elsewhere` },
    }));
    expect([home?.url, home?.headers.authorization]).toEqual(["/elsewhere", "Bearer t-1"]);
    expect([away?.url, away?.headers.authorization]).toEqual(["/elsewhere", undefined]);
  });

  test("http.pagination api.pagination pagination.style pagination.parser pagination.type pagination.param pagination.value", async () => {
    const pagination = {
      style: { type: "page", page_number: { param: "p", value: 3 } },
      parser: { total_pages: { "!jq": ".pages" } },
    };
    const urls = async (http: object) =>
      (await ask(() => ({ "!http": { path: "/l", ...http } }), { pagination })).map(({ url }) => url);
    expect(await urls({ pagination: true })).toEqual(["/v1/l?p=3", "/v1/l?p=4"]);
    expect(await urls({ pagination: false })).toEqual(["/v1/l"]);
  });
});

describe("expansions", () => {
  test.each<[rows: string, text: string, output: unknown]>([
    ["expansion.webhook", "<${webhook.url}>", "<https://h.example.com/1>"],
    ["expansion.custom_data", "${custom_data.list.value}/${custom_data.list.display}", "7/Seven"],
    ["expansion.custom_data: alone it keeps its type", "${custom_data.list.value}", 7],
    ["expansion.polling_state", "${polling_state.page}", 2],
    ["expansion.polling_state: as a whole", "${polling_state}", { page: 2 }],
    ["expansion.subdomain", "https://${subdomain}.example.com", "https://acme.example.com"],
    ["expansion.default: of a skipped field", "<${custom_data.skipped.value | default}>", "<>"],
    ["expansion.default: with a text", "${custom_data.skipped.value | default: none }", "none"],
  ])("%s", async (_rows, text, output) => {
    const { origin, received } = await serve(() => ({ json: {} }));
    await runCommand(
      { "!http": { method: "POST", path: "/", body: { text } } },
      {
        api: { base_url: origin },
        context: {
          webhook: { url: "https://h.example.com/1" },
          custom_data: { list: { value: 7, display: "Seven" } },
          polling_state: { page: 2 },
          subdomain: "acme",
        },
      },
    );
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({ text: output });
  });

  test("service.6 service.7: a plain reference to a skipped field fails, and says where", async () => {
    const run = runCommand({ "!print_c": "${custom_data.skipped.value}" }, { context: { custom_data: {} } });
    expect(await failureOf(run)).toMatchObject({
      kind: "DataError",
      pointer: node,
      message: expect.stringContaining("custom_data.skipped.value"),
    });
  });
});

test("service.5 document.workflows data_pipeline.source: a command is run by its key, in an app of one document", async () => {
  const app = appWith({ "!jq": "{email}" });
  const given = await runNode(createRuntime(app, testEffects()), "/workflows/0", {
    input: { email: "e", more: 1 },
  });
  expect(given).toEqual({ source: { email: "e" }, transformed: { email: "e" }, target: null });
});
