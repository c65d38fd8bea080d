// A service that the crash test ends at any point. Without arguments it does nothing: it has only been bundled.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { EmbeddedEngine, type Host, sqliteStore } from "@configc/host";
import { hostOn } from "@configc/host/internal";
import { type Connection, createVault, type Installation } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import { systemClock } from "../../packages/host/src/effects.ts";
import { nodeHttp } from "../../packages/host/src/http/index.ts";
import { embeddedPlatform, sqliteItems } from "../../packages/host/src/platform/index.ts";
import { Announcer, type Target } from "./announce.ts";
import { crashApp } from "./crash-app.ts";

/** What the third party issued. */
export interface Issued {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface WorkerArguments {
  readonly directory: string;
  /** Of the third party. */
  readonly origin: string;
  /** Where this one listens. */
  readonly port: number;
  readonly issued: Issued;
  /** How many contacts the platform hands over. */
  readonly contacts: number;
  readonly target?: Target;
}

const KEY = new Uint8Array(32).fill(7);

const installed = [
  ["poll", "import-people"],
  ["hook", "receive-people"],
  ["send", "send-people"],
  ["gone", "watch-removed"],
] as const;

/** The access token is used up, so that a process begins with a renewal. */
function credentialOf(host: Host, issued: Issued): Promise<string> {
  return sealedCredential(host.vault, "c1", { ...issued, expires_at: 1 });
}

/** All installations, unless they are there already. */
async function install(host: Host, issued: Issued): Promise<void> {
  const credential = await credentialOf(host, issued);
  await host.store.transaction(async (transaction) => {
    if ((await transaction.get("connections", "c1")) !== undefined) return;
    const connection: Connection = { id: "c1", app: "people", auth: "people", accountId: "c-1", credential };
    await transaction.put("connections", connection);
    for (const [id, workflow] of installed) {
      const installation: Installation = {
        id,
        app: "people",
        workflow,
        status: "paused",
        connection: "c1",
        settings: { connection: "c1", accountId: "c-1", customData: { person: { value: "1" } } },
        createdAt: Date.now(),
        changedAt: Date.now(),
      };
      await transaction.put("installations", installation);
    }
  });
}

async function isDone({ store }: Host): Promise<boolean> {
  return await store.transaction(async (transaction) => {
    const [poll, hook] = [
      await transaction.list("polling", { installation: "poll" }),
      await transaction.list("polling", { installation: "hook" }),
    ].map(([record]) => record);
    const waiting = await transaction.count("deliveries", { app: "people", status: "waiting" });
    return poll?.endedAt !== undefined && poll.phase === "idle" && hook?.done === true && waiting === 0;
  });
}

/** The customer's part where a renewal was lost with the process (E13): connecting again. */
class Customer {
  readonly #host: Host;
  readonly #lines: AsyncIterator<string>;

  constructor(host: Host, lines: AsyncIterator<string>) {
    this.#host = host;
    this.#lines = lines;
  }

  async look(): Promise<void> {
    const { store } = this.#host;
    const broken = async (): Promise<boolean> =>
      await store.transaction(async (all) => (await all.get("connections", "c1"))?.broken !== undefined);
    if (!(await broken())) return;
    process.stdout.write("broken\n");
    const { value } = await this.#lines.next();
    const credential = await credentialOf(this.#host, JSON.parse(String(value)) as Issued);
    await store.transaction(async (transaction) => {
      const { broken: _, ...row } = (await transaction.get("connections", "c1"))!;
      await transaction.put("connections", { ...row, credential });
    });
  }

  /** Until it works: what fails was told to the customer, who connected again. */
  async persist(work: () => Promise<unknown>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return void (await work());
      } catch (error) {
        if (tries === 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
        await this.look();
      }
    }
  }
}

async function finish(host: Host, customer: Customer): Promise<void> {
  for (; !(await isDone(host)); await host.idle()) {
    await customer.look();
    // SQLite answers at once: without a pause nothing else would ever have its turn.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The mapping is changed once, which the third party is told of; one that is under way is taken up by the host itself. */
async function update(host: Host, customer: Customer): Promise<void> {
  await host.store.transaction(async (transaction) => {
    const row = (await transaction.get("installations", "hook"))!;
    if (row.revision !== undefined || row.draft !== undefined) return;
    const entries = ["email", "name"].map((id) => ({ source: { id }, target: { id } }));
    const settings = { ...row.settings!, mapping: { v: 1, entries } as const };
    await transaction.put("installations", { ...row, draft: { step: "ready", settings } });
  });
  await customer.persist(() => host.runtime("people")!.activate("hook"));
}

async function serve(announcer: Announcer, { directory, origin, port }: WorkerArguments): Promise<Host> {
  const items = await sqliteItems(`${directory}/platform.db`);
  const http = nodeHttp({ allowPrivateNetwork: true });
  const host = await hostOn(
    {
      store: announcer.store(await sqliteStore(`${directory}/state.db`)),
      vault: createVault(KEY),
      engine: new EmbeddedEngine(systemClock),
      close: async () => items.close(),
    },
    {
      apps: { people: crashApp(origin) },
      publicUrl: `http://127.0.0.1:${port}/in`,
      schedule: { interval: 1 },
      report: () => undefined,
      effects: { http: announcer.http(http), platform: announcer.platform(embeddedPlatform({ items })) },
    },
  );
  const server = createServer((request, response) => void host.handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return host;
}

async function main(given: WorkerArguments): Promise<void> {
  const announcer = new Announcer(given.target);
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const host = await serve(announcer, given);
  const runtime = host.runtime("people")!;
  const customer = new Customer(host, lines);
  process.stdout.write("ready\n");
  await install(host, given.issued);
  await customer.look();
  const status = async (id: string): Promise<string> =>
    (await host.store.transaction((transaction) => transaction.get("installations", id)))!.status;
  for (const [id] of installed)
    if (["paused", "activating"].includes(await status(id)))
      await customer.persist(() => runtime.activate(id));
  await host.start();
  await finish(host, customer);
  // The platform hands each contact over until it was told that it is kept.
  for (let number = 1; number <= given.contacts; number++) {
    const contact = { email: `contact${number}@example.com`, first_name: `C ${number}` };
    await customer.persist(() => runtime.send("send", contact, { key: `${number}` }));
  }
  await update(host, customer);
  await customer.persist(() => runtime.remove("gone"));
  process.stdout.write(`counts ${JSON.stringify(announcer.counts)}\ndone\n`);
  // Events have come until now.
  await lines.next();
  await finish(host, customer);
  process.stdout.write("settled\n");
}

const [given] = process.argv.slice(2);
if (given !== undefined) await main(JSON.parse(given) as WorkerArguments);
