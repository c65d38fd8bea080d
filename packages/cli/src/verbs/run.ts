import { type Recording, replayRun, type SavedRun, saveRun } from "@configc/host";
import type { Json } from "@configc/jq";
import {
  createRuntime,
  createTracer,
  type HttpRequest,
  type TraceListener,
  type Tracer,
} from "@configc/runtime";
import {
  authAt,
  isSecretHeader,
  nodeKind,
  redactedValue,
  runNode,
  searchAt,
  shownHeaders,
  shownUrl,
} from "@configc/runtime/internal";
import type { Arguments } from "../command-line/arguments.ts";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { personal, writeAtomically } from "../files/write.ts";
import { findRunnable, type LoadedConfig, loadConfig, withBaseUrl } from "../run/config.ts";
import { type RunWorld, worldOf } from "../run/effects.ts";
import { type Failure, failureOf, failureText } from "../run/failure.ts";
import { interruptible } from "../run/interrupt.ts";
import { isAmongSamples, keepSamples, samplesFile } from "../run/keep-samples.ts";
import { laidOut } from "../run/layout.ts";
import { logIn } from "../run/login.ts";
import { type RunVerbOptions, runOptions } from "../run/options.ts";
import { checkSavedRun, departureFailure, readReplayed, writeSavedRun } from "../run/saved-run.ts";
import { TraceView } from "../run/trace-view.ts";
import { hasColour, note, print, widthOf } from "../terminal/output.ts";
import { styleOf } from "../terminal/style.ts";

/** Runs a command, an intake or a workflow of a config. Its output goes to stdout, everything else to stderr. */
export async function run(args: Arguments): Promise<number> {
  const [file = "", path = ""] = args.operands;
  const options = runOptions(args);
  const loaded = loadConfig(file, "run");
  const runnable = findRunnable(loaded, path);
  if ("problem" in runnable) throw new UsageError(runnable.problem, "run");
  const { pointer } = runnable;
  checkUse(options, loaded, pointer);
  const config = { ...loaded, app: withBaseUrl(loaded.app, options.baseUrl, "run") };
  const replayed = options.replay === undefined ? undefined : readReplayed(options.replay);
  const style = styleOf(hasColour(process.stderr));
  const view =
    options.trace || options.traceWhole ? new TraceView(style, note, options.traceWhole) : undefined;
  if (view !== undefined) tellIgnored(args);
  const running: Running = { config, pointer, options, onEvent: (...event) => view?.add(...event) };
  if (replayed !== undefined && "saved" in replayed) {
    checkSavedRun(options.replay ?? "", replayed.saved, pointer, args);
    return await interruptibly((signal) => runAgain(running, replayed.saved, signal));
  }
  return await interruptibly((signal) => runOnce(running, replayed?.recording, signal));
}

/** @throws UsageError for what the node has no use for */
function checkUse({ input, search }: RunVerbOptions, { app }: LoadedConfig, pointer: string): void {
  if (input !== undefined && nodeKind(app, pointer) === "polling")
    throw new UsageError(
      "--input has no use here: a polling intake takes none. Its state is `polling_state` of --context.",
      "run",
    );
  if (search !== undefined && searchAt(app, pointer, search) === undefined)
    throw new UsageError(
      "--search has no use here: it is for the options of a form field that has a `search_term`.",
      "run",
    );
}

/** Scripts give the same options to a replay as to the run before it. */
function tellIgnored(args: Arguments): void {
  if (!args.has("replay")) return;
  for (const name of ["credentials", "allow-private-network"])
    if (args.has(name)) note(`configc: --${name} is ignored: --replay sends nothing.`);
}

/** What is run, and how. */
interface Running {
  /** With another `api.base_url`, if one is given. */
  readonly config: LoadedConfig;
  readonly pointer: string;
  readonly options: RunVerbOptions;
  readonly onEvent: TraceListener;
}

async function interruptibly(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupt = interruptible();
  try {
    return await work(interrupt.signal);
  } finally {
    interrupt.end();
  }
}

async function runOnce(
  running: Running,
  recording: Recording | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { config, options } = running;
  const requests: HttpRequest[] = [];
  const world = await worldOf(options, config, recording, (request) => requests.push(request));
  const trace = createTracer(world.effects.clock, running.onEvent);
  try {
    const output = await perform(running, world, trace, signal);
    // A service may echo a secret.
    const safe = redactedValue(output, (text) => trace.redact(text)) as Json;
    print(`${options.dryRun ? shown(requests, trace) : laidOut(safe)}\n`);
    if (isSkipped(running, output)) {
      const advice = options.input === undefined ? "; --input gives the item" : "";
      note(`configc: the source gave null, so there is nothing to carry over${advice}.`);
    }
    if (options.dryRun) note("configc: nothing was sent; each request was answered by an empty object.");
    return 0;
  } catch (error) {
    const failure = failureOf(error, config.model);
    if (failure.kind === "InternalError") throw error;
    // Without real answers a run gets as far as it can.
    if (options.dryRun && requests.length > 0 && failure.kind !== "Cancelled") {
      print(`${shown(requests, trace)}\n`);
      note(`configc: nothing was sent. What comes next depends on the answer: ${failure.message}`);
      return 0;
    }
    return tell(failure, running);
  } finally {
    saveRecording(config.file, options, world, trace);
  }
}

