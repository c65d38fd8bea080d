import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type App, compile } from "@configc/compiler";
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
import type { CycleResult, Delivery, Json, LogEntry, Runtime } from "@configc/runtime";
import { expect, onTestFinished } from "vitest";
import { type ThirdParty, ThirdPartyServer } from "../../api/third-party.ts";
import { StoryClock } from "./clock.ts";
import { publicHttp } from "./public-http.ts";
import { Trouble } from "./trouble.ts";

const HALF_HOUR = 1_800_000;
/** What a request takes, on the clock of the story: tokens run out in the middle of a cycle. */
const REQUEST_TIME = 50;
/** The host's name for whichever app it has. */
export const APP = "example";
/** More cycles than any story takes. */
const MOST_CYCLES = 60;

export interface StoryOptions<P> {
  /** Name of the example. */
  readonly example: string;
  readonly party: (now: () => number) => P;
  /** What an upload puts in the place of placeholders. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Has requests fail at random, if it is given. */
  readonly seed?: number | undefined;
}

/** An example, unmodified, on a real host, with the third party that it is made for, and customers who use it. */
export class Story<P extends ThirdParty> {
  readonly clock: StoryClock;
  readonly server: ThirdPartyServer<P>;
  readonly app: App;
  readonly log: LogEntry[] = [];
  readonly reports: JobReport[] = [];
  readonly trouble: Trouble;
  /** The customers' one. */
  readonly browser: NodeHttp;
  host!: Host;
  readonly #http: NodeHttp;
  readonly #items = itemsInMemory();
  readonly #directory = mkdtempSync(join(tmpdir(), "configc-story-"));
  readonly #webhooks: Server;

  private constructor(
    options: StoryOptions<P>,
    server: ThirdPartyServer<P>,
    clock: StoryClock,
    webhooks: Server,
  ) {
    this.server = server;
    this.clock = clock;
    this.#webhooks = webhooks;
    this.app = exampleApp(options);
    this.#http = publicHttp(server.origin);
    this.browser = publicHttp(server.origin);
    this.trouble = new Trouble(server, options.seed);
    server.arrived = () => clock.advance(REQUEST_TIME);
  }

  static async begin<P extends ThirdParty>(options: StoryOptions<P>): Promise<Story<P>> {
    const clock = new StoryClock();
    const server = await ThirdPartyServer.start(options.party(clock.now), { now: clock.now });
    const webhooks = createServer((request, response) => void story.host.handle(request, response));
    await new Promise<void>((resolve) => webhooks.listen(0, "127.0.0.1", resolve));
    const story = new Story(options, server, clock, webhooks);
    story.host = await story.#open();
    onTestFinished(() => story.#close());
    return story;
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

  /** Does something until it works, as people do; where nothing is disturbed, it has to work at once. */
  async again<R>(work: () => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!this.trouble.isOn || tries === 10) throw error;
        this.clock.advance(60_000);
      }
    }
  }

  /**
   * Lets the host work, half an hour after half an hour and each time as a new process, until nothing is left to do. What failed is
   * tried again, as an operator would.
   *
   * @returns the cycles of all polls, in order
   */
  async work(): Promise<CycleResult[]> {
    const cycles: CycleResult[] = [];
    for (let looks = 0; ; looks++) {
      const [failed, waiting] = [await this.#deliveries("failed"), await this.#deliveries("waiting")];
      if (!this.trouble.isOn) expect(failed.map(({ failure }) => failure)).toEqual([]);
      const { length: before } = this.reports;
      for (const { id } of failed) await this.runtime.retry(id).catch(() => undefined);
      await this.host.close();
      this.host = await this.#open();
      await this.host.start();
      await this.host.idle();
      const reports = this.reports.slice(before);
      if (!this.trouble.isOn) expect(reports.filter(({ error }) => error !== undefined)).toEqual([]);
      const polls = reports.filter(({ job }) => job === "poll").flatMap(({ result }) => result ?? []);
      cycles.push(...(polls as CycleResult[]));
      this.clock.advance(HALF_HOUR);
      const isDone =
        failed.length + waiting.length === 0 &&
        reports.every(({ error }) => error === undefined) &&
        (polls as CycleResult[]).every(({ reason }) => !reason.startsWith("max-"));
      if (isDone) break;
      expect(looks, "cycles").toBeLessThan(MOST_CYCLES);
    }
    return cycles;
  }

  /** Hands a contact to an outbound workflow, as the platform does: again under the same key if it doesn't know whether it arrived. */
  async send(installation: string, contact: Json, key = JSON.stringify(contact)): Promise<void> {
    const counts = await this.again(() => this.runtime.send(installation, contact, { key }));
    if (!this.trouble.isOn) expect(counts).toMatchObject({ failed: 0 });
  }

  /** Items that failed, and why. */
  async failures(): Promise<string[]> {
    return (await this.#deliveries("failed")).map(({ failure }) => failure?.message ?? "");
  }

  /** Nothing was asked of the third party that it doesn't know, and no item failed. */
  async isInOrder(): Promise<void> {
    this.trouble.wasMet();
    expect(this.server.surprises).toEqual([]);
    expect(await this.failures()).toEqual([]);
  }

  async #deliveries(status: Delivery["status"]): Promise<readonly Delivery[]> {
    return await this.host.store.transaction((transaction) =>
      transaction.list("deliveries", { app: APP, status }),
    );
  }

  #open(): Promise<Host> {
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

  async #close(): Promise<void> {
    await this.host.close();
    this.#webhooks.closeAllConnections();
    this.#webhooks.close();
    await this.#http.close();
    await this.browser.close();
    await this.server.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

function exampleApp({
  example,
  placeholders = {},
}: Pick<StoryOptions<ThirdParty>, "example" | "placeholders">): App {
  const folder = join(examples, example);
  const file = readdirSync(folder).find((name) => /\.app\.jsonc?$/.test(name));
  if (file === undefined) throw new Error(`There is no app in ${folder}.`);
  let text = readFileSync(join(folder, file), "utf8");
  for (const [name, value] of Object.entries(placeholders)) text = text.replaceAll(`<${name}>`, value);
  const { app, diagnostics } = compile(text, { uri: file });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return app;
}
