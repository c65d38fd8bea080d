import { mkdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { App } from "@configc/compiler";
import {
  createRuntime,
  createVault,
  type Effects,
  type Limits,
  memoryStore,
  type Runtime,
  type Store,
  storedCredentials,
  type Vault,
} from "@configc/runtime";
import { stderrLog, systemClock, systemRandom } from "./effects.ts";
import { nodeHttp } from "./http/index.ts";
import { embeddedPlatform, itemsInMemory, sqliteItems } from "./platform/index.ts";
import { webhookReceiver } from "./receiver.ts";
import { type JobReport, Scheduler } from "./scheduler/scheduler.ts";
import { sqliteStore } from "./store/index.ts";

export interface HostOptions {
  /** Compiled apps by a name that the host chooses; it stands in webhook URLs and in the store. */
  readonly apps: Readonly<Record<string, App>>;
  /** Where the state is kept; one process at a time has it open. Without one it is gone with the process. */
  readonly directory?: string;
  /** 32 random bytes that seal tokens in the state; needed with a directory. See `keyFile`. */
  readonly key?: Uint8Array;
  /** Keys that were in use before: they still open what they sealed. */
  readonly oldKeys?: readonly Uint8Array[];
  /** Where the third parties reach `handle`, such as `https://hooks.example.com/in`; apps with webhooks need it. */
  readonly publicUrl?: string;
  /** Instead of Node's own: the platform above all. */
  readonly effects?: Partial<Effects>;
  /** Lets requests reach this machine and private networks: for tests. */
  readonly allowPrivateNetwork?: boolean;
  readonly limits?: Partial<Limits>;
  /** Further origins that may have an app's credentials, by app (D18). */
  readonly origins?: Readonly<Record<string, readonly string[]>>;
  readonly schedule?: ScheduleOptions;
  /** Is told what the host did by itself, and what failed. */
  readonly report?: (report: JobReport) => void;
}

export interface ScheduleOptions {
  /** Seconds between two looks at what is due. Default 5. */
  readonly interval?: number;
  /** Installations that are worked for at once. Default 8. */
  readonly parallel?: number;
  /** Days for which deliveries are kept that have arrived. Default 7. */
  readonly retentionDays?: number;
}

/** Apps with everything that it takes to run them as a service. */
export interface Host {
  /** The runtime of an app; undefined for a name that wasn't given. */
  runtime(name: string): Runtime | undefined;
  readonly store: Store;
  readonly vault: Vault;
  readonly effects: Effects;
  /** Finishes what an earlier process left, then polls and delivers whatever is due, from now on. */
  start(): Promise<void>;
  /** Delivers what waits for an installation soon, without waiting for it. */
  deliver(app: string, installation: string): void;
  /**
   * Answers a request to a webhook's URL.
   *
   * @returns false for any other path: nothing was done
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Resolves when nothing is under way (any more). */
  idle(): Promise<void>;
  /**
   * Begins nothing more, lets what is under way come to the end of an item, and closes the state.
   *
   * @param grace milliseconds until it is cancelled in the middle; default 10,000
   */
  close(grace?: number): Promise<void>;
}

const DAY = 24 * 60 * 60_000;

/**
 * Runs apps with Node's effects and an SQLite store (design.md, "Libraries").
 *
 * @throws Error if the state can't be opened, or a directory is given without a key
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { apps, directory, key, oldKeys = [], publicUrl, schedule = {}, report = reportFailure } = options;
  if (directory !== undefined && key === undefined)
    throw new Error("A host with a directory needs a `key` of 32 bytes, which seals the tokens in it.");
  if (directory !== undefined) await mkdir(directory, { recursive: true });
  const store = directory === undefined ? memoryStore() : await sqliteStore(join(directory, "state.db"));
  const items = directory === undefined ? itemsInMemory() : await sqliteItems(join(directory, "platform.db"));
  const vault = createVault(key ?? crypto.getRandomValues(new Uint8Array(32)), ...oldKeys);
  const http = nodeHttp({ allowPrivateNetwork: options.allowPrivateNetwork ?? false });
  const effects: Effects = {
    clock: systemClock,
    random: systemRandom,
    log: stderrLog,
    http,
    credentials: storedCredentials(store, vault),
    platform: embeddedPlatform({ items }),
    ...options.effects,
  };
  const base = publicUrl?.replace(/\/+$/, "");
  const runtimes = new Map(
    Object.entries(apps).map(([name, app]) => [
      name,
      createRuntime(app, effects, {
        name,
        store,
        vault,
        ...(options.limits === undefined ? {} : { limits: options.limits }),
        ...(options.origins?.[name] === undefined ? {} : { origins: options.origins[name] }),
        ...(base === undefined
          ? {}
          : { webhookUrl: (hook: string) => [base, ...[name, hook].map(encodeURIComponent)].join("/") }),
      }),
    ]),
  );
  const scheduler = new Scheduler({
    store,
    runtimes,
    now: () => effects.clock.now(),
    interval: schedule.interval ?? 5,
    parallel: schedule.parallel ?? 8,
    retention: (schedule.retentionDays ?? 7) * DAY,
    report,
  });
  const receive = webhookReceiver({
    runtimes,
    path: base === undefined ? "" : new URL(base).pathname.replace(/\/+$/, ""),
    deliver: (app, installation) => scheduler.deliver(app, installation),
    failed: (app, error) => report({ app, installation: "", job: "receive", error }),
  });
  /** Requests whose answer is still to come. */
  const receiving = new Set<Promise<boolean>>();
  return {
    runtime: (name) => runtimes.get(name),
    store,
    vault,
    effects,
    start: () => scheduler.start(),
    deliver: (app, installation) => scheduler.deliver(app, installation),
    async handle(request, response) {
      const handled = receive(request, response);
      receiving.add(handled);
      return await handled.finally(() => receiving.delete(handled));
    },
    idle: () => scheduler.idle(),
    async close(grace = 10_000) {
      await Promise.allSettled(receiving);
      await scheduler.close(grace);
      await store.close();
      items.close();
      await http.close();
    },
  };
}

function reportFailure({ app, installation, job, error }: JobReport): void {
  if (error === undefined) return;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${app} ${installation}: ${job} failed: ${message}\n`);
}
