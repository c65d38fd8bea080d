// A service that the crash test ends at any point. Without arguments it does nothing: it has only been bundled.
import { once } from "node:events";
import { createServer } from "node:http";
import { createHost, type Host } from "@configc/host";
import { type Connection, type Installation, sealedCredential } from "@configc/runtime";
import { peopleApp } from "../api/config.ts";

export interface WorkerArguments {
  readonly directory: string;
  /** Of the third party. */
  readonly origin: string;
  /** Where this one listens. */
  readonly port: number;
  readonly token: string;
}

const KEY = new Uint8Array(32).fill(7);

/** Both installations, unless they are there already. */
async function install(host: Host, token: string): Promise<void> {
  const credential = await sealedCredential(host.vault, "c1", { access_token: token });
  await host.store.transaction(async (transaction) => {
    if ((await transaction.get("connections", "c1")) !== undefined) return;
    const connection: Connection = { id: "c1", app: "people", auth: "people", accountId: "c-1", credential };
    await transaction.put("connections", connection);
    for (const [id, workflow] of [
      ["poll", "import-people"],
      ["hook", "receive-people"],
    ] as const) {
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

async function finish(host: Host): Promise<void> {
  // SQLite answers at once: without a pause nothing else would ever have its turn.
  for (; !(await isDone(host)); await host.idle()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function main({ directory, origin, port, token }: WorkerArguments): Promise<void> {
  const host = await createHost({
    apps: { people: peopleApp(origin) },
    directory,
    key: KEY,
    publicUrl: `http://127.0.0.1:${port}/in`,
    allowPrivateNetwork: true,
    schedule: { interval: 1 },
    report: () => undefined,
  });
  const server = createServer((request, response) => void host.handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  process.stdout.write("ready\n");
  await install(host, token);
  for (const id of ["poll", "hook"]) await host.runtime("people")?.activate(id);
  await host.start();
  await finish(host);
  process.stdout.write("done\n");
  // Events have come until now.
  await once(process.stdin, "data");
  await finish(host);
  process.stdout.write("settled\n");
}

const [given] = process.argv.slice(2);
if (given !== undefined) await main(JSON.parse(given) as WorkerArguments);
