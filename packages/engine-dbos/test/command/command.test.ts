import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { peopleConfig } from "../../../../test/api/config.ts";
import { noPostgres, sharedPostgres } from "../../../../test/support/postgres.ts";
import { main } from "../../src/command.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const bundle = `${root}node_modules/.cache/configc/configc-host.mjs`;
const folder = mkdtempSync(join(tmpdir(), "configc-host-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Our third party's config with a source that makes no requests. */
function numbersConfig(): object {
  const { workflows, ...config } = peopleConfig("https://api.example.com") as {
    readonly workflows: readonly object[];
  };
  const state = "polling_state: {n: 0}";
  const request = {
    "!jq": `{results: [range(3) | {email: "p\\(.)@example.com"}], iterate: false, ${state}}`,
  };
  const intake = { type: "polling", name: "changed-people", initial_setup: { "!jq": `{${state}}` }, request };
  return { ...config, data_intake: [intake], workflows: workflows.slice(0, 1) };
}

beforeAll(() => {
  const made = spawnSync(
    process.execPath,
    ["scripts/ts.mjs", "packages/engine-dbos/test/command/configc-host.ts"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  expect(made.stderr).toBe("");
  writeFileSync(join(folder, "acme.app.json"), JSON.stringify(numbersConfig()));
  writeFileSync(
    join(folder, "platform.mjs"),
    `import { existsSync, writeFileSync } from "node:fs";
    const upsert = async () => {
      if (existsSync("slow")) {
        writeFileSync("reached", "");
        await new Promise((resolve) => setTimeout(resolve, 3000));
      }
      return { contact_id: 1 };
    };
    export default { fields: async () => [], sync: async () => null, upsert };`,
  );
  writeFileSync(
    join(folder, "host.json"),
    JSON.stringify({ apps: { acme: "acme.app.json" }, platform: "platform.mjs", slot: "one", grace: 5 }),
  );
}, 60_000);

const CONFIGC_KEY = Buffer.alloc(32, 1).toString("base64");

/** The command in this process: what it prints, and its status. */
async function configcHost(args: readonly string[], environment: Record<string, string> = {}) {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      said[name] += text;
      return true;
    }),
  );
  const paths = args.map((each) => (each.endsWith(".json") ? join(folder, each) : each));
  const status = await main(paths, environment).finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { status, ...said };
}

describe("wrong usage", () => {
  const file = (content: string): string => {
    writeFileSync(join(folder, "wrong.json"), content);
    return "wrong.json";
  };
  test.each<[string, () => readonly string[], Record<string, string>, RegExp]>([
    ["no verb", () => ["sevre"], {}, /no `sevre`; there are migrate, serve/],
    ["an option", () => ["serve", "--port"], {}, /no option `--port`/],
    ["operands", () => ["fork", "x"], {}, /configc-host fork RUN STEP/],
    ["no database", () => ["inspect"], {}, /set DATABASE_URL/],
    ["no file", () => ["serve", "-c", "none.json"], {}, /none.json can't be read/],
    ["no JSON", () => ["serve", "-c", file("{")], {}, /isn't JSON/],
    [
      "a setting",
      () => ["serve", "-c", file('{"prot": 1}')],
      {},
      /`prot` is no setting. Settings are database/,
    ],
    ["a value", () => ["serve", "-c", file('{"port": "1"}')], {}, /`port` has to be a number/],
    ["a variable", () => ["serve", "-c", "host.json"], { PORT: "x" }, /variable PORT has to be a number/],
    [
      "no Postgres",
      () => ["migrate"],
      { DATABASE_URL: "mysql://x" },
      /DATABASE_URL has to be a URL of Postgres/,
    ],
    ["an empty operand", () => ["inspect", "-x"], {}, /no option `-x`/],
    [
      "no key file",
      () => ["serve", "-c", "host.json"],
      { DATABASE_URL: "postgres://x", CONFIGC_KEY_FILE: "/none" },
      /CONFIGC_KEY_FILE can't be read: ENOENT/,
    ],
    ["no key", () => ["serve", "-c", "host.json"], { DATABASE_URL: "postgres://x" }, /set CONFIGC_KEY/],
  ])("%s", async (_name, args, environment, message) => {
    const { status, stderr } = await configcHost(args(), environment);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test("its version", async () => {
    expect((await configcHost(["--version"])).stdout).toMatch(/^configc-host \d+\.\d+\.\d+\n$/);
  });

  test("help of each verb says how it is called", async () => {
    const { stdout } = await configcHost(["help"]);
    const verbs = [...stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, verb = ""]) => verb);
    expect(verbs).toEqual(expect.arrayContaining(["serve", "worker", "migrate", "resume", "inspect"]));
    for (const verb of verbs)
      expect((await configcHost([verb, "--help"])).stdout).toContain(`configc-host ${verb}`);
  });
});

/** A process that runs until it is told to end. */
class Running {
  readonly child: ChildProcess;
  readonly lines: { readonly message: string; readonly level: string; readonly port?: number }[] = [];
  readonly ended: Promise<number | null>;

  constructor(verb: string, environment: Record<string, string>) {
    this.child = spawn(process.execPath, [bundle, verb, "--config", "host.json"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], PORT: "0", CONFIGC_KEY, ...environment },
    });
    this.ended = new Promise((resolve) => this.child.on("exit", (status) => resolve(status)));
    let text = "";
    this.child.stdout?.on("data", (chunk: Buffer) => {
      const parts = `${text}${chunk}`.split("\n");
      text = parts.pop() ?? "";
      for (const part of parts) this.lines.push(JSON.parse(part));
    });
  }

  async says(message: string): Promise<(typeof this.lines)[number]> {
    await expect.poll(() => this.lines.map((line) => line.message), { timeout: 30_000 }).toContain(message);
    return this.lines.find((line) => line.message === message)!;
  }
}

describe.skipIf(noPostgres !== undefined)("a fleet", () => {
  test("migrate, work, inspect, drain", async () => {
    const server = await sharedPostgres();
    const DATABASE_URL = await server.createDatabase();
    const unprepared = await configcHost(["worker", "-c", "host.json"], { DATABASE_URL, CONFIGC_KEY });
    expect([unprepared.status, unprepared.stderr]).toEqual([
      1,
      expect.stringMatching(/Run `configc-host migrate`/),
    ]);
    for (const args of [["inspect"], ["resume"], ["hold", "acme", "n"]])
      expect(await configcHost(args, { DATABASE_URL })).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^configc-host: The database isn't prepared for configc.*\n$/),
      });
    expect(await configcHost(["migrate"], { DATABASE_URL })).toMatchObject({ status: 0, stderr: "" });
    expect((await configcHost(["migrate"], { DATABASE_URL })).stdout).toMatch(/up to date/);

    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    onTestFinished(() => client.end());
    const row = {
      id: "n",
      app: "acme",
      workflow: "import-people",
      status: "active",
      settings: { customData: {} },
      createdAt: 1,
      changedAt: 1,
    };
    await client.query(
      "INSERT INTO configc.installations (id, by_app, by_status, by_workflow, row) VALUES ('n', 'acme', 'active', 'import-people', $1)",
      [JSON.stringify(row)],
    );
    const worker = new Running("worker", { DATABASE_URL });
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    const { port } = await worker.says("ready");
    await worker.says("poll done");
    const get = async (path: string): Promise<unknown> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return [answer.status, await answer.json()];
    };
    expect(await get("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await get("/readyz")).toEqual([200, { status: "ready" }]);
    expect(await get("/else")).toEqual([404, { status: "There is nothing here." }]);

    const listed = await configcHost(["inspect", "--json"], { DATABASE_URL });
    // The newest is first, and may have found nothing that was due.
    const run = (JSON.parse(listed.stdout) as { readonly id: string }[]).at(-1);
    const shown = await configcHost(["inspect", run?.id ?? ""], { DATABASE_URL });
    expect(shown.stdout).toMatch(/done in \d+ ms {2}poll acme\/n/);
    expect(shown.stdout).toMatch(/request 1\.1/);
    expect(shown.stdout).toMatch(/deliver n\/changed-people\/1\/1\/2 {2}"delivered"/);
    expect(shown.stdout).toMatch(/worker one, begun once/);
    expect(await configcHost(["inspect", "none"], { DATABASE_URL })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("There is no run `none`"),
    });
    expect((await configcHost(["resume"], { DATABASE_URL })).stdout).toMatch(
      /No worker has left a run behind/,
    );

    expect(await configcHost(["hold", "acme", "-none"], { DATABASE_URL })).toMatchObject({
      status: 1,
      stderr: "configc-host: There is no installation `-none` of `acme`.\n",
    });
    expect((await configcHost(["release", "acme", "n"], { DATABASE_URL })).stdout).toMatch(/wasn't held/);
    const taken = await configcHost(["serve", "-c", "host.json"], {
      DATABASE_URL,
      CONFIGC_KEY,
      CONFIGC_SLOT: "two",
      PORT: `${port}`,
    });
    expect([taken.status, taken.stderr]).toEqual([
      2,
      expect.stringMatching(/^configc-host: The port \d+ can't be listened at: .*Set PORT\.\n$/),
    ]);

    // In the middle of an item it isn't ready any more, but alive.
    writeFileSync(join(folder, "slow"), "");
    await client.query("DELETE FROM configc.polling");
    await expect.poll(() => existsSync(join(folder, "reached")), { timeout: 30_000 }).toBe(true);
    worker.child.kill("SIGTERM");
    await worker.says("SIGTERM: draining");
    expect(await get("/readyz")).toEqual([503, { status: "draining" }]);
    expect(await get("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await worker.ended).toBe(0);
    expect(worker.lines.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["SIGTERM: draining", "ended"]),
    );
  }, 120_000);
});
