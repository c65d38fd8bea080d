import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "@configc/compiler";
import {
  type AroundRun,
  createRuntime,
  type Effects,
  type Engine,
  type Limits,
  type RateLimits,
  type ReceivedDelivery,
  RunError,
  type Runtime,
  type Store,
  storedCredentials,
  type Vault,
} from "@configc/runtime";
import { Circuits, type SharedCircuits, watchedHttp } from "./circuits/index.ts";
import { stderrLog, systemClock, systemRandom } from "./effects.ts";
import { nodeHttp } from "./http/index.ts";
import { answerEarly, text } from "./incoming/answer.ts";
import { IncomingBodies } from "./incoming/bodies.ts";
import { OpenRequests } from "./listener/open-requests.ts";
import { processMemory, SharedMemory } from "./memory/index.ts";
import { type Observe, unobserved } from "./observe.ts";
import { embeddedPlatform } from "./platform/index.ts";
import { webhookReceiver } from "./receiver.ts";
import { type SaveRunsOptions, savingRuns } from "./saved-run/host-runs.ts";
import { type Candidates, candidatesOf } from "./scheduler/look.ts";
import type { Looked } from "./scheduler/looked.ts";
import { type JobReport, Scheduler } from "./scheduler/scheduler.ts";
import { onlyVersion, type Versions, versionOf } from "./scheduler/versions.ts";
import { tell } from "./stderr.ts";

/** What every host takes, on whatever it stands. */
export interface HostingOptions {
  /** Compiled apps by a name that the host chooses; it stands in webhook URLs and in the store. */
  readonly apps: Readonly<Record<string, App>>;
  /** Where the third parties reach `handle`, such as `https://hooks.example.com/in`; apps with webhooks need it. */
  readonly publicUrl?: string;
  /** Instead of Node's own: the platform above all. */
  readonly effects?: Partial<Effects>;
  /** Lets requests reach this machine and private networks: for tests. */
  readonly allowPrivateNetwork?: boolean;
  readonly limits?: Partial<Limits>;
  /** Bytes that answers, payloads and what is made of them may take up together. Default: half of V8's heap, shared by all hosts of the process. */
  readonly memory?: number;
  /**
   * Whose a webhook's request is, such as the address that a proxy of yours names: each source has a share of what is read at a time. Default: the
   * address of the connection if it is a public one, else the webhook.
   */
  readonly sourceOf?: (request: IncomingMessage) => string | undefined;
  /** Further origins that may have an app's credentials, by app (D18). */
  readonly origins?: Readonly<Record<string, readonly string[]>>;
  readonly schedule?: ScheduleOptions;
  /** Keeps runs as files that can be replayed, sealed by the host's key. Default: none. */
  readonly saveRuns?: SaveRunsOptions;
  /** Is told each payload that a webhook sends and that isn't refused, also one that can't be routed. */
  readonly onDelivery?: (app: string, delivery: ReceivedDelivery) => void;
  /** Looks on: for telemetry. */
  readonly observe?: Observe;
  /** Is told what the host did by itself, and what failed. */
  readonly report?: (report: JobReport) => void;
}

/** How often a host looks at what is due, and how much it does at once. */
export interface ScheduleOptions {
  /** Seconds between two looks at what is due. Default 5. */
  readonly interval?: number;
  /** Installations that one process works for at once. Default 8. */
  readonly parallel?: number;
  /** Days for which deliveries are kept that have arrived. Default 7. */
  readonly retentionDays?: number;
  /** Days for which deliveries are kept that failed, so that they can be retried (D35). Default 30. */
  readonly failedDays?: number;
}

