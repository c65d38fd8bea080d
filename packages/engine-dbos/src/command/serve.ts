import type { IncomingMessage, ServerResponse } from "node:http";
import { Listener } from "@configc/host";
import { Ending, sourceFromHeader } from "@configc/host/internal";
import { loadTelemetry, type Telemetry } from "../telemetry/index.ts";
import { createFleetWorker, type FleetOptions, type FleetWorker } from "../worker/fleet-worker.ts";
import { type Configuration, readApps, readConfiguration, readKeys, readPlatform } from "./configuration.ts";
import { listen } from "./listen.ts";
import { appLog, engineLog, type JsonLog, jsonLog, levelOf, observeLogged, reportJob } from "./log.ts";
import { openMetrics } from "./metrics.ts";
import { printLine } from "./output.ts";
import type { Arguments, Environment } from "./usage.ts";

/** Milliseconds in which the last answers are handed over, when the work has ended. */
const HANDOVER = 200;

interface Role {
  /** Takes webhooks at its port. */
  readonly webhooks: boolean;
  readonly works: boolean;
}

/**
 * Runs until SIGTERM or SIGINT, and then ends in good order; a second one ends it at once. One that comes before it works is heard, too:
 * what it has begun by then is given back.
 */
export async function runHost(role: Role, { config }: Arguments, environment: Environment): Promise<number> {
  const ending = new Ending();
  try {
    const configuration = await readConfiguration(config, environment);
    const log = jsonLog(levelOf(environment["LOG_LEVEL"]), printLine);
    ending.told((signal) => log.write("info", `${signal}: draining`, { grace: configuration.grace }));
    const { metricsPort } = configuration;
    const failed = (error: unknown): void => log.write("error", "a request failed", { error: String(error) });
    const metrics = metricsPort === undefined ? undefined : await openMetrics(metricsPort, failed);
    const meters = metrics === undefined ? [] : [metrics.meter];
    try {
      const telemetry = await loadTelemetry((message) => log.write("warn", message), ...meters);
      const given = { role, configuration, environment, log, failed, telemetry, ending };
      return await run({ ...given, ...(metrics === undefined ? {} : { metricsPort: metrics.port }) });
    } finally {
      await metrics?.close();
    }
  } finally {
    ending.close();
  }
}

interface Given {
  readonly role: Role;
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly log: JsonLog;
  /** Told of what a listener met. */
  readonly failed: (error: unknown) => void;
  readonly telemetry: Telemetry;
  /** Where metrics can be asked for. */
  readonly metricsPort?: number;
  readonly ending: Ending;
}

async function run(given: Given): Promise<number> {
  const { role, configuration, log, failed, telemetry, metricsPort, ending } = given;
  const { grace, port, apps } = configuration;
  const options = await optionsOf(given);
  const state: State = { ending, worker: undefined, works: false };
  const listener = new Listener({
    answer: (request, response, url) => answer(role, state, request, response, url),
    failed,
  });
  let worker: FleetWorker | undefined;
  try {
    await listen(listener, port, "PORT");
    log.write("info", "starting", { port: listener.port, metricsPort });
    worker = state.worker = await createFleetWorker(options);
    telemetry.watch(worker, Object.keys(apps));
    if (role.works && ending.status === undefined) await worker.start();
  } catch (error) {
    await worker?.close(0);
    await listener.close(0);
    // It has begun nothing, and nobody waits for it any more.
    if (ending.status === 0) {
      log.write("warn", "ended before it could begin", { error: String(error) });
      return 0;
    }
    throw error;
  }
  if (ending.status === undefined) {
    state.works = true;
    log.write("info", "ready", { port: listener.port, slot: worker.slot, apps: Object.keys(apps), ...role });
  }
  const status = await ending.ended;
  // Meanwhile it says that it isn't ready, and takes what still comes: load balancers need their time to notice.
  await worker.close(grace * 1_000);
  await listener.close(HANDOVER);
  log.write("info", "ended");
  return status;
}

async function optionsOf({
  role,
  configuration,
  environment,
  log,
  telemetry,
  ending,
}: Given): Promise<FleetOptions> {
  const { parallel, interval, retentionDays, failedDays, runDays, listenUrl, publicUrl, slot, connections } =
    configuration;
  const { memory, sourceHeader, savedRuns, stories, savedFailures } = configuration;
  return {
    ...(await readKeys(environment)),
    database: configuration.database,
    apps: await readApps(configuration),
    effects: { platform: await readPlatform(configuration), log: appLog(log) },
    works: role.works,
    schedule: {
      ...(parallel === undefined ? {} : { parallel }),
      ...(interval === undefined ? {} : { interval }),
      ...(retentionDays === undefined ? {} : { retentionDays }),
      ...(failedDays === undefined ? {} : { failedDays }),
    },
    origins: configuration.origins,
    allowPrivateNetwork: configuration.allowPrivateNetwork,
    ...(listenUrl === undefined ? {} : { listenUrl }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(slot === undefined ? {} : { slot }),
    ...(runDays === undefined ? {} : { runDays }),
    ...(connections === undefined ? {} : { connections }),
    ...(memory === undefined ? {} : { memory: memory * 2 ** 20 }),
    ...(sourceHeader === undefined ? {} : { sourceOf: sourceFromHeader(sourceHeader) }),
    ...(savedRuns === undefined ? {} : { saveRuns: { directory: savedRuns } }),
    ...(stories === undefined ? {} : { stories }),
    ...(savedFailures === undefined ? {} : { savedFailures }),
    observe: observeLogged(telemetry),
    log: engineLog(log),
    report: (report) => reportJob(log, report),
    onTakeOver: (from, runs) =>
      log.write(
        runs === 0 ? "info" : "warn",
        `took over ${runs === 1 ? "a run" : `${runs} runs`} of ${from}`,
        { slot: from, runs },
      ),
    onReplaced: () => {
      log.write("error", "another process has taken the slot; this one ends");
      ending.end(1);
    },
  };
}

interface State {
  readonly ending: Ending;
  worker: FleetWorker | undefined;
  /** It has begun its work. */
  works: boolean;
}

/** `/healthz`: the process lives. `/readyz`: it can do its work. */
async function answer(
  role: Role,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname }: URL,
): Promise<void> {
  if (pathname === "/healthz") return say(response, 200, { status: "alive" });
  if (pathname === "/readyz") {
    const why = await readiness(state);
    return say(response, why === "ready" ? 200 : 503, { status: why });
  }
  if (role.webhooks) {
    // Third parties send again what nobody has taken.
    if (state.worker === undefined) return say(response, 503, { status: "starting" });
    if (await state.worker.handle(request, response)) return;
  }
  say(response, 404, { status: "There is nothing here." });
}

async function readiness({ ending, worker, works }: State): Promise<string> {
  if (ending.status !== undefined) return "draining";
  if (worker === undefined || !works) return "starting";
  return (await worker.healthy()) ? "ready" : "the database is away";
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}
