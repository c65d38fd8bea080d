import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openOperatorPages, type Run } from "@configc/engine-dbos";
import { hostActs } from "@configc/host";
import { describe, expect, onTestFinished, test } from "vitest";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { acts, type Performed, type Target } from "../../src/acts/index.ts";
import { lists, ones } from "../../src/admin/routes.ts";
import type { FailedItem } from "../../src/answers/failed-items.ts";
import type { Page } from "../../src/answers/page.ts";
import { verbs } from "../../src/command/verbs.ts";
import type { SavedFailure } from "../../src/stories/index.ts";
import { HostFolder } from "../command/hosting.ts";
import { answered, type Operated, operated, order } from "./operated.ts";

/** A fleet with something of each kind: three items of ada that failed, bob whose cycles fail, cem for whom all is well. */
interface Fleet extends Operated {
  readonly items: readonly string[];
  /** One that failed, and is kept as a file. */
  readonly run: string;
}

const broken = (id: number): object => ({ id, email: null });

async function fleetWithAll(): Promise<Fleet> {
  const fleet = await operated({ savedFailures: 5 });
  await fleet.install("i1", "ada");
  fleet.service.answer = answered(order(1), broken(2), broken(3), broken(4));
  await fleet.work();
  await fleet.install("i3", "cem");
  fleet.service.answer = answered();
  await fleet.work();
  await fleet.install("i2", "bob");
  fleet.service.answer = { status: 403, json: { error: "suspended" } };
  await fleet.worker.retry("shop", "i2");
  await fleet.worker.idle();
  const kept = async () => (await fleet.hostJson<readonly SavedFailure[]>("saved-run")).at(0);
  await expect.poll(kept, { timeout: 20_000 }).toMatchObject({ installation: "i2" });
  const { rows } = await fleet.hostJson<Page<FailedItem>>("items", "--failed");
  const failed = await fleet.hostJson<Page<Run>>("runs", "--status", "failed");
  const run = failed.rows.at(0)?.id ?? "";
  // A story is kept after its run is over.
  const told = async () => (await fleet.hostJson<{ readonly stories: unknown[] }>("inspect", run)).stories;
  await expect.poll(told, { timeout: 20_000 }).toHaveLength(1);
  return { ...fleet, items: rows.map(({ item }) => item), run };
}

/** What is done, in this order, and how many things it changes; by a verb on one fleet and by the API on another. */
const done: Readonly<
  Record<string, (fleet: Fleet) => { readonly target: Target; readonly affected: number }>
> = {
  hold: () => ({ target: { installation: "i3" }, affected: 1 }),
  release: () => ({ target: { installation: "i3" }, affected: 1 }),
  pause: () => ({ target: { customer: "cem" }, affected: 1 }),
  activate: () => ({ target: { customer: "cem" }, affected: 1 }),
  refresh: () => ({ target: { customer: "ada" }, affected: 1 }),
  retry: () => ({ target: { installation: "i2" }, affected: 1 }),
  "retry-items": ({ items }) => ({ target: { item: items[0] ?? "" }, affected: 1 }),
  "skip-items": ({ items }) => ({ target: { item: items[1] ?? "" }, affected: 1 }),
  "purge-items": ({ items }) => ({ target: { item: items[2] ?? "" }, affected: 1 }),
  disconnect: () => ({ target: { customer: "bob" }, affected: 1 }),
  "delete-customer": () => ({ target: { customer: "cem" }, affected: 1 }),
};

/** Acts that mean nothing on a host of one process, and why; the others are done in `test/embed/operators.test.ts` (E206). */
const ofFleets: Readonly<Record<string, string>> = {
  hold: "the one process can be stopped",
  release: "nothing is held there",
  "delete-customer": "the host has `remove` and deletes its own rows",
};

async function actedBy(
  fleet: Fleet,
  perform: (name: string, target: Target, dryRun: boolean) => Promise<Performed>,
) {
  for (const [name, of] of Object.entries(done)) {
    const { target, affected } = of(fleet);
    expect([name, await perform(name, target, true)]).toEqual([
      name,
      expect.objectContaining({ affected, dryRun: true }),
    ]);
    const { dryRun: _, ...performed } = await perform(name, target, false);
    expect([name, performed]).toEqual([name, expect.objectContaining({ act: name, affected })]);
    await fleet.worker.runtime("shop")?.resume();
  }
}

