import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type PostgresStore, postgresStore } from "@configc/engine-dbos";
import { createVault, type Mapping } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import pg from "pg";
import { main } from "../../packages/engine-dbos/src/command.ts";
import type { Postgres } from "../support/postgres.ts";
import type { SmallDisk } from "../support/small-disk.ts";
import { passTime } from "./pass.ts";
import { Alerts, ourRules } from "./promql/alerts.ts";
import { evaluate, type Point } from "./promql/evaluate.ts";
import { parsePromql } from "./promql/parse.ts";
import { Samples } from "./promql/samples.ts";
import { Shop } from "./shop.ts";
import { type ShopVersion, shopConfig } from "./shop-config.ts";
import { WorkerProcess } from "./worker-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = `${root}node_modules/.cache/configc/configc-host.mjs`;

/** Has `configc-host` made from its sources. */
export function bundleHost(): void {
  const script = "packages/engine-dbos/test/command/configc-host.ts";
  const { status, stderr } = spawnSync(process.execPath, ["scripts/ts.mjs", script], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`configc-host can't be bundled: ${stderr}`);
}

/** Delivers to the sink, which knows keys. */
const platform = `export default {
  fields: async () => [{ id: "email", title: "E-mail", required: true }],
  sync: async () => null,
  async upsert(_resource, { email }, { key, signal }) {
    const body = JSON.stringify({ key, email });
    const answer = await fetch(process.env.SINK, { method: "POST", body, signal });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error("the platform answered " + answer.status);
    return { contact_id: 1 };
  },
};`;

/** Whose account each installation has; `w1` is told of orders, the others ask. */
const INSTALLED = [
  { id: "i1", customer: "ada", workflow: "import-orders" },
  { id: "i2", customer: "ada", workflow: "import-orders" },
  { id: "i3", customer: "bob", workflow: "import-orders" },
  { id: "i4", customer: "cem", workflow: "import-orders" },
  { id: "w1", customer: "dee", workflow: "told-orders" },
] as const;

const EMAIL: Mapping = { v: 1, entries: [{ source: { id: "email" }, target: { id: "email" } }] };

const KEY = Buffer.alloc(32, 1).toString("base64");

export interface DayOptions {
  readonly postgres: Postgres;
  /** Prepared for a fleet. */
  readonly database: string;
  /** On which some of its tables lie. */
  readonly disk?: SmallDisk;
  readonly workers?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly version?: ShopVersion;
}

/** A fleet with customers, the services that they use, somebody who looks at its metrics, and an operator. */
export class Day {
  readonly postgres: Postgres;
  readonly database: string;
  readonly #disk: SmallDisk | undefined;
  readonly shop: Shop;
  client: pg.Client;
  readonly store: PostgresStore;
  readonly folder = mkdtempSync(join(tmpdir(), "configc-gameday-"));
  workers: WorkerProcess[] = [];
  /** Of the environment of workers and verbs. */
  environment: Record<string, string>;
  readonly #samples = new Samples();
  readonly #alerts = new Alerts(ourRules(), this.#samples);
  #firing: ReadonlySet<string> = new Set();
  /** Minutes that were let pass. */
  #passed = 0;
  readonly #begun = Date.now();

  private constructor(
    { postgres, database, disk }: DayOptions,
    shop: Shop,
    client: pg.Client,
    store: PostgresStore,
    port: number,
  ) {
    this.postgres = postgres;
    this.database = database;
    this.#disk = disk;
    this.shop = shop;
    this.client = client;
    this.store = store;
    this.environment = {
      DATABASE_URL: database,
      CONFIGC_KEY: KEY,
      SINK: shop.sinkUrl,
      PUBLIC_URL: `http://127.0.0.1:${port}/in`,
      CONFIGC_OPERATOR: "eve",
    };
  }

