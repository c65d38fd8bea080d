import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres, sharedPostgres } from "../../../../test/support/postgres.ts";
import { CONFIGC_KEY, HostFolder } from "./hosting.ts";

const folder = new HostFolder();

describe("wrong usage", () => {
  const file = (content: string): string => folder.write("wrong.json", content);
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
      /`prot` isn't a setting. Settings are database/,
    ],
    ["a value", () => ["serve", "-c", file('{"port": "1"}')], {}, /`port` needs a number/],
    ["a variable", () => ["serve", "-c", "host.json"], { PORT: "x" }, /variable PORT needs a number/],
    ["no Postgres", () => ["migrate"], { DATABASE_URL: "mysql://x" }, /DATABASE_URL needs a URL of Postgres/],
    ["an empty operand", () => ["inspect", "-x"], {}, /no option `-x`/],
    [
      "no key file",
      () => ["serve", "-c", "host.json"],
      { DATABASE_URL: "postgres://x", CONFIGC_KEY_FILE: "/none" },
      /CONFIGC_KEY_FILE can't be read: ENOENT/,
    ],
    ["no key", () => ["serve", "-c", "host.json"], { DATABASE_URL: "postgres://x" }, /set CONFIGC_KEY/],
  ])("%s", async (_name, args, environment, message) => {
    const { status, stderr } = await folder.run(args(), environment);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test("its version", async () => {
    expect((await folder.run(["--version"])).stdout).toMatch(/^configc-host \d+\.\d+\.\d+\n$/);
  });

  test("help of each verb says how it is called", async () => {
    const { stdout } = await folder.run(["help"]);
    const verbs = [...stdout.matchAll(/^ {2}(\w+) {2,}/gm)].map(([, verb = ""]) => verb);
    expect(verbs).toEqual(expect.arrayContaining(["serve", "worker", "migrate", "resume", "inspect"]));
    for (const verb of verbs)
      expect((await folder.run([verb, "--help"])).stdout).toContain(`configc-host ${verb}`);
  });
});

describe.skipIf(noPostgres !== undefined)("a fleet", () => {
  test("migrate, work, inspect, drain", async () => {
    const server = await sharedPostgres();
    const DATABASE_URL = await server.createDatabase();
    const unprepared = await folder.run(["worker", "-c", "host.json"], { DATABASE_URL, CONFIGC_KEY });
    expect([unprepared.status, unprepared.stderr]).toEqual([
      1,
      expect.stringMatching(/Run `configc-host migrate`/),
    ]);
    for (const args of [["inspect"], ["resume"], ["hold", "acme", "n"]])
      expect(await folder.run(args, { DATABASE_URL })).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^configc-host: The database isn't prepared for configc.*\n$/),
      });
    expect(await folder.run(["migrate"], { DATABASE_URL })).toMatchObject({ status: 0, stderr: "" });
    expect((await folder.run(["migrate"], { DATABASE_URL })).stdout).toMatch(/up to date/);

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
    const worker = folder.start("worker", { DATABASE_URL });
    const { port } = await worker.says("ready");
    await worker.says("poll done");
    expect(await worker.get("/healthz")).toEqual([200, { status: "alive" }]);
    expect(await worker.get("/readyz")).toEqual([200, { status: "ready" }]);
    expect(await worker.get("/else")).toEqual([404, { status: "There is nothing here." }]);

    const listed = await folder.run(["inspect", "--json"], { DATABASE_URL });
    // The newest is first, and may have found nothing that was due.
    const run = (JSON.parse(listed.stdout) as { readonly id: string }[]).at(-1);
    const shown = await folder.run(["inspect", run?.id ?? ""], { DATABASE_URL });
    expect(shown.stdout).toMatch(/done in \d+ ms {2}poll acme\/n/);
    expect(shown.stdout).toMatch(/request 1\.1/);
    expect(shown.stdout).toMatch(/deliver n\/changed-people\/1\/1\/2\/\S+ {2}"delivered"/);
    expect(shown.stdout).toMatch(/worker one, begun once/);
    expect(await folder.run(["inspect", "none"], { DATABASE_URL })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("There is no run `none`"),
    });
    expect((await folder.run(["resume"], { DATABASE_URL })).stdout).toMatch(
      /No worker has left a run behind/,
    );

    expect(await folder.run(["hold", "acme", "-none"], { DATABASE_URL })).toMatchObject({
      status: 1,
      stderr: "configc-host: There is no installation `-none` of `acme`.\n",
    });
    expect((await folder.run(["release", "acme", "n"], { DATABASE_URL })).stdout).toMatch(
      /^release: 0 installations\./,
    );
    const taken = await folder.run(["serve", "-c", "host.json"], {
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
    folder.write("slow", "");
    await client.query("DELETE FROM configc.polling");
    await expect.poll(() => folder.has("reached"), { timeout: 30_000 }).toBe(true);
    worker.child.kill("SIGTERM");
    await worker.says("SIGTERM: draining");
    expect(await worker.get("/readyz")).toEqual([503, { status: "draining" }]);
    expect(await worker.get("/healthz")).toEqual([200, { status: "alive" }]);
    folder.remove("slow");
    expect(await worker.ended).toBe(0);
    expect(worker.lines.map(({ message }) => message)).toEqual(
      expect.arrayContaining(["SIGTERM: draining", "ended"]),
    );
  }, 120_000);
});
