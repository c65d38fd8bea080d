import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFleetWorker, type FleetWorker } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import { createVault } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { Api } from "../../../../test/api/api.ts";
import { peopleApp } from "../../../../test/api/config.ts";
import { status } from "../../../../test/api/faults.ts";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { loadPrometheus, loadTelemetry } from "../../src/telemetry/index.ts";
import { fleetDatabase } from "../support/database.ts";

const KEY = new Uint8Array(32).fill(3);
const deploy = new URL("../../deploy/", import.meta.url);

/** A worker whose service fails now and then, and what it tells of that when Prometheus asks. */
async function working(installations: number) {
  const api = await Api.start({ people: 3 });
  onTestFinished(() => api.close());
  const prometheus = await loadPrometheus();
  const telemetry = await loadTelemetry(undefined, prometheus.meter);
  const worker = await createFleetWorker({
    database: await fleetDatabase(),
    slot: "one",
    apps: { people: peopleApp(api.origin, { rateLimit: { user: { read: { requests: 1, period: 2 } } } }) },
    key: KEY,
    effects: { platform: embeddedPlatform() },
    allowPrivateNetwork: true,
    schedule: { interval: 3_600 },
    queueInterval: 20,
    report: () => undefined,
    observe: telemetry,
  });
  telemetry.watch(worker, ["people"]);
  // The service has no webhooks: the game day shows that this comes from real ones.
  telemetry.received?.("people", "taken");
  onTestFinished(() => worker.close(0));
  const vault = createVault(KEY);
  for (let number = 0; number < installations; number++) {
    const { access_token } = api.oauth.issue();
    const credential = await sealedCredential(vault, `c${number}`, { access_token });
    await worker.store.transaction(async (transaction) => {
      await transaction.put("connections", {
        id: `c${number}`,
        app: "people",
        auth: "people",
        accountId: `c-${number}`,
        credential,
        ...(number === 1 ? { broken: "The token was refused." } : {}),
      });
      await transaction.put("installations", {
        id: `customer-${number}`,
        app: "people",
        workflow: "import-people",
        status: "active",
        connection: `c${number}`,
        settings: { connection: `c${number}`, accountId: `c-${number}`, customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
    });
  }
  const server = createServer((request, response) => prometheus.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => prometheus.close());
  const { port } = server.address() as AddressInfo;
  const asked = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { api, worker, asked };
}

/** Has an item wait that came so many minutes ago. */
async function waits(
  worker: FleetWorker,
  installation: string,
  minutes: number,
  more: object = {},
): Promise<void> {
  await worker.store.transaction((transaction) =>
    transaction.put("deliveries", {
      id: `${installation}/1`,
      app: "people",
      installation,
      intake: "changed-people",
      origin: "polling",
      status: "waiting",
      attempts: 0,
      receivedAt: Date.now() - minutes * 60_000,
      input: { email: "p@example.com" },
      ...more,
    }),
  );
}

/** Lines that aren't comments: a series and its value. */
function seriesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

const nameOf = (series: string): string => series.split("{")[0] ?? "";
const used = (expression: string): readonly string[] => expression.match(/\bconfigc_\w+/g) ?? [];

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

test.skipIf(noPostgres !== undefined)(
  "a worker tells Prometheus all that alarms and the dashboard name, and no more with more customers",
  async () => {
    const { api, worker, asked } = await working(3);
    // Tried again once; and of one installation it fails for good.
    api.fault("/people-by-cursor", status(500));
    api.fault("/people-by-cursor", status(400));
    // An alert asks for growth: what begins with its first failure hasn't grown.
    const before = [...seriesOf(await asked())].filter(([each]) => nameOf(each) === "configc_failures_total");
    expect(before.map(([, value]) => value)).toEqual(before.map(() => 0));
    expect(before.length).toBeGreaterThan(0);
    await worker.start();
    const has = async (name: string): Promise<void> =>
      await expect
        .poll(async () => [...seriesOf(await asked()).keys()].map(nameOf), { timeout: 60_000 })
        .toContain(name);
    for (const name of ["configc_retries_total", "configc_items_total", "configc_limit_wait_count"])
      await has(name);
    await waits(worker, "customer-0", 1);
    worker.deliver("people", "customer-0");
    await has("configc_lag_count");
    await has("configc_installations");
    const text = await asked();
    const series = seriesOf(text);
    expect(series.get('configc_installations{app="people"}')).toBe(3);
    expect(series.get('configc_installations_broken{app="people"}')).toBe(1);
    expect(series.get("configc_workers")).toBe(1);
    expect(series.get('configc_look_age{app="people"}')).toBeLessThan(120);
    expect(text).not.toMatch(/customer-\d|c-\d/);
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    for (const label of labels) expect(["app", "job", "outcome", "kind", "became", "le"]).toContain(label);

    const given = new Set([...series.keys()].map(nameOf));
    const { groups } = parse(readFileSync(new URL("prometheus/alerts.yaml", deploy), "utf8")) as Rules;
    const rules = groups.flatMap(({ rules }) => rules);
    const { panels } = JSON.parse(readFileSync(new URL("grafana/dashboard.json", deploy), "utf8")) as {
      readonly panels: readonly Panel[];
    };
    const expressions = [
      ...rules.map(({ alert, expr }) => [alert, expr] as const),
      ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
    ];
    expect(expressions.length).toBeGreaterThan(15);
    for (const [where, expression] of expressions) {
      expect(used(expression), where).not.toEqual([]);
      for (const name of used(expression)) expect([...given], where).toContain(name);
    }
    for (const { alert, annotations } of rules)
      expect(annotations.description, alert).toMatch(/configc-host|\.md/);
  },
);

test.skipIf(noPostgres !== undefined)(
  "the age of what waits grows while nobody delivers it, and only then",
  async () => {
    const { worker, asked } = await working(2);
    const held = { heldUntil: Date.now() + 3_600_000 };
    await waits(worker, "customer-0", 10, held);
    // Whose connection has to be made anew can't be delivered to: that is another alarm.
    await waits(worker, "customer-1", 90, held);
    await worker.start();
    const age = async (): Promise<number | undefined> =>
      seriesOf(await asked()).get('configc_items_oldest{app="people"}');
    await expect.poll(age, { timeout: 30_000 }).toBeGreaterThan(590);
    expect(await age()).toBeLessThan(900);
  },
);