  /** All is well, and what was there has arrived. */
  static async begin(options: DayOptions): Promise<Day> {
    const shop = await Shop.open();
    const client = new pg.Client({ connectionString: options.database, application_name: "gameday" });
    client.on("error", () => undefined);
    await client.connect();
    const store = await postgresStore({ url: options.database, connections: 2 });
    const day = new Day(options, shop, client, store, await freePort());
    try {
      day.deploy(options.version);
      writeFileSync(join(day.folder, "platform.mjs"), platform);
      const settings = {
        apps: { shop: "shop.app.json" },
        platform: "platform.mjs",
        interval: 1,
        grace: 5,
        allowPrivateNetwork: true,
        ...options.settings,
      };
      writeFileSync(join(day.folder, "host.json"), JSON.stringify(settings));
      await day.#install();
      for (let n = 1; n <= (options.workers ?? 1); n++) await day.startWorker(`slot-${n}`);
      await day.until(
        "the first orders have arrived",
        () => day.missing().length === 0 && shop.hooks.size === 1,
      );
      return day;
    } catch (error) {
      await day.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const worker of this.workers) {
      worker.child.kill("SIGCONT");
      await worker.kill();
    }
    await this.store.close();
    await this.client.end().catch(() => undefined);
    await this.shop.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  // The fleet

  /** Writes the app's config; workers that start have it. */
  deploy(version: ShopVersion = {}): void {
    this.deployText(shopConfig(this.shop.origin, version));
  }

  deployText(text: string): void {
    writeFileSync(join(this.folder, "shop.app.json"), text);
  }

  /** Only the first takes webhooks at the public address, as if there were no load balancer. */
  async startWorker(slot: string, more: Readonly<Record<string, string>> = {}): Promise<WorkerProcess> {
    const first = slot === "slot-1" ? new URL(this.environment["PUBLIC_URL"] ?? "").port : "0";
    const worker = new WorkerProcess(bundle, this.folder, slot, {
      ...this.environment,
      PORT: first,
      METRICS_PORT: "0",
      ...more,
    });
    this.workers = [...this.workers.filter((one) => one.slot !== slot), worker];
    await worker.says("ready");
    // Prometheus looks every quarter of a minute: it has seen a worker before that fails.
    await this.until("the worker tells of its failures", async () =>
      ((await worker.metrics()) ?? "").includes("configc_failures_total"),
    );
    await this.scrape();
    return worker;
  }

  /** One after the other, as a deployment does it. */
  async restartWorkers(more: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const worker of this.workers) {
      await worker.end();
      await this.startWorker(worker.slot, more);
    }
  }

  /** After Postgres was away. */
  async reopen(): Promise<void> {
    this.client = new pg.Client({ connectionString: this.database, application_name: "gameday" });
    this.client.on("error", () => undefined);
    await this.client.connect();
  }

  /** The small disk that the fault asked for. */
  get disk(): SmallDisk {
    if (this.#disk === undefined) throw new Error("There is no small disk.");
    return this.#disk;
  }

  get worker(): WorkerProcess {
    const [first] = this.workers;
    if (first === undefined) throw new Error("There is no worker.");
    return first;
  }

  /** New orders: of each account, or of one. The shop tells of those that are to be told. */
  async order(times = 1, account?: string): Promise<void> {
    for (const { id } of INSTALLED)
      if (account === undefined || account === id)
        for (let n = 0; n < times; n++) {
          const order = this.shop.order(id);
          if (id === "w1") await this.shop.tell(id, order);
        }
  }

  /** Orders that haven't arrived at the platform, by their addresses. */
  missing(): readonly string[] {
    const arrived = new Set(this.shop.sunk.values());
    return [...this.shop.orders.values()]
      .flat()
      .flatMap(({ email }) => (email === null || arrived.has(email) ? [] : [email]));
  }

  /** Orders that arrived under two keys, or that are nobody's. */
  wrong(): readonly string[] {
    const all = [...this.shop.sunk.values()];
    const known = new Set([...this.shop.orders.values()].flat().map(({ email }) => email));
    return [
      ...this.shop.breaches,
      ...all
        .filter((email, index) => all.indexOf(email) !== index)
        .map((email) => `${email} came under two keys`),
      ...all.filter((email) => !known.has(email)).map((email) => `${email} was never ordered`),
    ];
  }

  /** The account is connected again, as its customer does it. */
  async reconnect(id: string): Promise<void> {
    const credential = await sealedCredential(
      createVault(Buffer.from(this.environment["CONFIGC_KEY"] ?? "", "base64")),
      `c-${id}`,
      this.shop.credential(id),
    );
    await this.store.transaction(async (transaction) => {
      const row = await transaction.get("connections", `c-${id}`);
      if (row === undefined) throw new Error(`There is no connection of ${id}.`);
      const { broken: _, renewing: __, ...rest } = row;
      await transaction.put("connections", { ...rest, credential });
    });
  }

  async #install(): Promise<void> {
    const vault = createVault(Buffer.from(KEY, "base64"));
    for (const { id, customer, workflow } of INSTALLED) {
      for (let n = 0; n < 2; n++) if (id !== "w1") this.shop.order(id);
      const connection = `c-${id}`;
      const credential = await sealedCredential(vault, connection, this.shop.credential(id));
      const settings = {
        connection,
        accountId: id,
        account: id,
        customData: {},
        mapping: EMAIL,
      };
      const now = Date.now();
      await this.store.transaction(async (transaction) => {
        await transaction.put("connections", {
          id: connection,
          app: "shop",
          auth: "acme",
          accountId: id,
          customer,
          credential,
        });
        const status = workflow === "told-orders" ? "activating" : "active";
        await transaction.put("installations", {
          id,
          app: "shop",
          workflow,
          customer,
          status,
          settings,
          connection,
          createdAt: now,
          changedAt: now,
        });
      });
    }
  }

