import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "./build.ts";
import { bin, configc, folderWith, templatePath } from "./support/cli.ts";

/** `configc run` against a real server on loopback. */
const config = templatePath("inbound-webhook");
const connect = "workflows.acme-import-submissions.setup.connect.describe_connection";
let server: Server;
let origin: string;
let answer: RequestListener;
beforeAll(async () => {
  ensureBuilt();
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 120_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Without blocking this process, which is the server. */
function start(args: readonly string[]): {
  process: ChildProcess;
  done: Promise<{ status: number | null; stdout: string; stderr: string }>;
} {
  const child = spawn(process.execPath, [bin, "run", ...args], { env: { ...process.env, NO_COLOR: "1" } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk));
  const done = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (status) => resolve({ status, stdout, stderr })),
  );
  return { process: child, done };
}

const local = () => ["--base-url", origin, "--allow-private-network"];

describe("a command", () => {
  test("gives its output", () => {
    const source = "workflows.acme-import-submissions.data_pipeline.source";
    const { status, stdout } = configc([
      "run",
      config,
      source,
      "--input",
      '{"answers":[{"question_id":"a","text":"x"}]}',
    ]);
    expect([status, JSON.parse(stdout)]).toEqual([0, { a: "x" }]);
  });

  test("keeps all digits of big numbers", () => {
    const folder = folderWith({
      "a.app.json": '{"workflows": [{"name": "a", "data_pipeline": {"source": {"!jq": "{id}"}}}]}',
    });
    const { stdout, stderr } = configc([
      "run",
      join(folder, "a.app.json"),
      "workflows.a.data_pipeline.source",
      "--input",
      '{"id": 12345678901234567890}',
      "--trace",
    ]);
    expect(stdout).toContain('"id": 12345678901234567890');
    expect(stderr).toContain('!jq ← {"id":12345678901234567890}');
  });

  test("a line of a trace that is cut tells how much there is, and --trace-whole prints it", () => {
    const folder = folderWith({
      "a.app.json":
        '{"workflows": [{"name": "a", "data_pipeline": {"source": {"!jq": "{items: [range(5000)], note: (\\"x\\" * 9000)}"}}}]}',
    });
    const traced = (option: string) =>
      configc([
        "run",
        join(folder, "a.app.json"),
        "workflows.a.data_pipeline.source",
        "--input",
        "{}",
        option,
      ])
        .stderr.split("\n")
        .find((line) => line.startsWith("→")) ?? "";
    const cut = traced("--trace");
    expect(cut).toMatch(/^→ \{"items":\[0,1,.*… 2 members, \.items 5,000 items \d+ ms$/);
    expect(cut.length).toBeLessThan(220);
    const whole = JSON.parse(traced("--trace-whole").replace(/^→ | \d+ ms$/g, ""));
    expect([whole.items.length, whole.note.length]).toEqual([5_000, 9_000]);
  });

  test.each([
    ["with its trace", ["--trace"]],
    ["while it is saved", ["--save-run", "run.json"]],
  ])(
    "%s: sends credentials, reads the context, and shows nothing secret, whatever the service echoes (D29)",
    async (_name, more) => {
      let authorization = "";
      let path = "";
      answer = (request, response) => {
        authorization = request.headers.authorization ?? "";
        path = request.url ?? "";
        response
          .setHeader("content-type", "application/json")
          .end('{"questions": [{"label": "Name s3cret-token", "id": 12345678}]}');
      };
      const folder = folderWith({
        "me.json": '{"acme": {"access_token": "s3cret-token", "client_secret": "12345678"}}',
        "context.json": '{"custom_data": {"form": {"value": "a/b", "display": "A"}}}',
      });
      const { done } = start([
        config,
        "workflows.acme-import-submissions.setup.map.describe_source.options",
        ...local(),
        "--credentials",
        join(folder, "me.json"),
        "--context",
        join(folder, "context.json"),
        ...more.map((word) => (word.endsWith(".json") ? join(folder, word) : word)),
      ]);
      const { status, stdout, stderr } = await done;
      expect(stderr).toContain(more.includes("--trace") ? "GET" : "saved");
      expect(status).toBe(0);
      expect([authorization, path]).toEqual(["Bearer s3cret-token", "/forms/a%2Fb"]);
      expect(JSON.parse(stdout)).toEqual([{ title: "Name [secret]", id: "[secret]" }]);
      expect(stderr).not.toContain("s3cret-token");
    },
  );

  test("a dry run shows the request and sends nothing", () => {
    answer = () => {
      throw new Error("sent");
    };
    const { status, stdout, stderr } = configc(["run", config, connect, "--dry-run"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      requests: [{ method: "GET", url: "https://api.example.com/v1/me" }],
    });
    expect(stderr).toContain("nothing was sent");
  });
});

describe("a command that fails", () => {
  test("says where in the config", async () => {
    answer = (_, response) => response.writeHead(404).end('{"message": "no such user"}');
    const { status, stdout, stderr } = await start([config, connect, ...local()]).done;
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("HttpError");
    expect(stderr).toContain("404");
    expect(stderr).toContain("/workflows/0/setup/connect/describe_connection/!pipe/0");
  });

  test("says it as data", async () => {
    answer = (_, response) => response.writeHead(404).end("gone");
    const { status, stdout } = await start([config, connect, ...local(), "--format", "json"]).done;
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        kind: "HttpError",
        status: 404,
        pointer: "/workflows/0/setup/connect/describe_connection/!pipe/0",
        range: { start: { line: 62 } },
      },
    });
  });

  test("this machine isn't reached unless it is allowed", async () => {
    answer = (_, response) => response.end("{}");
    const { status, stderr } = await start([config, connect, "--base-url", origin]).done;
    expect(status).toBe(1);
    expect(stderr).toContain("--allow-private-network");
  });

  test("Ctrl-C ends it", async () => {
    const { process: child, done } = start([config, connect, ...local()]);
    answer = () => void child.kill("SIGINT");
    const { status, stderr } = await done;
    expect(status).toBe(1);
    expect(stderr).toContain("Cancelled");
  });
});

describe("wrong usage", () => {
  test.each([
    [[config], "run needs FILE NODE, and NODE is missing."],
    [[config, "workflows.nope"], "“nope” isn't in"],
    [
      [config, "workflow"],
      "Did you mean workflows? There are $version, auth, api, data_intake and workflows.",
    ],
    [[config, "workflows.acme-import-submissions.setup.connect"], "isn't a command. The commands in it are"],
    [[config, connect, "--input", "{a: 1}"], "--input isn't JSON: Expected property name"],
    [
      [config, connect, "--input", "{"],
      `The shell takes quotes away: --input '{"name": "Ada"}', or --input @FILE.`,
    ],
    [[config, connect, "--base-url", "example"], "--base-url is a URL"],
    [[config, connect, "--search", "a"], "--search has no use here"],
    [[config, connect, "--context", "{}"], "The name of a file is wanted"],
    [[templatePath("inbound-polling"), "data_intake.customers", "--input", "{}"], "--input has no use here"],
    [
      [join(import.meta.dirname, "../../../examples/crm/crm.app.json"), "workflows"],
      /\/workflows\/0\/.* and \d+ more\.$/m,
    ],
    [[config, connect, "--context", "nowhere.json"], "nowhere.json: there is no such file"],
  ])("%j", (args, message) => {
    const { status, stderr } = configc(["run", ...args]);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});
