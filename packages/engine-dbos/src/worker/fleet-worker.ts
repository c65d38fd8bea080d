import { type Host, type HostingOptions, systemClock } from "@configc/host";
import { hostOn } from "@configc/host/internal";
import { type Clock, createVault, type Effects } from "@configc/runtime";
import { DbosEngine } from "../engine/dbos-engine.ts";
import type { EngineLog } from "../engine/engine-log.ts";
import { Database } from "../postgres/database.ts";
import { Runs } from "../runs/runs.ts";
import { type PostgresStore, postgresStore } from "../store/index.ts";
import { pruneStories, tellingOf } from "../stories/index.ts";
import { candidatesIn } from "./candidates.ts";
import { circuitsIn } from "./circuits.ts";
import type { FleetLevel } from "./fleet-level.ts";
import { checkKey } from "./key-check.ts";
import { Levels } from "./levels.ts";
import { Slot } from "./slots.ts";
import { pruneVersions, publishedVersions } from "./versions.ts";

/** What `createFleetWorker` takes. */
export interface FleetOptions extends HostingOptions {
  /** `postgres://…`, prepared by `migrateFleet` or `configc-host migrate`. */
  readonly database: string;
  /** Where the database's messages can be listened to, if `database` is that of a pooler. */
  readonly listenUrl?: string;
  /** 32 random bytes that seal tokens in the database: the same for all workers. */
  readonly key: Uint8Array;
  /** Keys that were in use before: they still open what they sealed. */
  readonly oldKeys?: readonly Uint8Array[];
  /** The platform at least: the embedded one would be another for each worker. */
  readonly effects: Partial<Effects> & Pick<Effects, "platform">;
  /**
   * Name of the worker's place in the fleet, such as the ordinal of a pod: a process that starts in the place of one that died
   * takes up its runs at once. Default: a name that nobody has; runs are taken over by others after some seconds.
   */
  readonly slot?: string;
  /** False: webhooks are taken and jobs are enqueued, but others do them. Default true. */
  readonly works?: boolean;
  /** Milliseconds between two looks at the queue. Default 200. */
  readonly queueInterval?: number;
  /** Milliseconds without a sign of life after which a worker's runs are taken over; the same for all. Default 12,000. */
  readonly silence?: number;
  /** Milliseconds for which runs are kept that found nothing to do. Default 60,000. */
  readonly keepIdle?: number;
  /** Days for which all other runs are kept, with their steps. Default 1. */
  readonly runDays?: number;
  /**
   * Which runs are told with their requests and states, sealed, for `runDays` (E203): `all` that found something to do, those that `failed`, or `none`. Default `all`.
   */
  readonly stories?: "all" | "failed" | "none";
  /**
   * How many failed runs are kept in the database at most as files that can be replayed, sealed, for `runDays`: the newest of each command of each installation
   * (E204). 0: none. Default 0.
   */
  readonly savedFailures?: number;
  /** Connections to the database at most, half of them for the journal. Default 20. */
  readonly connections?: number;
  readonly log?: EngineLog;
  /** Is told of a worker whose runs were taken over. */
  readonly onTakeOver?: (slot: string, runs: number) => void;
  /** Is told that another process has taken the slot: this one has to end. */
  readonly onReplaced?: () => void;
}

/** A host that is one of several. */
export interface FleetWorker extends Host {
  readonly store: PostgresStore;
  readonly slot: string;
  readonly runs: Runs;
  /** How the whole fleet is: what waits, since when, and how old the last look is. */
  level(): Promise<FleetLevel>;
  /** Whether the database answers, within two seconds. */
  healthy(): Promise<boolean>;
}

const DAY = 24 * 60 * 60_000;

const silent: EngineLog = { info() {}, debug() {}, warn() {}, error() {} };

/**
 * Runs apps as one of several workers on Postgres: as `createHost` does, but any worker may end at any point, and another goes on.
 *
 * @throws RunError `StoreError` if the database isn't prepared or can't be reached, or holds tokens that the keys don't open; Error if the
 * process has a worker already
 */