/** Verbs that aren't acts: what they print, of the fleet before anything is done. */
const printed: Readonly<Record<string, (fleet: Fleet) => Promise<void>>> = {
  async migrate({ host }) {
    expect(await host("migrate")).toMatch(/^The database is up to date \(schema \d+\)/);
  },
  async failing({ host }) {
    expect(await host("failing")).toMatch(/^1 installation of shop, .*HttpError 403/);
  },
  async why({ host }) {
    expect(await host("why", "i2")).toMatch(/^shop\/i2: import-orders, active, customer bob\n/);
  },
  async queues({ host }) {
    expect(await host("queues")).toMatch(/^shop: 3 active installations, 0 paused\n.*3 failed\n/);
  },
  async items({ host }) {
    expect((await host("items", "--failed")).match(/JqError at/g)).toHaveLength(3);
  },
  async runs({ host }) {
    expect(await host("runs", "--status", "failed", "--limit", "1")).toContain("poll shop/i2");
  },
  async inspect({ host, run }) {
    expect(await host("inspect")).toContain("poll shop/i2");
    expect(await host("inspect", run)).toMatch(/GET \S+\/orders\?since=0 → 403/);
  },
  async "saved-run"({ host }) {
    expect(JSON.parse(await host("saved-run", "i2"))).toHaveProperty("node", "/data_intake/0/request");
  },
  async acts({ host }) {
    expect(await host("acts")).toBe("Nothing was done yet.\n");
  },
  async "export-customer"({ host }) {
    expect(await host("export-customer", "ada")).toContain('"table":"installations"');
  },
  async assign({ host, install, worker }) {
    await install("i4");
    await host("assign", "shop", "i4", "dan");
    expect(await worker.store.transaction((t) => t.get("installations", "i4"))).toHaveProperty(
      "customer",
      "dan",
    );
  },
  async reseal({ host }) {
    expect(await host("reseal")).toMatch(/old key/);
  },
  async cancel({ host, hostJson, service, worker }) {
    let answer = (): void => undefined;
    service.answer = new Promise((resolve) => {
      answer = () => resolve(answered());
    });
    await worker.retry("shop", "i3");
    const running = async () =>
      (await hostJson<Page<Run>>("runs", "--status", "running", "--app", "shop", "--installation", "i3"))
        .rows[0]?.id ?? "";
    await expect.poll(running, { timeout: 20_000 }).not.toBe("");
    const id = await running();
    expect(await host("cancel", id)).toBe(`${id} ends before its next step.\n`);
    answer();
    await expect
      .poll(async () => (await hostJson<Run>("inspect", id)).status, { timeout: 20_000 })
      .toBe("cancelled");
  },
  async fork({ host, hostJson, run, service, worker }) {
    service.answer = answered(order(9));
    const copy = (await host("fork", run, "1")).trim();
    await worker.idle();
    const status = async () => (await hostJson<Run>("inspect", copy)).status;
    await expect.poll(status, { timeout: 20_000 }).toBe("done");
  },
};

/** Verbs that go on until they are ended, or take the place of a worker: as processes. */
const processes: Readonly<
  Record<string, (folder: HostFolder, environment: Record<string, string>) => Promise<void>>
> = {
  async worker(folder, environment) {
    await alive(folder, "worker", environment);
  },
  async serve(folder, environment) {
    await alive(folder, "serve", environment);
    const admin = folder.start("serve --admin", { ...environment, ADMIN_PORT: "0" });
    const { port } = await admin.says("ready");
    const answer = await fetch(`http://127.0.0.1:${port}/api/queues`);
    expect(await answer.json()).toMatchObject({ apps: [{ app: "shop", active: 3 }] });
    admin.child.kill("SIGTERM");
    expect(await admin.ended).toBe(0);
  },
  async resume(folder, environment) {
    const resumed = folder.start("resume", environment);
    await resumed.says("No worker has left a run behind.");
    expect(await resumed.ended).toBe(0);
  },
};

async function alive(folder: HostFolder, verb: string, environment: Record<string, string>) {
  const running = folder.start(verb, { ...environment, CONFIGC_SLOT: verb });
  await running.says("ready");
  expect(await running.get("/readyz")).toEqual([200, { status: "ready" }]);
  running.child.kill("SIGTERM");
  expect(await running.ended).toBe(0);
}

