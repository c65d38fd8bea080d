import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { serve, startNode } from "./support/async-cli.ts";
import { configc, folderWith, templatePath } from "./support/cli.ts";
import { clean, misspelled } from "./support/configs.ts";

/** A config whose source fails for some items, at a place behind escapes, and whose target sends them. */
const config = JSON.stringify(
  {
    $version: "2",
    auth: {
      acme: {
        type: "token",
        configuration: { header_key: "x-key", verify_url: "https://acme.example/me" },
        defined_fields: { token: { label: "Token", placeholder: "…", help_text: "Yours." } },
      },
    },
    api: { base_url: "http://127.0.0.1:1" },
    workflows: [
      {
        name: "one.two",
        label: "One",
        type: "automations",
        auth: "acme",
        setup: { connect: { label: "c", describe_connection: { "!http": { path: "/me" } } } },
        data_pipeline: {
          source: { "!jq": '"a\\"\\u0001b" as $q | {id: $q, x: .x.y}' },
          target: {
            "!http": { method: "POST", path: "/items/${piped_content.0.id}", body: { __proto__x: 1 } },
          },
        },
      },
    ],
  },
  undefined,
  2,
).replace("__proto__x", "__proto__");

/** Builds a module in a folder of its own, from where no package of ours can be found. */
function built(text: string): { readonly folder: string; readonly stderr: string } {
  const folder = folderWith({ "a.app.json": text });
  const { status, stderr } = configc(["build", "a.app.json", "-o", "out/a.mjs"], { cwd: folder });
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^configc: built out\/a\.mjs, \d+ kB, in \d+ ms\.\n$/),
  ]);
  return { folder, stderr };
}

/** HTTP as a host without @configc/host would write it. */
const ownHttp = `const http = {
  async request({ method, url, headers, body, signal }) {
    const response = await fetch(url, { method, headers, body, signal, redirect: "manual" });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  },
};
`;

async function runService(folder: string, code: string): Promise<unknown> {
  writeFileSync(
    join(folder, "service.mjs"),
    `import { createApp, app, RunError } from "./out/a.mjs";\n${ownHttp}${code}`,
  );
  const { status, stdout, stderr } = await startNode(["service.mjs"], { cwd: folder }).done;
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

describe("the module", () => {
  test("runs on its own, with requests of a host's own making", async () => {
    const sent: unknown[] = [];
    const origin = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      sent.push([request.method, request.url, body]);
      response.setHeader("content-type", "application/json").end('{"id": 12345678901234567890}');
    });
    const { folder } = built(config.replace("http://127.0.0.1:1", origin));
    const output = await runService(
      folder,
      `const made = await createApp({ http }).run('workflows."one.two".data_pipeline.target', { input: { id: "a b/c" } });
       console.log(JSON.stringify({ id: String(made.id), version: app.irVersion }));`,
    );
    expect(output).toEqual({ id: "12345678901234567890", version: 1 });
    expect(sent).toEqual([["POST", "/items/a%20b%2Fc", '{"__proto__":1}']]);
  });

  test("names file, pointer, line and the column inside a program when a run fails", async () => {
    const { folder } = built(config);
    const output = await runService(
      folder,
      `const error = await createApp({ http }).run("workflows.one.two.data_pipeline.source", { input: { x: 1 } }).catch((e) => e);
       const { kind, pointer, source } = error;
       console.log(JSON.stringify({ kind, pointer, source, isRunError: error instanceof RunError, stack: error.stack.split("\\n").slice(0, 2) }));`,
    );
    const lines = config.split("\n");
    const line = lines.findIndex((text) => text.includes('"!jq"')) + 1;
    const column = (lines[line - 1] ?? "").indexOf(".y") + 1;
    const pointer = "/workflows/0/data_pipeline/source";
    expect(output).toEqual({
      kind: "JqError",
      pointer,
      source: { file: "a.app.json", line, column },
      isRunError: true,
      stack: [
        expect.stringMatching(/^RunError: Cannot index number/),
        `    at ${pointer} (a.app.json:${line}:${column})`,
      ],
    });
  });

  test("says what is missing where no `http` is passed in, and what there is where a name is wrong", async () => {
    const { folder } = built(config);
    const output = await runService(
      folder,
      `const messages = [];
       try { createApp({}); } catch (error) { messages.push(error.message); }
       await createApp({ http }).run("workflows.two.setup").catch((error) => messages.push(error.message));
       console.log(JSON.stringify(messages));`,
    );
    expect(output).toEqual([
      expect.stringContaining("nodeHttp()"),
      "`two.setup` of `workflows.two.setup` isn't in the app. There is `one.two`.",
    ]);
  });

  test("has nothing of the config as code", async () => {
    const tricky = config.replace('"label": "One"', '"label": "*/ `${1}` </script> \\u2028 \\ud800"');
    const { folder } = built(tricky);
    const label = compile(tricky).app.workflows[0]?.label;
    expect(await runService(folder, "console.log(JSON.stringify(app.workflows[0].label));")).toBe(label);
  });
});