  // Who looks at it

  /** Seconds, with those that were let pass. */
  get now(): number {
    return (Date.now() - this.#begun) / 1_000 + this.#passed * 60;
  }

  /** Asks all workers for their metrics, and looks which alerts fire. */
  async scrape(): Promise<void> {
    const at = this.now;
    for (const worker of this.workers) {
      const text = await worker.metrics();
      if (text !== undefined) this.#samples.scrape(text, worker.slot, at);
    }
    this.#firing = new Set(this.#alerts.look(at).map(({ alert }) => alert));
  }

  get firing(): readonly string[] {
    return [...this.#firing];
  }

  /** What an expression of PromQL gives now. */
  ask(expression: string): readonly Point[] {
    return evaluate(parsePromql(expression), this.#samples, this.now);
  }

  /** Has minutes pass, five at a time, as Prometheus and operators see them. */
  async pass(minutes: number): Promise<void> {
    for (let left = minutes; left > 0; left -= 5) {
      await passTime(this.client, Math.min(5, left)).catch(() => undefined);
      this.#passed += Math.min(5, left);
      await this.#looked();
      await this.scrape();
    }
  }

  /** Waits for what workers do about it: the next look, if there is anybody who looks, and a moment for what it finds. */
  async #looked(): Promise<void> {
    const end = Date.now() + 8_000;
    const sql = "SELECT FROM configc.levels WHERE at > clock_timestamp() - interval '1 minute'";
    for (; Date.now() < end; await sleep(100)) {
      const found = await this.client.query(sql).catch(() => undefined);
      if (found !== undefined && found.rows.length > 0) break;
    }
    await sleep(600);
  }

  /** Waits until something is so; time doesn't pass but by the clock. @throws Error that says what didn't come */
  async until(what: string, isSo: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
    for (const end = Date.now() + seconds * 1_000; !(await isSo()); await sleep(100))
      if (Date.now() > end) throw new Error(`Within ${seconds} s it didn't come that ${what}.`);
  }

  // The operator

  /** What `configc-host` prints. @throws Error with what it complains of */
  async host(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { status, stdout, stderr } = await this.hostStatus(args, environment);
    if (status !== 0) throw new Error(`configc-host ${args.join(" ")}: ${stderr}${stdout}`);
    return stdout;
  }

  async hostStatus(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const said = { stdout: "", stderr: "" };
    const own = { stdout: process.stdout.write, stderr: process.stderr.write };
    for (const name of ["stdout", "stderr"] as const)
      process[name].write = (text: string | Uint8Array): boolean => {
        said[name] += String(text);
        return true;
      };
    try {
      const status = await main([...args, "--config", join(this.folder, "host.json")], {
        ...this.environment,
        ...environment,
      });
      return { status, ...said };
    } finally {
      process.stdout.write = own.stdout;
      process.stderr.write = own.stderr;
    }
  }

  async hostJson<R>(...args: readonly string[]): Promise<R> {
    return JSON.parse(await this.host([...args, "--json"])) as R;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
