import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "@configc/compiler";
import { createFleetWorker } from "@configc/engine-dbos";
import { addConnection, embeddedPlatform } from "@configc/host";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { statusOf, talk } from "../../../../test/attack/harness/index.ts";
import { byChance, hostile } from "../../../../test/attack/listeners/requests.ts";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { fleetDatabase } from "../support/database.ts";
import { CONFIGC_KEY, HostFolder, numbersConfig } from "./hosting.ts";

const folder = new HostFolder();
const PUBLIC_URL = "https://hooks.example.com/in";

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly job: string;
}

/** A prepared database with an installation of each workflow, set up as an operator's own service does it. */
async function installed() {
  const database = await fleetDatabase();
  const host = await createFleetWorker({
    database,
    works: false,
    apps: { acme: compile(JSON.stringify(numbersConfig())).app },
    key: Buffer.from(CONFIGC_KEY, "base64"),
    effects: { platform: embeddedPlatform() },
    publicUrl: PUBLIC_URL,
  });
  const common = { app: "acme", settings: { customData: {} }, createdAt: 1, changedAt: 1 };
  await host.store.transaction(async (transaction) => {
    await transaction.put("installations", {
      id: "p",
      workflow: "import-people",
      status: "paused",
      ...common,
    });
    await transaction.put("installations", { id: "t", workflow: "told-people", status: "paused", ...common });
  });
  await addConnection(host, { app: "acme", auth: "people", credential: { access_token: "t" } });
  await host.runtime("acme")?.activate("t");
  const [hook] = await host.store.transaction((transaction) => transaction.list("hooks", {}));
  await host.close(0);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  onTestFinished(() => client.end());
  const environment = { DATABASE_URL: database, PUBLIC_URL };
  const inspect = async (): Promise<readonly Listed[]> =>
    JSON.parse((await folder.run(["inspect", "--json"], environment)).stdout) as Listed[];
  return { client, environment, inspect, path: `/in/acme/${hook?.id}` };
}

const post = async (port: number | undefined, path: string, email: string): Promise<number> => {
  const body = JSON.stringify({ email });
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body })).status;
};

const emails = (): readonly string[] => folder.delivered().map(({ email }) => email);