/** What each list of the API tells of the fleet, and what each single thing. */
const listed: Readonly<Record<string, object>> = {
  queues: { apps: [{ app: "shop", failed: 3 }] },
  reasons: { reasons: [{ installations: 1, example: { installation: "i2", status: 403 } }] },
  failing: { rows: [{ installation: "i2" }] },
  items: { rows: [{ installation: "i1" }, {}, {}] },
  runs: { rows: expect.arrayContaining([expect.objectContaining({ status: "failed" })]) },
  "saved-runs": { rows: expect.arrayContaining([expect.objectContaining({ installation: "i2" })]) },
  acts: { rows: [] },
};
const told: Readonly<Record<string, (fleet: Fleet) => { readonly id: string; readonly told: object }>> = {
  installations: () => ({ id: "i2", told: { customer: "bob", failing: [{ status: 403 }] } }),
  items: ({ items }) => ({ id: items[0] ?? "", told: { installation: "i1", status: "failed" } }),
  runs: ({ run }) => ({ id: run, told: { status: "failed", stories: [{ outcome: "failed" }] } }),
  "saved-runs": () => ({ id: "i2", told: { node: "/data_intake/0/request" } }),
};

const sorted = (names: Iterable<string>): readonly string[] => [...names].sort();
const folder = new HostFolder();

describe.skipIf(noPostgres !== undefined)("E199: each verb and each part of the API", () => {
  test("has its line in the tables of this test", () => {
    expect(sorted([...Object.keys(printed), ...Object.keys(done), ...Object.keys(processes)])).toEqual(
      sorted(verbs.map(({ name }) => name)),
    );
    expect(sorted(Object.keys(done))).toEqual(sorted(acts.map(({ name }) => name)));
    expect(sorted([...hostActs, ...Object.keys(ofFleets)])).toEqual(sorted(acts.map(({ name }) => name)));
    expect(sorted(Object.keys(listed))).toEqual(sorted(lists.keys()));
    expect(sorted(Object.keys(told))).toEqual(sorted(ones.keys()));
  });

  test("verbs print and do what they say", async () => {
    const fleet = await fleetWithAll();
    for (const [name, shows] of Object.entries(printed))
      await shows(fleet).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`, { cause: error });
      });
  }, 180_000);

  test("acts do what they say, by their verbs", async () => {
    const fleet = await fleetWithAll();
    await actedBy(fleet, async (name, target, dryRun) =>
      fleet.hostJson<Performed>(
        name,
        ...Object.entries(target).flatMap(([key, value]) => [`--${key}`, String(value)]),
        ...(dryRun ? ["--dry-run"] : ["--why", "tried"]),
      ),
    );
  }, 180_000);

  test("verbs that go on until they are ended start, answer and end", async () => {
    const fleet = await fleetWithAll();
    for (const works of Object.values(processes))
      await works(folder, { DATABASE_URL: fleet.database, CONFIGC_KEY: fleet.key });
  }, 400_000);

  test("the API tells and does the same", async () => {
    const fleet = await fleetWithAll();
    const pages = await openOperatorPages({
      database: fleet.database,
      key: Buffer.from(fleet.key, "base64"),
      operator: () => ({ name: "eve" }),
    });
    const server = createServer((request, response) => void pages.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      await new Promise((resolve) => server.close(resolve));
      await pages.close();
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(`${origin}/api/${path}`, init);
      return { status: response.status, value: (await response.json()) as unknown };
    };
    for (const [name, value] of Object.entries(listed))
      expect([name, await ask(name)]).toMatchObject([name, { status: 200, value }]);
    for (const [name, of] of Object.entries(told)) {
      const { id, told: value } = of(fleet);
      expect([name, await ask(`${name}/${encodeURIComponent(id)}`)]).toMatchObject([
        name,
        { status: 200, value },
      ]);
    }
    await actedBy(fleet, async (name, target, dryRun) => {
      const body = JSON.stringify({ target, dryRun, ...(dryRun ? {} : { why: "tried" }) });
      const headers = { origin, "content-type": "application/json" };
      return (await ask(`acts/${name}`, { method: "POST", body, headers })).value as Performed;
    });
    const missing = await ask("none");
    expect(missing).toMatchObject({
      status: 404,
      value: { error: expect.stringContaining("saved-runs/ID") },
    });
  }, 180_000);
});
