import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compile } from "@configc/compiler";
import { addConnection, createHost, type Host, type JobReport, stateOf } from "@configc/host";
import type { Platform } from "@configc/runtime";
import { SmallDisk } from "../support/small-disk.ts";
import { Shop } from "./shop.ts";
import { shopConfig } from "./shop-config.ts";

/** Megabytes: what a host of some installations keeps needs a tenth of them. */
const DISK = 8;
const APP = "shop";
const POLLED = ["i1", "i2"] as const;
const TOLD = "w1";

/** A host of one process with customers, whose files lie on a small disk of their own. */
export class EmbeddedDay {
  readonly shop: Shop;
  readonly disk: SmallDisk;
  /** What it told its owner that failed, in words. */
  readonly reported: string[] = [];
  #host: Host | undefined;
  readonly #webhooks: Server;

  private constructor(shop: Shop, disk: SmallDisk) {
    this.shop = shop;
    this.disk = disk;
    this.#webhooks = createServer((request, response) => void this.#host?.handle(request, response));
  }

  /** All is well, and what was there has arrived. */
  static async begin(folder: string): Promise<EmbeddedDay> {
    const day = new EmbeddedDay(await Shop.open(), SmallDisk.mount(folder, DISK));
    try {
      await new Promise<void>((resolve) => day.#webhooks.listen(0, "127.0.0.1", resolve));
      await day.start();
      for (const id of [...POLLED, TOLD]) await day.#install(id);
      await day.poll();
      await day.until(
        "the webhook is registered",
        async () => (await stateOf(day.host.store, APP)).active === 3,
      );
      await day.until("the first orders have arrived", () => day.missing().length === 0);
      return day;
    } catch (error) {
      await day.close();
      throw error;
    }
  }

  get host(): Host {
    if (this.#host === undefined) throw new Error("No host runs.");
    return this.#host;
  }

  async start(): Promise<void> {
    this.#host = await createHost({
      directory: join(this.disk.folder, "state"),
      key: new Uint8Array(32).fill(1),
      apps: { [APP]: compile(shopConfig(this.shop.origin)).app },
      effects: { platform: this.#platform() },
      publicUrl: `http://127.0.0.1:${(this.#webhooks.address() as AddressInfo).port}/in`,
      allowPrivateNetwork: true,
      schedule: { interval: 1 },
      report: (report) => this.#report(report),
    });
    await this.#host.start();
  }

  async end(): Promise<void> {
    await this.#host?.close(0);
    this.#host = undefined;
  }

  async close(): Promise<void> {
    await this.end();
    this.#webhooks.closeAllConnections();
    await new Promise((resolve) => this.#webhooks.close(resolve));
    await this.shop.close();
    this.disk.unmount();
  }

  /** Has a cycle of each installation run. */
  async poll(): Promise<void> {
    for (const id of POLLED) await this.host.retry(APP, id);
  }

  /** @returns how the host answered to what it was told */
  async order(times: number): Promise<readonly number[]> {
    const answers: number[] = [];
    for (let n = 0; n < times; n++) {
      for (const id of POLLED) this.shop.order(id);
      answers.push(...(await this.shop.tell(TOLD, this.shop.order(TOLD))));
    }
    return answers;
  }

  /** The shop tells once more of all that it had told. */
  async tellAgain(): Promise<void> {
    for (const order of this.shop.orders.get(TOLD) ?? []) await this.shop.tell(TOLD, order);
  }

  missing(): readonly string[] {
    const arrived = new Set(this.shop.sunk.values());
    return [...this.shop.orders.values()]
      .flat()
      .flatMap(({ email }) => (email === null || arrived.has(email) ? [] : [email]));
  }

  /** Orders of those that are polled that arrived under two keys; what the shop tells twice has two numbers. */
  doubled(): readonly string[] {
    const all = [...this.shop.sunk.values()].filter((email) => !email.startsWith(TOLD));
    return [...this.shop.breaches, ...all.filter((email, index) => all.indexOf(email) !== index)];
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
    for (const end = Date.now() + seconds * 1_000; !(await isSo()); await sleep(100))
      if (Date.now() > end)
        throw new Error(
          `Within ${seconds} s it didn't come that ${what}. ${this.reported.slice(-5).join("\n")}`,
        );
  }

  async #install(id: string): Promise<void> {
    const credential = this.shop.credential(id);
    const connection = await addConnection(this.host, { app: APP, auth: "acme", credential });
    if (id !== TOLD) this.shop.order(id);
    await this.host.store.transaction((transaction) =>
      transaction.put("installations", {
        id,
        app: APP,
        workflow: id === TOLD ? "told-orders" : "import-orders",
        status: id === TOLD ? "activating" : "active",
        settings: {
          connection,
          accountId: id,
          account: id,
          customData: {},
          mapping: { v: 1, entries: [{ source: { id: "email" }, target: { id: "email" } }] },
        },
        connection,
        createdAt: 1,
        changedAt: 1,
      }),
    );
  }

  #report({ installation, job, error }: JobReport): void {
    if (error !== undefined) this.reported.push(`${installation} ${job}: ${String(error)}`);
  }

  #platform(): Platform {
    const { sinkUrl } = this.shop;
    return {
      fields: async () => [{ id: "email", title: "E-mail", required: true }],
      sync: async () => null,
      async upsert(_resource, { email }, { key, signal }) {
        const answer = await fetch(sinkUrl, { method: "POST", body: JSON.stringify({ key, email }), signal });
        if (!answer.ok) throw new Error(`the platform answered ${answer.status}`);
        return { contact_id: 1 };
      },
    };
  }
}
