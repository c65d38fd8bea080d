import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serve, start } from "./support/async-cli.ts";
import { folderWith } from "./support/cli.ts";
import { configcHere } from "./support/in-process.ts";
import { junitProblems } from "./support/junit.ts";

/** `configc test` (design.md, "CLI"). */
const source = "workflows.w.data_pipeline.source";
const config = JSON.stringify({
  $version: "2",
  auth: {
    acme: { type: "token", configuration: { header_key: "X-Key", verify_url: "https://api.example.com/me" } },
  },
  api: { base_url: "https://api.example.com/v1" },
  workflows: [
    {
      name: "w",
      label: "Acme - Do",
      type: "generic",
      auth: "acme",
      setup: {
        connect: {
          label: "C",
          describe_connection: {
            "!pipe": [
              { "!http": { path: "/me" } },
              {
                "!switch": {
                  jq: "if .admin then 1 else 0 end",
                  cases: [{ "!jq": "{account_id: .id, description: .name}" }, { "!error": "No admins" }],
                },
              },
            ],
          },
        },
      },
      data_pipeline: { source: { "!jq": "{at: (now | floor), id}" } },
    },
  ],
});
const connect = "workflows.w.setup.connect.describe_connection";
const me = (body: unknown) => [{ request: { url: "https://api.example.com/v1/me" }, response: { body } }];

function folderOf(...cases: readonly object[]): string {
  return folderWith({
    "w.app.json": config,
    "w.apptest.json": JSON.stringify({ config: "w.app.json", cases }, undefined, 2),
  });
}

async function tested(cases: readonly object[], ...args: string[]) {
  const cwd = folderOf(...cases);
  return { cwd, ...(await configcHere(["test", ...args], { cwd })) };
}

interface Found {
  readonly files: readonly {
    readonly cases: readonly { readonly passed: boolean; readonly reasons?: string[] }[];
  }[];
  readonly summary: { readonly cases: number; readonly failed: number };
}

async function reasonsOf(test: object): Promise<string[]> {
  const { stdout } = await tested([test], "--format", "json");
  return (JSON.parse(stdout) as Found).files[0]!.cases[0]!.reasons ?? [];
}