export async function createFleetWorker(options: FleetOptions): Promise<FleetWorker> {
  const { database: url, listenUrl, connections = 20, effects, log = silent } = options;
  const slot = options.slot ?? `worker-${crypto.randomUUID()}`;
  const half = Math.max(2, Math.floor(connections / 2));
  const store = await postgresStore({
    url,
    connections: half,
    ...(listenUrl === undefined ? {} : { listenUrl }),
  });
  const database = new Database({ url, connections: 3 });
  const clock = effects.clock ?? systemClock;
  const basis: Basis = { options, slot, database, clock, log };
  const engine = engineOn(basis, half);
  const vault = createVault(options.key, ...(options.oldKeys ?? []));
  const place = placeIn(basis, engine, await vault.name());
  const runs = await Runs.open(url, database);
  const levels = new Levels(database);
  const telling = tellingOf({
    database,
    vault,
    clock,
    slot,
    stories: options.stories ?? "all",
    savedFailures: options.savedFailures ?? 0,
    observe: options.observe,
    log: (error) => log.warn(error),
  });
  const close = async (): Promise<void> => {
    await telling.close();
    await place.close();
    await runs.close();
    await database.close();
  };
  try {
    await checkKey(database, store, vault);
    await place.open();
    const host = await hostOn(
      {
        store,
        vault,
        engine,
        candidates: candidatesIn(database, store),
        rateLimits: store.rateLimits,
        sharedCircuits: circuitsIn(database),
        looked: (look) => levels.put(look),
        ...(telling.around === undefined ? {} : { around: telling.around }),
        versions: (current, runtimeOf) => publishedVersions(database, vault, current, runtimeOf),
        close,
      },
      { ...options, observe: telling.observe },
    );
    return {
      ...host,
      store,
      async start() {
        await host.start();
        const work = (): Promise<void> => forgetOld(basis, runs);
        await engine.schedule({ name: "forget", seconds: 3_600, work });
      },
      slot,
      runs,
      level: () => levels.read(),
      healthy: () => database.answers(),
    };
  } catch (error) {
    await store.close();
    await close();
    throw error;
  }
}

/** What the parts of a worker stand on. */
interface Basis {
  readonly options: FleetOptions;
  readonly slot: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: EngineLog;
}

function engineOn({ options, slot, database, clock, log }: Basis, connections: number): DbosEngine {
  return new DbosEngine({
    url: options.database,
    slot,
    works: options.works ?? true,
    clock,
    queueInterval: options.queueInterval ?? 200,
    connections,
    keepIdle: options.keepIdle ?? 60_000,
    database,
    held: async (key) =>
      (await database.query("SELECT 1 FROM configc.holds WHERE app || '/' || installation = $1", [key]))
        .length > 0,
    log,
  });
}

/** The worker's place in the fleet. */
function placeIn({ options, slot, database, clock, log }: Basis, engine: DbosEngine, key: string): Slot {
  return new Slot({
    database,
    slot,
    key,
    silence: options.silence ?? 12_000,
    takeOver: (silentSlot) => engine.takeOver(silentSlot),
    tookOver: options.onTakeOver ?? (() => undefined),
    replaced: options.onReplaced ?? (() => undefined),
    now: () => clock.now(),
    apart: (milliseconds) => {
      const by = `${Math.round(Math.abs(milliseconds) / 1_000)} s ${milliseconds > 0 ? "ahead of" : "behind"}`;
      log.warn(
        `The clock of this worker is ${by} the database's: what is due is found too early, too late or twice. Set it right.`,
      );
    },
  });
}

/** Runs with their stories go after `runDays`, versions of apps as late as the deliveries that may belong to them. */
async function forgetOld({ options, database }: Basis, runs: Runs): Promise<void> {
  const before = Date.now() - (options.runDays ?? 1) * DAY;
  await runs.prune(before);
  await pruneStories(database, before);
  await pruneVersions(database, Date.now() - (options.schedule?.retentionDays ?? 7) * DAY);
}
