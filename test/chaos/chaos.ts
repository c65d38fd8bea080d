import { setTimeout as sleep } from "node:timers/promises";
import { migrateFleet, postgresStore } from "@configc/engine-dbos";
import { createVault } from "@configc/runtime";
import { sealedCredential } from "@configc/runtime/internal";
import { startPostgres } from "../support/postgres.ts";
import { KEY } from "./app.ts";
import { bundleWorkers, Fleet } from "./fleet.ts";
import { Neighbour } from "./neighbour.ts";
import { Source } from "./source.ts";
import { calm, deckOf, type StrokeName, type Struck, strike, upgrade } from "./strokes.ts";
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
  /** How often each was done. */
  readonly strokes: Readonly<Partial<Record<StrokeName, number>>>;
  /** Requests to the service of the app beside, while it never answered and while it was slow. */
  readonly beside: Neighbour["asked"];
}

/**
 * Strikes a fleet at random while installations poll a list that grows: workers are killed and stand still, Postgres is restarted, restored
 * from a back-up and replaced by a standby that is behind, all workers are away until everything is due, the third party is silent or slow; that of another app is dead for the first
 * half of the time, and slow for the second. Clocks are apart, and in the middle the schema and then
 * each worker are replaced by those of a next version. Then it lets the fleet finish, and compares what the sink has got with the list, the cycles with the clock, and the requests with limits and tokens.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { installations, seconds, every, workers, progress = () => undefined } = options;
  bundleWorkers();
  const random = randomOf(options.seed);
  const postgres = await startPostgres();
  const [source, neighbour] = await Promise.all([Source.start(), Neighbour.start()]);
  let fleet: Fleet | undefined;
  try {
    const database = await postgres.createDatabase();
    await migrateFleet(database);
    const store = await postgresStore({ url: database, patience: 60_000 });
    const installed = Date.now();
    await install(store, source, installations);
    await installBeside(store, Math.ceil(installations / 3));
    fleet = new Fleet(workers, { database, origin: source.origin, beside: neighbour.origin });
    fleet.startAll();
    progress("workers started");

    const struck: Struck = { fleet, postgres, source, random, progress, deck: deckOf(random) };
    const strokes: Partial<Record<StrokeName, number>> = {};
    for (const end = Date.now() + seconds * 1_000; Date.now() < end; ) {
      await sleep(every * 1_000 * (0.5 + random()));
      if (!fleet.isUpgraded && end - Date.now() < seconds * 500) {
        neighbour.mood = "slow";
        await upgrade(struck);
      }
      const done = await strike(struck);
      if (done !== undefined) strokes[done] = (strokes[done] ?? 0) + 1;
    }
    await calm(struck);
    source.stop();
    progress("quiet");
    const outcome = await problemsOf({
      store,
      source,
      installations,
      installed,
      patience: 120_000,
      progress,
    });
    await store.close();
    const problems = outcome.problems.length === 0 ? [] : [...outcome.problems, ...fleet.said.slice(-40)];
    return { ...outcome, problems, strokes, beside: neighbour.asked };
  } finally {
    fleet?.close();
    await Promise.all([source.close(), neighbour.close()]);
    await postgres.stop();
  }
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

async function installBeside(store: FleetStore, installations: number): Promise<void> {
  await store.transaction(async (transaction) => {
    for (let number = 0; number < installations; number++)
      await transaction.put("installations", {
        id: `beside${number}`,
        app: "beside",
        workflow: "import",
        status: "active",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      });
  });
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
