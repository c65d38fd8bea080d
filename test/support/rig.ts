import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "@configc/compiler";
import {
  createHost,
  embeddedPlatform,
  type Host,
  type Item,
  itemsInMemory,
  type JobReport,
  type NodeHttp,
  systemRandom,
} from "@configc/host";
import type { Delivery, LogEntry, Runtime } from "@configc/runtime";
import { type ThirdParty, ThirdPartyServer } from "../api/third-party.ts";
import { publicHttp } from "./public-http.ts";
import { StoryClock } from "./story-clock.ts";

/** What a request takes, on the clock of the rig: tokens run out in the middle of a cycle. */
const REQUEST_TIME = 50;
/** The host's name for whichever app it has. */
export const APP = "example";

/** An app, unmodified, on a real host, with the third party that it is made for on loopback. Both go by one clock. */
export class Rig<P extends ThirdParty> {
  readonly clock: StoryClock;
  readonly server: ThirdPartyServer<P>;
  readonly app: App;
  readonly log: LogEntry[] = [];
  readonly reports: JobReport[] = [];
  /** The customers' one. */
  readonly browser: NodeHttp;
  host!: Host;
  readonly #http: NodeHttp;
  readonly #items = itemsInMemory();
  readonly #directory = mkdtempSync(join(tmpdir(), "configc-story-"));
  readonly #webhooks: Server;

  protected constructor(app: App, server: ThirdPartyServer<P>, clock: StoryClock) {
    this.app = app;
    this.server = server;
    this.clock = clock;
    this.#webhooks = createServer((request, response) => void this.host.handle(request, response));
    this.#http = publicHttp(server.origin);
    this.browser = publicHttp(server.origin);
    server.arrived = () => clock.advance(REQUEST_TIME);
  }

  /** @param party the third party, which goes by the clock that it is given */
  static async serve<P extends ThirdParty>(app: App, party: (now: () => number) => P): Promise<Rig<P>> {
    const { server, clock } = await Rig.thirdParty(party);
    return await new Rig(app, server, clock).open();
  }

  protected static async thirdParty<P extends ThirdParty>(party: (now: () => number) => P) {
    const clock = new StoryClock();
    return { clock, server: await ThirdPartyServer.start(party(clock.now), { now: clock.now }) };
  }

  protected async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#webhooks.listen(0, "127.0.0.1", resolve));
    this.host = await this.#createHost();
    return this;
  }

  get party(): P {
    return this.server.party;
  }

  get runtime(): Runtime {
    const runtime = this.host.runtime(APP);
    if (runtime === undefined) throw new Error("The host has lost the app.");
    return runtime;
  }

  /** What the platform has, as people see it. */
  kept(resource: string): { readonly fields: Item["fields"]; readonly tags: readonly string[] }[] {
    return this.#items.list(resource).map(({ fields, tags }) => ({ fields, tags }));
  }

  contacts(): Item["fields"][] {
    return this.kept("Contact").map(({ fields }) => fields);
  }

  /** What customers do; a kind of rig that disturbs requests tries it again, as people do. */
  async again<R>(work: () => Promise<R>): Promise<R> {
    return await work();
  }

  /** Lets the host do what is due, as a new process. @returns what it did */
  async look(): Promise<readonly JobReport[]> {
    const { length: before } = this.reports;
    await this.host.close();
    this.host = await this.#createHost();
    await this.host.start();
    await this.host.idle();
    return this.reports.slice(before);
  }

  async deliveries(status: Delivery["status"]): Promise<readonly Delivery[]> {
    return await this.host.store.transaction((transaction) =>
      transaction.list("deliveries", { app: APP, status }),
    );
  }

  /** Items that failed, and why. */
  async failures(): Promise<string[]> {
    return (await this.deliveries("failed")).map(({ failure }) => failure?.message ?? "");
  }

  #createHost(): Promise<Host> {
    const { port } = this.#webhooks.address() as AddressInfo;
    return createHost({
      apps: { [APP]: this.app },
      directory: this.#directory,
      key: new Uint8Array(32).fill(7),
      publicUrl: `http://127.0.0.1:${port}/in`,
      schedule: { interval: 3_600 },
      report: (report) => void this.reports.push(report),
      effects: {
        clock: this.clock,
        http: this.#http,
        platform: embeddedPlatform({ items: this.#items }),
        // Without jitter, so that a seed always gives the same story.
        random: { ...systemRandom, next: () => 0.5 },
        log: { write: (entry) => void this.log.push(entry) },
      },
    });
  }

  async close(): Promise<void> {
    await this.host.close();
    this.#webhooks.closeAllConnections();
    this.#webhooks.close();
    await this.#http.close();
    await this.browser.close();
    await this.server.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
