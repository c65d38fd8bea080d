import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { telemetry } from "../telemetry/index.ts";
import { createFleetWorker, type FleetWorker } from "../worker/fleet-worker.ts";
import { readApps, readConfiguration, readKeys, readPlatform } from "./configuration.ts";
import { appLog, engineLog, jsonLog, levelOf, observeLogged, reportJob } from "./log.ts";
import { type Arguments, type Environment, UsageError } from "./usage.ts";

export interface Role {
  /** Takes webhooks at its port. */
  readonly webhooks: boolean;
  readonly works: boolean;
}

/** Runs until SIGTERM or SIGINT, and then ends in good order; a second one ends it at once. */
export async function runHost(role: Role, { config }: Arguments, environment: Environment): Promise<number> {
  const configuration = await readConfiguration(config, environment);
  const log = jsonLog(levelOf(environment["LOG_LEVEL"]), (text) => process.stdout.write(`${text}\n`));
  const { apps, ...settings } = configuration;
  const { parallel, interval, retentionDays, listenUrl, publicUrl, slot, connections } = settings;
  let end = (_status: number): void => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const worker = await createFleetWorker({
    ...(await readKeys(environment)),
    database: configuration.database,
    apps: await readApps(configuration),
    effects: { platform: await readPlatform(configuration), log: appLog(log) },
    works: role.works,
    schedule: {
      ...(parallel === undefined ? {} : { parallel }),
      ...(interval === undefined ? {} : { interval }),
      ...(retentionDays === undefined ? {} : { retentionDays }),
    },
    origins: settings.origins,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    ...(listenUrl === undefined ? {} : { listenUrl }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(slot === undefined ? {} : { slot }),
    ...(connections === undefined ? {} : { connections }),
    observe: observeLogged(telemetry()),
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
      end(1);
    },
  });
  const state = { draining: false };
  const server = createServer((request, response) => void answer(role, worker, state, request, response));
  try {
    await listen(server, settings.port);
    if (role.works) await worker.start();
  } catch (error) {
    server.close();
    await worker.close(0);
    throw error;
  }
  const signals = ["SIGTERM", "SIGINT"] as const;
  const drain = (signal: string): void => {
    if (state.draining) process.exit(1);
    log.write("info", `${signal}: draining`, { grace: settings.grace });
    state.draining = true;
    end(0);
  };
  for (const signal of signals) process.on(signal, drain);
  log.write("info", "ready", { port: portOf(server), slot: worker.slot, apps: Object.keys(apps), ...role });
  const status = await ended;
  // Meanwhile it says that it isn't ready, and takes what still comes: load balancers need their time to notice.
  await worker.close(settings.grace * 1_000);
  server.close();
  server.closeAllConnections();
  for (const signal of signals) process.off(signal, drain);
  log.write("info", "ended");
  return status;
}

/** `/healthz`: the process lives. `/readyz`: it can do its work. */
async function answer(
  role: Role,
  worker: FleetWorker,
  state: { readonly draining: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url === "/healthz") return say(response, 200, { status: "alive" });
  if (request.url === "/readyz") {
    const why = state.draining ? "draining" : (await worker.healthy()) ? "ready" : "the database is away";
    return say(response, why === "ready" ? 200 : 503, { status: why });
  }
  if (role.webhooks && (await worker.handle(request, response))) return;
  say(response, 404, { status: "There is nothing here." });
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, resolve);
    });
  } catch (error) {
    throw new UsageError(`The port ${port} can't be listened at: ${(error as Error).message}. Set PORT.`);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
