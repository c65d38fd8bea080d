// A worker of the fleet that the chaos test kills. Without arguments it does nothing: it has only been bundled.
import { createFleetWorker, migrateFleet } from "@configc/engine-dbos";
import type { Json, Platform } from "@configc/runtime";
import { chaosApp, KEY, type WorkerArguments } from "./app.ts";
import { neighbourApp } from "./neighbour.ts";

/** Delivers to a sink that keeps each key once. */
function sink(origin: string): Platform {
  return {
    fields: async () => [],
    sync: async () => null,
    async upsert(_resource, item, { key, signal }): Promise<Json> {
      const body = JSON.stringify({ key, item: item["id"] });
      const answer = await fetch(`${origin}/sink`, { method: "POST", body, signal });
      await answer.arrayBuffer();
      return { contact_id: 1 };
    },
  };
}

/** Sets the clock of the whole process: the engine's, ours and what they give to others. */
function setClock(ahead: number): void {
  const Real = Date;
  const now = (): number => Real.now() + ahead;
  globalThis.Date = new Proxy(Real, {
    construct: (_, given) => Reflect.construct(Real, given.length === 0 ? [now()] : given),
    get: (real, name) => (name === "now" ? now : Reflect.get(real, name)),
  });
}

async function main({ database, origin, beside, slot, ahead }: WorkerArguments): Promise<void> {
  setClock(ahead);
  const worker = await createFleetWorker({
    database,
    slot,
    apps: { chaos: chaosApp(origin), beside: neighbourApp(beside) },
    key: KEY,
    effects: { platform: sink(origin) },
    allowPrivateNetwork: true,
    schedule: { interval: 1, parallel: 16 },
    connections: 24,
    report: ({ app, installation, error }) => {
      if (error !== undefined && app === "chaos") process.stderr.write(`${slot} ${installation}: ${error}\n`);
    },
    log: {
      info() {},
      debug() {},
      warn: (text) => void process.stderr.write(`${slot} engine: ${text}\n`),
      error: (text) => void process.stderr.write(`${slot} engine: ${text}\n`),
    },
    onTakeOver: (from, runs) => process.stdout.write(`${slot} took ${runs} runs of ${from}\n`),
  });
  process.once("SIGTERM", () => void worker.close().finally(() => process.exit(0)));
  await worker.start();
  process.stdout.write("ready\n");
}

const [given, database] = process.argv.slice(2);
if (given === "migrate") await migrateFleet(database ?? "");
else if (given !== undefined) await main(JSON.parse(given) as WorkerArguments);
