import {
  authAt,
  createRuntime,
  createTracer,
  type HttpRequest,
  isSecretHeader,
  shownHeaders,
  shownUrl,
  type Tracer,
} from "@configc/runtime";
import type { Arguments } from "../command-line/arguments.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { plural } from "../command-line/words.ts";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import { findRunnable, type LoadedConfig, loadConfig, type Runnable, withBaseUrl } from "../run/config.ts";
import { type RunWorld, worldOf } from "../run/effects.ts";
import { execute } from "../run/execute.ts";
import { failureOf, failureText } from "../run/failure.ts";
import { interruptible } from "../run/interrupt.ts";
import { keepSamples } from "../run/keep-samples.ts";
import { laidOut } from "../run/layout.ts";
import { logIn } from "../run/login.ts";
import { type RunVerbOptions, runOptions } from "../run/options.ts";
import { searchAt } from "../run/search.ts";
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
  const config = { ...loaded, app: withBaseUrl(loaded.app, options.baseUrl, "run") };
  const requests: HttpRequest[] = [];
  const world = await worldOf(options, config, (request) => requests.push(request));
  const view = options.trace ? new TraceView(styleOf(hasColour(process.stderr)), note) : undefined;
  const trace = createTracer(world.effects.clock, (event) => view?.add(event));
  const interrupt = interruptible();
  try {
    const output = await perform(config, runnable, options, world, trace, interrupt.signal);
    print(`${options.dryRun ? shown(requests, trace) : laidOut(output)}\n`);
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
    if (options.json) print(`${JSON.stringify({ error: failure }, undefined, 2)}\n`);
    else note(`configc: ${failureText(failure, config, widthOf(process.stderr))}`);
    return 1;
  } finally {
    interrupt.end();
    saveRecording(file, options, world, trace);
  }
}

async function perform(
  { app, settings, file }: LoadedConfig,
  runnable: Runnable,
  { input, context, search, credentials, replay, login }: RunVerbOptions,
  { effects, connections, http, file: credentialsFile }: RunWorld,
  trace: Tracer,
  signal: AbortSignal,
) {
  const auth = authAt(app, runnable.pointer);
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
  const typed = searchAt(app, runnable.pointer, search);
  return await execute(createRuntime(app, effects, { origins: settings.origins ?? [] }), runnable, {
    ...(input === undefined ? {} : { input }),
    ...(context === undefined ? {} : { context }),
    ...(typed === undefined ? {} : { search: typed }),
    ...(connected ? { connection: auth } : {}),
    signal,
    trace,
  });
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
    if (record !== undefined) {
      writeAtomically(record, `${JSON.stringify(recording, undefined, 2)}\n`);
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
