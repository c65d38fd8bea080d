import { type AroundRun, type Effects, RunError, storedCredentials, type Vault } from "@configc/runtime";
import { Circuits, type SharedCircuits } from "./circuits/index.ts";
import { stderrLog, systemClock, systemRandom } from "./effects.ts";
import { HostedRuntimes } from "./hosted-runtimes.ts";
import type { Host, HostingOptions, HostParts, ScheduleOptions } from "./hosting-types.ts";
import { nodeHttp } from "./http/index.ts";
import { answerEarly, text } from "./incoming/answer.ts";
import { IncomingBodies } from "./incoming/bodies.ts";
import { OpenRequests } from "./listener/open-requests.ts";
import { processMemory, SharedMemory } from "./memory/index.ts";
import { unobserved } from "./observe.ts";
import { embeddedPlatform } from "./platform/index.ts";
import { webhookReceiver } from "./receiver.ts";
import { type SaveRunsOptions, savingRuns } from "./saved-run/host-runs.ts";
import { candidatesOf } from "./scheduler/look.ts";
import { type JobReport, Scheduler } from "./scheduler/scheduler.ts";
import { onlyVersion } from "./scheduler/versions.ts";
import { tell } from "./stderr.ts";

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
  const { apps, limits, report = reportFailure, observe = unobserved } = options;
  const http = nodeHttp({ allowPrivateNetwork: options.allowPrivateNetwork ?? false });
  const effects = effectsOf(http, storedCredentials(store, vault), options);
  const { base, origins } = checkedUrls(options);
  const saving = savingOf(options.saveRuns, vault, report);
  const around = nested(outer, saving?.around);
  const circuits = circuitsOf(effects, sharedCircuits);
  const shared = { store, vault, engine, effects, circuits, rateLimits, limits, around, base, origins };
  const runtimes = new HostedRuntimes(apps, shared);
  const scheduler = new Scheduler({
    ...paceOf(options.schedule),
    store,
    engine,
    candidates,
    circuits,
    looked,
    versions: (await versions?.(runtimes.current, runtimes.make)) ?? onlyVersion(runtimes.current),
    now: () => effects.clock.now(),
    report,
    observe,
  });
  await scheduler.serve();
  let isClosing = false;
  let isClosed = false;
  const deliver = (app: string, installation: string): void => {
    if (!isClosing) deliverSoon(scheduler, app, installation, report);
  };
  const receive = webhookReceiver({
    ...receivingOf(options, base),
    runtimes: runtimes.current,
    deliver,
    failed: (app, error) => report({ app, installation: "", job: "receive", error }),
    became: (app, outcome) => observe.received?.(app, outcome),
  });
  const requests = new OpenRequests();
  const end = async (grace: number): Promise<void> => {
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
  };
  let closed: Promise<void> | undefined;
  return {
    runtime: (name) => runtimes.current.get(name),
    publish: (name, app, allowed) => runtimes.publish(name, app, allowed),
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
    // A second call waits for the first: what is closed can't be closed again.
    close: (grace = 10_000) => (closed ??= end(grace)),
  };
}

/** @throws TypeError for one that isn't a URL */
function checkedUrls({ publicUrl, origins = {} }: HostingOptions) {
  const base = publicUrl === undefined ? undefined : urlOf(publicUrl, "publicUrl").href.replace(/\/+$/, "");
  for (const origin of Object.values(origins).flat()) urlOf(origin, "origins");
  return { base, origins };
}

function effectsOf(
  http: Effects["http"],
  credentials: Effects["credentials"],
  { memory, effects }: HostingOptions,
): Effects {
  return {
    clock: systemClock,
    random: systemRandom,
    log: stderrLog,
    http,
    credentials,
    platform: embeddedPlatform(),
    memory: memory === undefined ? processMemory() : new SharedMemory({ total: memory }),
    ...effects,
  };
}

function circuitsOf({ clock }: Effects, shared: SharedCircuits | undefined): Circuits {
  return new Circuits({
    now: () => clock.now(),
    random: Math.random,
    ...(shared === undefined ? {} : { shared }),
  });
}

const DAY = 24 * 60 * 60_000;

/** How often the scheduler looks, how much it does at once, and for how long it keeps what was done. */
function paceOf({ interval = 5, parallel = 8, retentionDays = 7, failedDays = 30 }: ScheduleOptions = {}) {
  return { interval, parallel, retention: retentionDays * DAY, failedRetention: failedDays * DAY };
}

type Report = (report: JobReport) => void;

function savingOf(options: SaveRunsOptions | undefined, vault: Vault, report: Report) {
  if (options === undefined) return undefined;
  return savingRuns(options, vault, (error) => report({ app: "", installation: "", job: "save", error }));
}

/** Without waiting for it: what isn't enqueued is found at the next look. */
function deliverSoon(scheduler: Scheduler, app: string, installation: string, report: Report): void {
  void scheduler.deliver(app, installation).catch((error: unknown) => {
    if (!(error instanceof RunError && error.kind === "Cancelled"))
      report({ app, installation, job: "deliver", error });
  });
}

/** How requests to webhooks are read, and where they arrive. */
function receivingOf({ memory, sourceOf, onDelivery }: HostingOptions, base: string | undefined) {
  return {
    bodies: new IncomingBodies({ memory: memory ?? processMemory().total }),
    sourceOf,
    path: base === undefined ? "" : new URL(base).pathname.replace(/\/+$/, ""),
    received: onDelivery ?? (() => undefined),
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
