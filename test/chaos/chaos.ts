import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { migrateFleet, postgresStore } from "@configc/engine-dbos";
import { createVault, sealedCredential } from "@configc/runtime";
import { startPostgres } from "../support/postgres.ts";
import { KEY, type WorkerArguments } from "./app.ts";
import { Source } from "./source.ts";
import { type Outcome, problemsOf } from "./verify.ts";

export interface ChaosOptions {
  readonly workers: number;
  readonly installations: number;
  /** Seconds of disorder; after it the fleet may finish. */
  readonly seconds: number;
  /** Seconds between two strokes, on average. */
  readonly every: number;
  readonly seed: number;
  readonly progress?: (text: string) => void;
}

export interface ChaosReport extends Outcome {
  readonly kills: number;
  readonly restarts: number;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Kills workers of a fleet and restarts its Postgres at random, while installations poll a list that grows; then lets it finish, and
 * compares what the sink has got with the list, the cycles with the clock, and the requests with limits and tokens.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { installations, seconds, every, progress = () => undefined } = options;
  bundleWorker();
  const random = randomOf(options.seed);
  const postgres = await startPostgres();
  const source = await Source.start();
  const fleet: Fleet = { workers: new Map(), said: [] };
  try {
    const database = await postgres.createDatabase();
    await migrateFleet(database);
    const store = await postgresStore({ url: database, patience: 60_000 });
    const installed = Date.now();
    await install(store, source, installations);
    for (let slot = 0; slot < options.workers; slot++)
      startWorker(fleet, { database, origin: source.origin, slot: `slot-${slot}` });
    progress("workers started");

    let kills = 0;
    let restarts = 0;
    for (const end = Date.now() + seconds * 1_000; Date.now() < end; ) {
      await sleep(every * 1_000 * (0.5 + random()));
      if (random() < 0.2) {
        await (random() < 0.5 ? postgres.kill() : Promise.resolve());
        await postgres.restart();
        restarts++;
        progress("postgres restarted");
        continue;
      }
      const slot = `slot-${Math.floor(random() * options.workers)}`;
      // Half of them come back at once; the others' runs are taken over.
      const back = random() < 0.5 ? 0 : 15_000;
      const worker = fleet.workers.get(slot);
      if (!isAlive(worker)) continue;
      worker.kill("SIGKILL");
      kills++;
      progress(`${slot} killed`);
      setTimeout(() => {
        if (!fleet.closed) startWorker(fleet, { database, origin: source.origin, slot });
      }, back).unref();
    }
    source.stop();
    progress("quiet");
    const outcome = await problemsOf({ store, source, installations, installed, patience: 60_000, progress });
    await store.close();
    const problems = outcome.problems.length === 0 ? [] : [...outcome.problems, ...fleet.said.slice(-40)];
    return { ...outcome, problems, kills, restarts };
  } finally {
    fleet.closed = true;
    for (const worker of fleet.workers.values()) worker.kill("SIGKILL");
    await source.close();
    await postgres.stop();
  }
}

interface Fleet {
  readonly workers: Map<string, ChildProcess>;
  /** What workers complained of. */
  readonly said: string[];
  closed?: boolean;
}

/** One that isn't back yet can't be killed again: it would come back twice. */
function isAlive(worker: ChildProcess | undefined): worker is ChildProcess {
  return worker !== undefined && worker.exitCode === null && worker.signalCode === null;
}

function bundleWorker(): void {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/ts.mjs", "test/chaos/chaos-worker.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The worker can't be bundled: ${stderr}`);
}

function startWorker(fleet: Fleet, given: WorkerArguments): void {
  const bundle = `${root}node_modules/.cache/configc/chaos-worker.mjs`;
  const child = spawn(process.execPath, [bundle, JSON.stringify(given)], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text: Buffer) => {
      fleet.said.push(...`${text}`.trim().split("\n"));
      if (fleet.said.length > 2_000) fleet.said.splice(0, 1_000);
    });
  child.on("exit", (status) => {
    if (status === null || fleet.closed) return;
    fleet.said.push(`${given.slot} ended by itself with ${status}`);
    // As an orchestrator would.
    setTimeout(() => {
      if (!fleet.closed && fleet.workers.get(given.slot) === child) startWorker(fleet, given);
    }, 500).unref();
  });
  fleet.workers.set(given.slot, child);
}

type FleetStore = Awaited<ReturnType<typeof postgresStore>>;

async function install(store: FleetStore, source: Source, installations: number): Promise<void> {
  const vault = createVault(KEY);
  for (let number = 0; number < installations; number++) {
    const [id, connection] = [`i${number}`, `c${number}`];
    const credential = await sealedCredential(vault, connection, source.expiredToken(connection));
    await store.transaction(async (transaction) => {
      await transaction.put("connections", { id: connection, app: "chaos", auth: "source", credential });
      await transaction.put("installations", {
        id,
        app: "chaos",
        workflow: "import",
        status: "active",
        connection,
        settings: { connection, customData: { installation: { value: id } } },
        createdAt: 1,
        changedAt: 1,
      });
    });
  }
}

/** Mulberry32: the same strokes for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