describe.skipIf(noPostgres !== undefined)("configc-host", () => {
  test("serve takes webhooks and does nothing else; a worker delivers them, and both drain", async () => {
    const { environment, inspect, path } = await installed();
    const server = folder.start("serve", { ...environment, CONFIGC_SLOT: "server" });
    const { port } = await server.says("ready");
    expect(await server.get("/readyz")).toEqual([200, { status: "ready" }]);
    expect(await post(port, `${path}x`, "nobody@example.com")).toBe(404);
    for (const name of ["a", "b", "c"]) expect(await post(port, path, `${name}@example.com`)).toBe(200);
    await expect.poll(async () => (await inspect()).map(({ status }) => status)).toEqual(["waiting"]);
    const [waiting] = await inspect();
    expect((await folder.run(["inspect", waiting?.id ?? ""], environment)).stdout).toMatch(
      /waiting {2}deliver acme\/t .*\n.*worker none yet, not begun yet/,
    );
    expect(folder.delivered()).toEqual([]);

    // A request that has begun when it is told to end is taken all the same.
    const late = request({ port, path, method: "POST", headers: { expect: "100-continue" } });
    const answered = new Promise((resolve) => late.on("response", ({ statusCode }) => resolve(statusCode)));
    const begun = new Promise((resolve) => late.on("continue", resolve));
    late.write('{"email":');
    await begun;
    server.child.kill("SIGTERM");
    await server.says("SIGTERM: draining");
    expect(await server.get("/readyz")).toEqual([503, { status: "draining" }]);
    expect(await server.get("/healthz")).toEqual([200, { status: "alive" }]);
    late.end('"d@example.com"}');
    expect(await answered).toBe(200);
    expect(await server.ended).toBe(0);

    // A worker that is told to end in the middle of an item brings that to its end, and the next one goes on.
    folder.write("slow", "");
    const first = folder.start("worker", { ...environment, CONFIGC_SLOT: "first" });
    await first.says("ready");
    await expect.poll(() => folder.has("reached"), { timeout: 30_000 }).toBe(true);
    first.child.kill("SIGTERM");
    await first.says("SIGTERM: draining");
    folder.remove("slow");
    expect(await first.ended).toBe(0);
    expect(emails()).toEqual(["a@example.com"]);
    const second = folder.start("worker", { ...environment, CONFIGC_SLOT: "second" });
    await second.says("deliver done");
    await expect.poll(emails).toEqual(["a", "b", "c", "d"].map((name) => `${name}@example.com`));
    const done = await inspect();
    const run = done.find(({ id }) => id === waiting?.id);
    expect(run?.status).toBe("done");
    const shown = (await folder.run(["inspect", run?.id ?? ""], environment)).stdout;
    expect(shown).toMatch(/worker second, begun 2 times/);
    expect(shown.match(/deliver \S+ {2}"delivered"/g)).toHaveLength(4);
  }, 120_000);

  test("resume has the runs of a killed worker taken up: each item arrives once", async () => {
    const { client, environment, inspect } = await installed();
    await client.query(
      "UPDATE configc.installations SET by_status = 'active', row = replace(row, 'paused', 'active') WHERE id = 'p'",
    );
    folder.write("slow", "");
    const first = folder.start("worker", { ...environment, CONFIGC_SLOT: "first" });
    await expect.poll(() => folder.has("reached"), { timeout: 30_000 }).toBe(true);
    first.child.kill("SIGKILL");
    await first.ended;
    folder.remove("slow");
    expect((await folder.run(["resume"], environment)).stdout).toBe("No worker has left a run behind.\n");
    // As if it had been silent for long.
    await client.query("UPDATE configc.workers SET seen = now() - interval '1 hour'");
    expect(await folder.run(["resume"], environment)).toEqual({
      status: 0,
      stdout: "first: 1 run waits for a worker.\n",
      stderr: "",
    });
    const poll = (await inspect()).find(({ job }) => job === "poll");
    expect(poll?.status).toBe("waiting");
    expect((await folder.run(["resume"], environment)).stdout).toBe("No worker has left a run behind.\n");
    const second = folder.start("worker", { ...environment, CONFIGC_SLOT: "second" });
    // By its id the run of a log line is found.
    expect(await second.says("poll done")).toMatchObject({ run: poll?.id });
    expect(emails()).toEqual([0, 1, 2].map((number) => `p${number}@example.com`));
    expect(new Set(folder.delivered().map(({ key }) => key)).size).toBe(3);
    expect((await folder.run(["inspect", poll?.id ?? ""], environment)).stdout).toMatch(
      /^.* done in \d+ ms .*\n.*worker second, begun 2 times/,
    );
  }, 120_000);

  test.each([
    ["before it has its apps", "configc.apps", 503],
    ["in its first look", "configc.installations", 200],
  ])(
    "a worker that is told to end %s drains, and leaves nothing behind",
    async (_name, table, ready) => {
      const { client, environment } = await installed();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const worker = folder.start("worker", { ...environment, CONFIGC_SLOT: "early" });
      const waits = async (): Promise<number> =>
        (await client.query("SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass", [table]))
          .rows.length;
      await expect.poll(waits, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(await worker.get("/healthz")).toEqual([200, { status: "alive" }]);
      // The first look may begin a moment before all is ready.
      const said = [ready, { status: ready === 200 ? "ready" : "starting" }];
      await expect.poll(() => worker.get("/readyz")).toEqual(said);
      worker.child.kill("SIGTERM");
      await worker.says("SIGTERM: draining");
      expect(await worker.get("/readyz")).toEqual([503, { status: "draining" }]);
      await client.query("COMMIT");
      expect(await worker.ended).toBe(0);
      const left = await client.query("SELECT FROM dbos.workflow_status WHERE status = 'PENDING'");
      expect(left.rows).toEqual([]);
      expect((await client.query("SELECT slot FROM configc.workers")).rows).toEqual([]);
    },
    120_000,
  );

  test("a signal that comes while the command's modules are evaluated is heard", async () => {
    const { client, environment } = await installed();
    folder.write(
      "signal.cjs",
      `const modules = require("node:module"), { _load } = modules; let sent = false;
      modules._load = (request, ...more) => {
        if (request === "pg-pool" && !sent) sent = process.kill(process.pid, "SIGTERM");
        return _load(request, ...more);
      };`,
    );
    const bin = fileURLToPath(new URL("../../bin/configc-host.js", import.meta.url));
    const given = ["--require", "./signal.cjs", bin, "worker", "--config", "host.json"];
    const child = spawn(process.execPath, given, {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], PORT: "0", CONFIGC_KEY, CONFIGC_SLOT: "early", ...environment },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let ended: number | string | null = null;
    child.on("exit", (status, signal) => {
      ended = status ?? signal;
    });
    await expect.poll(() => ended, { timeout: 60_000 }).toBe(0);
    expect((await client.query("SELECT slot FROM configc.workers")).rows).toEqual([]);
  }, 90_000);

  test("retry ends the waits of an installation, and of the services of its app", async () => {
    const { client, environment } = await installed();
    await client.query(
      "UPDATE configc.installations SET by_status = 'active', row = replace(row, 'paused', 'active') WHERE id = 'p'",
    );
    const failure = { kind: "NetworkError", message: "", pointer: "", at: Date.now() };
    const record = {
      id: "p/changed-people",
      installation: "p",
      intake: "changed-people",
      phase: "polling",
      failures: 9,
    };
    await client.query(
      "INSERT INTO configc.polling (id, by_installation, row) VALUES ('p/changed-people', 'p', $1)",
      [JSON.stringify({ ...record, done: false, cycle: 1, failure })],
    );
    await client.query(
      "INSERT INTO configc.circuits (app, origin, own, opened, until) VALUES ('acme', 'https://a.example', true, 1, now() + interval '1 hour')",
    );
    expect((await folder.run(["retry", "acme", "none"], environment)).stderr).toMatch(
      /There is no installation `none` of `acme`/,
    );
    const { stdout, status } = await folder.run(["retry", "acme"], environment);
    expect([stdout, status]).toEqual([
      expect.stringMatching(/^retry: 1 installation \(.+\)\. Workers find them at their next look\./),
      0,
    ]);
    const [kept] = (await client.query<{ row: string }>("SELECT row FROM configc.polling")).rows;
    expect(JSON.parse(kept?.row ?? "")).toEqual({ ...record, done: false, cycle: 1, failures: 0 });
    expect((await client.query("SELECT FROM configc.circuits")).rows).toEqual([]);
  }, 60_000);

  test("whatever is sent to its port, it goes on; a request that is held open doesn't hold up its end", async () => {
    const { environment, path } = await installed();
    const settings = readFileSync(join(folder.path, "host.json"), "utf8");
    onTestFinished(() => void folder.write("host.json", settings));
    // A heap's worth of memory would take a body that this one refuses.
    const more = { grace: 2, memory: 1, sourceHeader: "x-forwarded-for" };
    folder.write("host.json", JSON.stringify({ ...JSON.parse(settings), ...more }));
    const serving = folder.start("serve", { ...environment, LOG_LEVEL: "info" });
    const { port = 0 } = await serving.says("starting");
    await expect.poll(() => serving.get("/readyz"), { timeout: 30_000 }).toEqual([200, { status: "ready" }]);

    for (const request of [...hostile, ...byChance(20_261, 100)]) {
      const talked = await talk(port, [{ send: Buffer.from(request, "latin1") }]);
      expect(talked.end, JSON.stringify(request.slice(0, 200))).not.toBe("open");
      expect(statusOf(talked), request.slice(0, 200)).not.toBe(500);
    }
    expect(await serving.get("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await post(port, path, "x".repeat(400_000))).toBe(413);
    expect(await post(port, path, "small@example.com")).toBe(200);

    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{`;
    const held = talk(port, [{ send: head }, { hold: true }]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const start = performance.now();
    serving.child.kill("SIGTERM");
    expect(await serving.ended).toBe(0);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect((await held).end).not.toBe("open");
    expect(serving.lines.filter(({ level }) => level === "error")).toEqual([]);
  }, 120_000);

  test("what doesn't fit is said at once, without a stack", async () => {
    const { client, environment } = await installed();
    const refused = async (verb: string, more: Record<string, string>): Promise<readonly unknown[]> => {
      const given = { ...environment, CONFIGC_KEY, PORT: "0", LOG_LEVEL: "error", ...more };
      const { status, stdout, stderr } = await folder.run([verb, "-c", "host.json"], given);
      return [status, stdout, stderr];
    };
    const said = (status: number, message: RegExp): readonly unknown[] => [
      status,
      "",
      expect.stringMatching(new RegExp(`^configc-host: ${message.source}\\n$`)),
    ];
    for (const verb of ["serve", "worker"]) {
      expect(await refused(verb, { CONFIGC_KEY: "abc" })).toEqual(
        said(2, /The key needs 32 bytes in base64 .*; it has 2\./),
      );
      const otherKey = { CONFIGC_KEY: Buffer.alloc(32, 2).toString("base64") };
      expect(await refused(verb, otherKey)).toEqual(
        said(1, /The key doesn't open the tokens .*CONFIGC_OLD_KEYS.*/),
      );
      const none = environment.DATABASE_URL.replace(/[^/]+$/, "none");
      expect(await refused(verb, { DATABASE_URL: none })).toEqual(
        said(1, /.*database "none" does not exist/),
      );
    }
    await client.query("UPDATE dbos.dbos_migrations SET version = version - 1");
    const older =
      /The journal of runs isn't there, or is that of an older version. Run `configc-host migrate`\./;
    for (const verb of ["serve", "worker", "resume"]) expect(await refused(verb, {})).toEqual(said(1, older));
    // Nothing of what had been opened keeps the process.
    expect(await folder.start("worker", environment).ended).toBe(1);
    await client.query("INSERT INTO configc.migrations (version, name) VALUES (99, 'of a later release')");
    const newer =
      /The database was prepared by a newer version of configc \(schema 99, this one knows \d+\).*/;
    for (const verb of ["serve", "worker", "migrate", "inspect", "resume"])
      expect(await refused(verb, {})).toEqual(said(1, newer));
    await client.query("DELETE FROM configc.migrations WHERE version > 4");
    for (const verb of ["serve", "worker", "inspect"])
      expect(await refused(verb, {})).toEqual(
        said(1, /.*an older version of configc .*Run `configc-host migrate`\./),
      );
  });
});