/** Apps with everything that it takes to run them as a service. */
export interface Host {
  /** The runtime of an app; undefined for a name that wasn't given. */
  runtime(name: string): Runtime | undefined;
  /**
   * Has new runs begin with another version of an app; what is under way in this process ends with its own.
   *
   * @param origins further ones that may have its credentials; by default those of before
   * @throws Error for a name that wasn't given
   */
  publish(name: string, app: App, origins?: readonly string[]): Runtime;
  readonly store: Store;
  readonly vault: Vault;
  readonly effects: Effects;
  /** Finishes what an earlier process left, then polls and delivers whatever is due, from now on. */
  start(): Promise<void>;
  /** Delivers what waits for an installation soon, without waiting for it. */
  deliver(app: string, installation: string): void;
  /**
   * Tries again now what failed or waits for its time, also at services that don't answer.
   *
   * @param installation undefined: all of the app
   * @returns how many installations had something to try
   */
  retry(app: string, installation?: string): Promise<number>;
  /**
   * Answers a request to a webhook's URL.
   *
   * @returns false for any other path: nothing was done
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Resolves when nothing is under way (any more). */
  idle(): Promise<void>;
  /**
   * Begins nothing more, lets what is under way come to the end of an item, and closes the state. Webhooks are taken until then.
   *
   * @param grace milliseconds until it is cancelled in the middle, and requests are cut that haven't come to their end; default 10,000
   */
  close(grace?: number): Promise<void>;
}

/** What a host stands on. */
export interface HostParts {
  readonly store: Store;
  readonly vault: Vault;
  readonly engine: Engine;
  /** Which installations there are to look after. Default: asked of the store, one after the other. */
  readonly candidates?: Candidates;
  /** Counts requests for all processes. Default: each process counts its own. */
  readonly rateLimits?: RateLimits;
  /** Keeps the versions of the apps. Default: each has one, that of now. */
  readonly versions?: (current: ReadonlyMap<string, Runtime>, runtimeOf: RuntimeOf) => Promise<Versions>;
  /** Tells other processes which services don't answer. Default: there are none. */
  readonly sharedCircuits?: SharedCircuits;
  /** Is told how an app is served after each look, by whichever process looked. Default: nobody is. */
  readonly looked?: (look: Looked) => Promise<void>;
  /** Is around each run of a command. Default: nobody is. */
  readonly around?: AroundRun;
  /** Ends what was opened for it. */
  close(): Promise<void>;
}

/** Makes a runtime as the host's own are. */
export type RuntimeOf = (name: string, app: App) => Runtime;

const DAY = 24 * 60 * 60_000;

/**
 * Apps as a service, on a store and an engine.
 *
 * @throws TypeError for a `publicUrl` or an origin that isn't a URL
 */