/** Whether a workflow's pipeline had nothing to do (D35). */
function isSkipped({ config: { app }, pointer }: Running, output: Json): boolean {
  const made = output as { readonly source?: Json } | null;
  return nodeKind(app, pointer) === "workflow" && made?.source === null;
}

/** Runs a saved run again: it ends as that did, and with status 1 if it failed or isn't the same. */
async function runAgain(running: Running, saved: SavedRun, signal: AbortSignal): Promise<number> {
  const { config, options, onEvent } = running;
  const again = await replayRun(config.app, saved, { signal, onEvent });
  if (options.saveRun !== undefined) writeSavedRun(options.saveRun, again.saved);
  const { departure, changes, outcome } = again;
  if (departure !== undefined) return tell(departureFailure(departure, changes, config), running);
  for (const change of changes) note(`configc: ${change}`);
  note(`configc: the same run as the saved one: ${plural(saved.trace.length, "event")}.`);
  if ("error" in outcome) return tell(failureOf(outcome.error, config.model), running);
  print(`${laidOut(outcome.output)}\n`);
  return 0;
}

function tell(failure: Failure, { config, options }: Running): number {
  if (options.json) print(`${JSON.stringify({ error: failure }, undefined, 2)}\n`);
  else note(`configc: ${failureText(failure, config, widthOf(process.stderr))}`);
  return 1;
}

async function perform(
  { config: { app, settings, file }, pointer, options, onEvent }: Running,
  { effects, connections, http, file: credentialsFile }: RunWorld,
  trace: Tracer,
  signal: AbortSignal,
): Promise<Json> {
  const { input, context, search, credentials, replay, login, baseUrl } = options;
  const auth = authAt(app, pointer);
  if (login) {
    if (auth === undefined) throw new UsageError("--login has no auth entry to log in with here.", "run");
    await logIn(
      app,
      auth,
      { http, credentials: effects.credentials },
      credentialsFile,
      context?.subdomain,
      signal,
    );
  }
  const connected = auth !== undefined && (login || connections.includes(auth));
  if (auth !== undefined && !connected && credentials !== undefined && replay === undefined)
    throw new UsageError(
      `${credentials} has no credentials of “${auth}”, the auth entry that is used here in ${file}.`,
      "run",
      { name: auth, candidates: connections },
    );
  const typed = searchAt(app, pointer, search);
  const origins = settings.origins ?? [];
  const given = {
    ...(input === undefined ? {} : { input }),
    ...(context === undefined ? {} : { context }),
    ...(typed === undefined ? {} : { search: typed }),
    ...(connected ? { connection: auth } : {}),
  };
  if (options.saveRun === undefined)
    return await runNode(createRuntime(app, effects, { origins }), pointer, { ...given, signal, trace });
  const aimed = { ...given, origins, ...(baseUrl === undefined ? {} : { baseUrl }) };
  const { saved, outcome } = await saveRun(app, pointer, aimed, { effects, signal, onEvent });
  writeSavedRun(options.saveRun, saved);
  if ("error" in outcome) throw outcome.error;
  // As it stands in the file: it alone knows the secrets of its run.
  return "output" in saved.outcome ? (saved.outcome.output as Json) : outcome.output;
}

function saveRecording(
  file: string,
  { record, samples }: RunVerbOptions,
  { recorder }: RunWorld,
  trace: Tracer,
): void {
  if (recorder === undefined) return;
  try {
    const recording = recorder.recording((text) => trace.redact(text));
    if (record !== undefined && isAmongSamples(record, file)) {
      writeAtomically(record, samplesFile(file, recording), personal);
      note(
        `configc: the answers are in ${record}, masked as all samples are; to replay the run, record it elsewhere.`,
      );
    } else if (record !== undefined) {
      writeAtomically(record, `${JSON.stringify(recording, undefined, 2)}\n`, personal);
      note(`configc: recorded in ${record}.`);
    }
    if (samples) {
      const { folder, written } = keepSamples(file, recording);
      note(`configc: ${plural(written, "new sample")} in ${folder}.`);
    }
  } catch (error) {
    throw new UsageError(`${record ?? "The samples"} can't be written: ${reasonOf(error)}.`, "run");
  }
}

/** Requests as a dry run shows them; secrets are masked. */
function shown(requests: readonly HttpRequest[], trace: Tracer): string {
  const visible = requests.map(({ method, url, headers, body }) => ({
    method,
    url: trace.redact(shownUrl(url)),
    headers: Object.fromEntries(
      Object.entries(shownHeaders(headers)).map(([name, value]) => [
        name,
        isSecretHeader(name) ? value : trace.redact(value),
      ]),
    ),
    ...(body === undefined ? {} : { body: bodyOf(trace.redact(body)) }),
  }));
  return JSON.stringify({ requests: visible }, undefined, 2);
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