test("a config with errors isn't built: they are shown, and what was built before stays", () => {
  const folder = folderWith({ "a.app.json": misspelled, "a.mjs": "before" });
  const { status, stdout, stderr } = configc(["build", "a.app.json", "-o", "a.mjs"], { cwd: folder });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("Did you mean `method`?");
  expect(stderr).toContain("configc: a.app.json has 1 error, so it wasn't built.\n");
  expect(readFileSync(join(folder, "a.mjs"), "utf8")).toBe("before");
  expect(readdirSync(folder)).toEqual(["a.app.json", "a.mjs"]);
});

test.each([
  { args: ["build", "a.app.json"], says: "say with -o" },
  { args: ["build", "a.app.json", "-o", "a.json"], says: "add --json" },
  { args: ["build", "a.app.json", "-o", "./a.app.json", "--json"], says: "overwrite the config" },
  { args: ["build", "b.app.json", "-o", "a.mjs"], says: "b.app.json: " },
  { args: ["build", "a.app.json", "-o", "a.app.json/x.mjs"], says: "can't be written" },
])("wrong usage: $args", ({ args, says }) => {
  const { status, stderr } = configc(args, { cwd: folderWith({ "a.app.json": clean }) });
  expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
});

test("D1 --json prints plain JSON with everything that isn't a comment, as it was written", () => {
  const source = readFileSync(templatePath("outbound"), "utf8")
    .replace("{", '\ufeff{ // first\n "_comment": "1.0e2 // not a comment", /* second */')
    .replace(/\}\s*$/, ",}\n");
  const folder = folderWith({ "a.app.jsonc": source.replace("\ufeff{", "{") });
  const { status, stdout } = configc(["build", "a.app.jsonc", "--json"], { cwd: folder });
  expect(status).toBe(0);
  const original = JSON.parse(readFileSync(templatePath("outbound"), "utf8")) as object;
  expect(JSON.parse(stdout)).toEqual({ _comment: "1.0e2 // not a comment", ...original });
  expect(
    configc(["check", "-", "--stdin-filename", "a.app.json"], { input: stdout, cwd: folder }).status,
  ).toBe(0);
});

describe("types", () => {
  test("are written for a host, with what samples tell", () => {
    const folder = folderWith({
      "a.app.json": config,
      "a.samples/me.json": JSON.stringify({
        request: { method: "GET", path: "/me" },
        response: { status: 200, body: { account_id: "a-1", description: "Ada" } },
      }),
    });
    expect(configc(["build", "a.app.json", "--types", "-o", "a.d.ts"], { cwd: folder }).status).toBe(0);
    const { status, stdout } = configc(["build", "a.app.json", "--types"], { cwd: folder });
    expect([status, stdout]).toEqual([0, readFileSync(join(folder, "a.d.ts"), "utf8")]);
    expect(stdout).toContain('"one.two": {');
    expect(stdout).toMatch(/"setup\.connect\.describe_connection": \{\s+output: \{\s+account_id: string;/);
  });

  test.each([
    { args: ["--types", "--json"], says: "one at a time" },
    { args: ["--types", "-o", "a.mjs"], says: "write a .d.ts" },
  ])("$args is wrong usage", ({ args, says }) => {
    const folder = folderWith({ "a.app.json": config });
    const { status, stderr } = configc(["build", "a.app.json", ...args], { cwd: folder });
    expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