export async function hostOn(
  {
    store,
    vault,
    engine,
    candidates = candidatesOf(store),
    rateLimits,
    versions,
    sharedCircuits,
    looked = async () => undefined,
    around: outer,
    close,
  }: HostParts,
  options: HostingOptions,
): Promise<Host> {
  const { apps, publicUrl, schedule = {}, report = reportFailure, observe = unobserved } = options;
  const http = nodeHttp({ allowPrivateNetwork: options.allowPrivateNetwork ?? false });
  const effects: Effects = {
    clock: systemClock,
    random: systemRandom,
    log: stderrLog,
    http,
    credentials: storedCredentials(store, vault),
    platform: embeddedPlatform(),
    memory: options.memory === undefined ? processMemory() : new SharedMemory({ total: options.memory }),
    ...options.effects,
  };
  const base = publicUrl === undefined ? undefined : urlOf(publicUrl, "publicUrl").href.replace(/\/+$/, "");
  const origins = new Map(Object.entries(options.origins ?? {}));
  for (const origin of [...origins.values()].flat()) urlOf(origin, "origins");
  const { saveRuns } = options;
  const saving =
    saveRuns === undefined
      ? undefined
      : savingRuns(saveRuns, vault, (error) => report({ app: "", installation: "", job: "save", error }));
  const around = nested(outer, saving?.around);
  const circuits = new Circuits({
    now: () => effects.clock.now(),
    random: Math.random,
    ...(sharedCircuits === undefined ? {} : { shared: sharedCircuits }),
  });
  const runtimeOf: RuntimeOf = (name, app) =>
    createRuntime(
      app,
      { ...effects, http: watchedHttp(effects.http, name, app, circuits) },
      {
        ...(around === undefined ? {} : { around }),
        name,
        version: versionOf(name, app),
        store,
        vault,
        engine,
        ...(rateLimits === undefined ? {} : { rateLimits }),
        ...(options.limits === undefined ? {} : { limits: options.limits }),
        origins: origins.get(name) ?? [],
        ...(base === undefined
          ? {}
          : { webhookUrl: (hook: string) => [base, ...[name, hook].map(encodeURIComponent)].join("/") }),
      },
    );
  const runtimes = new Map(Object.entries(apps).map(([name, app]) => [name, runtimeOf(name, app)]));
  const scheduler = new Scheduler({
    store,
    engine,
    candidates,
    circuits,
    versions: (await versions?.(runtimes, runtimeOf)) ?? onlyVersion(runtimes),
    now: () => effects.clock.now(),
    interval: schedule.interval ?? 5,
    parallel: schedule.parallel ?? 8,
    retention: (schedule.retentionDays ?? 7) * DAY,
    failedRetention: (schedule.failedDays ?? 30) * DAY,
    report,
    observe,
    looked,
  });
  await scheduler.serve();
  // What isn't enqueued is found at the next look.
  const deliver = (app: string, installation: string): void => {
    if (!isClosing)
      void scheduler.deliver(app, installation).catch((error: unknown) => {
        if (!(error instanceof RunError && error.kind === "Cancelled"))
          report({ app, installation, job: "deliver", error });
      });
  };
  const receive = webhookReceiver({
    runtimes,
    bodies: new IncomingBodies({ memory: options.memory ?? processMemory().total }),
    sourceOf: options.sourceOf,
    path: base === undefined ? "" : new URL(base).pathname.replace(/\/+$/, ""),
    deliver,
    received: options.onDelivery ?? (() => undefined),
    failed: (app, error) => report({ app, installation: "", job: "receive", error }),
    became: (app, outcome) => observe.received?.(app, outcome),
  });
  const requests = new OpenRequests();
  let isClosing = false;
  let isClosed = false;
  return {
    runtime: (name) => runtimes.get(name),
    publish(name, app, allowed) {
      if (!runtimes.has(name)) throw new Error(`The host has no app called “${name}”.`);
      if (allowed !== undefined) origins.set(name, allowed);
      const runtime = runtimeOf(name, app);
      runtimes.set(name, runtime);
      return runtime;
    },
    store,
    vault,
    effects,
    start: () => scheduler.start(),
    deliver,
    retry: (app, installation) => scheduler.retry(app, installation),
    async handle(request, response) {
      if (!isClosed) return await requests.during(request, response, receive(request, response));
      answerEarly(request, response, text(503, "Try again later.", { "retry-after": "30" }));
      return true;
    },
    idle: () => engine.idle(),
    async close(grace = 10_000) {
      isClosing = true;
      const until = performance.now() + grace;
      // First of all: whatever waits for those who send, nothing new begins.
      await engine.close(grace);
      await requests.end(until - performance.now());
      isClosed = true;
      circuits.close();
      await saving?.idle();
      await store.close();
      await close();
      await http.close();
    },
  };
}

function nested(outer: AroundRun | undefined, inner: AroundRun | undefined): AroundRun | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return (run, work) =>
    outer(run, (effects, trace, parent) =>
      inner({ ...run, effects, trace, given: { ...run.given, parent } }, work),
    );
}

/** @throws TypeError that names the option */
function urlOf(text: string, option: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new TypeError(
    `\`${option}\` has “${text}”, which isn't a URL: it must begin with https:// (or http://).`,
  );
}

function reportFailure({ app, installation, job, error }: JobReport): void {
  if (error === undefined) return;
  const message = error instanceof Error ? error.message : String(error);
  tell(`${app} ${installation}: ${job} failed: ${message}`);
}