describe("cases that pass", () => {
  test.each<[string, object]>([
    [
      "an output",
      { run: connect, http: me({ id: 1, name: "Ada" }), expect: { description: "Ada", account_id: 1 } },
    ],
    [
      "the clock stands at `now`",
      { run: source, now: "2030-01-01T00:00:00Z", input: { id: 1 }, expect: { id: 1, at: 1893456000 } },
    ],
    ["numbers keep their digits", { run: source, input: { id: 0 }, expect: { at: 1735689600, id: 0 } }],
    [
      "a failure",
      { run: connect, http: me({ admin: true }), expectError: { kind: "AppError", message: "No adm" } },
    ],
    [
      "a status",
      {
        run: connect,
        http: [
          { request: { url: "https://api.example.com/v1/me" }, response: { status: 404, text: "gone" } },
        ],
        expectError: {
          kind: "HttpError",
          status: 404,
          pointer: "/workflows/0/setup/connect/describe_connection/!pipe/0",
        },
      },
    ],
    [
      "no answer, and a retry that takes no time",
      {
        run: connect,
        http: [
          {
            request: { url: "https://api.example.com/v1/me" },
            response: { status: 429, headers: { "Retry-After": "60" } },
          },
          {
            request: { url: "https://api.example.com/v1/me" },
            failure: { kind: "timeout", message: "late" },
          },
          ...me({ id: 1, name: "x" }),
        ],
        expect: { account_id: 1, description: "x" },
      },
    ],
    [
      "credentials are sent",
      {
        run: connect,
        credentials: { acme: { token: "invented" } },
        http: [
          {
            request: { url: "https://api.example.com/v1/me", headers: { "x-key": "invented" } },
            response: { body: { id: 1 } },
          },
        ],
        expect: { account_id: 1, description: null },
      },
    ],
  ])("%s", async (name, test) => {
    const { status, stdout } = await tested([{ name, ...test }]);
    expect(stdout).toContain("✓ 1 case passed");
    expect(status).toBe(0);
  });

  test("big numbers aren't rounded", async () => {
    const cwd = folderWith({
      "w.app.json": config,
      "w.apptest.json": `{"config": "w.app.json", "cases": [{"name": "n", "run": "${source}",
        "input": {"id": 12345678901234567891}, "expect": {"at": 1735689600, "id": 12345678901234567890}}]}`,
    });
    const { status, stdout } = await configcHere(["test"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain('+   "id": 12345678901234567891');
  });
});

describe("cases that fail say why", () => {
  test.each<[string, object, RegExp]>([
    [
      "another output",
      { run: source, input: { id: 1 }, expect: {} },
      /^The output isn't the expected one\.$/,
    ],
    [
      "an output instead of a failure",
      { run: source, input: {}, expectError: { kind: "JqError" } },
      /^It gave an output; JqError was expected\.$/,
    ],
    ["a failure instead of an output", { run: source, input: 5, expect: {} }, /^It failed: JqError: /],
    [
      "another kind",
      { run: source, input: 5, expectError: { kind: "AppError" } },
      /^The failure's kind is JqError; AppError was expected\.$/,
    ],
    [
      "another message",
      { run: source, input: 5, expectError: { message: "nope" } },
      /“nope” was expected in it\.$/,
    ],
    [
      "a request that isn't recorded",
      { run: connect, expect: {} },
      /asks GET https:\/\/api\.example\.com\/v1\/me, but no request is recorded/,
    ],
    [
      "a recorded one that isn't sent",
      { run: source, input: {}, http: me({}) },
      /^1 recorded request wasn't sent: GET https/,
    ],
    ["no such node", { run: "workflows.v" }, /“v” isn't in w\.app\.json/],
    ["no command", { run: "workflows.w.setup" }, /isn't a command/],
  ])("%s", async (name, test, reason) => {
    expect(await reasonsOf({ name, ...test })).toEqual([expect.stringMatching(reason)]);
  });

  test("the difference, line by line", async () => {
    const { status, stdout } = await tested([
      {
        name: "differs",
        run: source,
        input: { id: [1, 2, 3, 4, 5, 6, 7, 8] },
        expect: { id: [1, 2, 3, 4, 5, 6, 7, 9], at: 1735689600 },
      },
      { name: "is fine", run: source, input: {}, expect: { at: 1735689600, id: null } },
    ]);
    expect(status).toBe(1);
    expect(stdout.replace(/\d+ ms/, "n ms")).toMatchInlineSnapshot(`
      "✗ w.apptest.json 2 cases
        ✗ differs
            The output isn't the expected one.
            - expected  + given
              …
                  6,
                  7,
            -     9
            +     8
                ]
              }
      ✗ 1 case of 2 failed in 1 file, n ms
      "
    `);
  });
});

describe("files that can't be used", () => {
  test.each<[string, string, string]>([
    [
      "a wrong member",
      '{"config": "w.app.json", "cases": [{"name": "a", "run": "b", "exepct": 1}]}',
      "There is no member “exepct”. Did you mean expect?",
    ],
    ["a missing one", '{"config": "w.app.json", "cases": [{"name": "a"}]}', "“run” is missing here."],
    ["not JSON", '{"config": ', "This isn't JSON"],
    [
      "no such config",
      '{"config": "nowhere.app.json", "cases": []}',
      "nowhere.app.json: there is no such file",
    ],
    [
      "two of one name",
      '{"config": "w.app.json", "cases": [{"name": "a", "run": "b"}, {"name": "a", "run": "b"}]}',
      "Another case is called “a” too.",
    ],
    [
      "both",
      '{"config": "w.app.json", "cases": [{"name": "a", "run": "b", "expect": 1, "expectError": {}}]}',
      "not both",
    ],
    [
      "a time",
      '{"config": "w.app.json", "cases": [{"name": "a", "run": "b", "now": "today"}]}',
      "It is a time such as",
    ],
  ])("%s", async (_name, text, message) => {
    const cwd = folderWith({ "w.app.json": config, "x.apptest.json": text });
    const { status, stderr } = await configcHere(["test"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test("a config instead of its tests", async () => {
    const { status, stdout, stderr } = await configcHere(["test", "w.app.json"], {
      cwd: folderWith({ "w.app.json": config }),
    });
    expect(status).toBe(2);
    expect(stderr).toContain(
      "w.app.json is a config. Its tests are in a file whose name ends in .apptest.json.",
    );
    expect(stdout).toMatch(/^No case has run in 0 files/);
  });

  test("the others are still run", async () => {
    const cwd = folderOf({ name: "a", run: source, input: {}, expect: {} });
    const { status, stdout, stderr } = await configcHere(["test", "nowhere.apptest.json", "."], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("configc: nowhere.apptest.json: there is no such file or folder.\n");
    expect(stdout).toContain("1 case of 1 failed");
  });

  test("options that are for recording", async () => {
    expect(
      (await configcHere(["test", "--base-url", "http://127.0.0.1"], { cwd: folderOf() })).stderr,
    ).toContain("is for --record");
  });
});

test("--update doesn't settle what isn't recorded, or isn't sent", async () => {
  const unsent = { name: "unsent", run: source, input: {}, http: me({}), expect: 1 };
  const unrecorded = { name: "unrecorded", run: connect, http: [], expect: 1 };
  const { cwd, status, stdout } = await tested([unsent, unrecorded], "--update");
  expect(status).toBe(1);
  expect(stdout).toContain("1 recorded request wasn't sent");
  expect(stdout).not.toContain("expected  + given");
  const { cases } = JSON.parse(readFileSync(join(cwd, "w.apptest.json"), "utf8")) as { cases: object[] };
  expect(cases).toEqual([{ ...unsent, expect: { at: 1735689600, id: null } }, unrecorded]);
});

test("--update writes what is given, and leaves the rest of the file as it is", async () => {
  const { cwd, status } = await tested(
    [
      { name: "differs", run: source, input: { id: 1 }, expect: { at: 1 } },
      { name: "fails now", run: source, expect: 1, input: 5 },
      { name: "gives now", run: source, input: { id: 2 }, expectError: {} },
      { name: "is fine", run: source, input: {}, expect: { id: null, at: 1735689600 } },
    ],
    "--update",
  );
  expect(status).toBe(0);
  const { cases } = JSON.parse(readFileSync(join(cwd, "w.apptest.json"), "utf8")) as { cases: object[] };
  expect(cases).toEqual([
    { name: "differs", run: source, input: { id: 1 }, expect: { at: 1735689600, id: 1 } },
    {
      name: "fails now",
      run: source,
      input: 5,
      expectError: { kind: "JqError", message: expect.stringContaining("number") },
    },
    { name: "gives now", run: source, input: { id: 2 }, expect: { at: 1735689600, id: 2 } },
    { name: "is fine", run: source, input: {}, expect: { id: null, at: 1735689600 } },
  ]);
  expect((await configcHere(["test"], { cwd })).status).toBe(0);
});

test("--record keeps the traffic, without secrets and as the config would send it; then no network is needed", async () => {
  const seen: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    seen.push(`${request.headers["x-key"]}`);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ id: 12, name: `Ada with ${request.headers["x-key"]}` }, undefined, 1));
  });
  const cwd = folderOf({ name: "who one is", run: connect });
  const credentials = folderWith({ "me.json": '{"acme": {"token": "canary-token-4711"}}' });
  const { done } = start(
    [
      "test",
      "--record",
      "--credentials",
      join(credentials, "me.json"),
      "--base-url",
      `${origin}/v1`,
      "--allow-private-network",
    ],
    { cwd },
  );
  expect(await done).toMatchObject({ status: 0 });
  expect(seen).toEqual(["canary-token-4711"]);
  const text = readFileSync(join(cwd, "w.apptest.json"), "utf8");
  expect(text).not.toContain("canary");
  expect(JSON.parse(text)).toEqual({
    config: "w.app.json",
    cases: [
      {
        name: "who one is",
        run: connect,
        http: [
          {
            request: { method: "GET", url: "https://api.example.com/v1/me" },
            response: { status: 200, body: { id: 12, name: "Ada with [secret]" } },
          },
        ],
        expect: { account_id: 12, description: "Ada with [secret]" },
      },
    ],
  });
  expect((await configcHere(["test"], { cwd })).status).toBe(0);
});

test("--record keeps what was recorded where the service can't be reached, or wants credentials", async () => {
  const origin = await serve((_request, response) => response.writeHead(401).end());
  const good = { name: "good", run: connect, http: me({ id: 1, name: "x" }) };
  const fresh = { name: "new", run: connect };
  const failing = { ...good, name: "fails", expectError: { kind: "JqError" } };
  const cwd = folderOf(good, fresh, failing);
  const before = readFileSync(join(cwd, "w.apptest.json"), "utf8");
  for (const url of [`${origin}/v1`, "http://127.0.0.1:1"]) {
    const { done } = start(["test", "--record", "--base-url", url, "--allow-private-network"], { cwd });
    expect(await done).toMatchObject({ status: 1 });
    expect(readFileSync(join(cwd, "w.apptest.json"), "utf8")).toBe(before);
  }
});

test("--coverage says what never ran", async () => {
  const { stdout } = await tested(
    [{ name: "a", run: connect, http: me({ id: 1, name: "x" }) }],
    "--coverage",
  );
  expect(stdout).toContain("w.app.json: 4 of 6 commands, 1 of 2 cases of !switch, 1 of 2 branches of jq");
  expect(stdout).toContain(
    "never ran: /workflows/0/setup/connect/describe_connection/!pipe/1/!switch/cases/1",
  );
  expect(stdout).toContain(
    "never taken: then: 1 in /workflows/0/setup/connect/describe_connection/!pipe/1 (1:",
  );
});

describe("formats", () => {
  const cases = [
    { name: "good", run: source, input: {} },
    { name: "bad <&>", run: source, input: {}, expect: "\u0007]]>" },
  ];

  test("junit", async () => {
    const { stdout, status } = await tested(cases, "--format", "junit");
    expect(status).toBe(1);
    expect(junitProblems(stdout)).toEqual([]);
    expect(stdout).toContain('<testsuites name="configc test" tests="2" failures="1"');
    expect(stdout).toContain('<testcase name="bad &lt;&amp;&gt;"');
  });

  test("json", async () => {
    const { summary } = JSON.parse((await tested(cases, "--format", "json", "--coverage")).stdout) as Found;
    expect(summary).toEqual({ files: 1, cases: 2, passed: 1, failed: 1 });
  });
});
