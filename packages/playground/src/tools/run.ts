import { type App, findNode, type Model, pointerTo } from "@configc/compiler";
import {
  credentialsInMemory,
  embeddedPlatform,
  replayHttp,
  sameValue,
  steppedClock,
} from "@configc/host/portable";
import {
  authAt,
  createRuntime,
  createTracer,
  type Effects,
  type Http,
  type Json,
  pollOnce,
  printExact,
  RunError,
  type RunOptions,
  type Runtime,
  runPipeline,
  shownUrl,
  type TraceEvent,
} from "@configc/runtime";
import { compiled } from "./compiled.ts";
import { keyAt } from "./place.ts";
import type { RunFailure, RunReport, Source } from "./protocol.ts";
import { readTest, type Test } from "./test-case.ts";

/** Where the clock stands in a case that doesn't say, as for `configc test`. */
const DEFAULT_NOW = "2025-01-01T00:00:00Z";

/**
 * Runs a case of a test file on its recorded answers: a command, a cycle of a polling intake, or the pipeline of a workflow. It
 * reaches no network, and doesn't wait.
 *
 * @throws Error if the case can't be read, or what it names can't be run
 */
export async function run(source: Source, given: string): Promise<RunReport> {
  const test = readTest(given);
  const { model, app } = compiled(source);
  const pointer = nodeOf(model, test.run);
  const http = replayHttp(test.http ?? []);
  let unanswered: RunReport["unanswered"];
  const effects = effectsOf(test, {
    async request(sent) {
      try {
        return await http.request(sent);
      } catch (error) {
        // A recorded failure of the network is no RunError.
        if (error instanceof RunError) unanswered = { method: sent.method, url: shownUrl(sent.url) };
        throw error;
      }
    },
  });
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => void events.push(event));
  const auth = authAt(app, pointer);
  const connected = auth !== undefined && Object.hasOwn(test.credentials ?? {}, auth);
  const search = searchAt(app, pointer, test.search);
  const began = performance.now();
  const outcome = await settle(model, () =>
    execute(createRuntime(app, effects), pointer, {
      ...(test.input === undefined ? {} : { input: test.input }),
      ...(test.context === undefined ? {} : { context: test.context }),
      ...(connected ? { connection: auth } : {}),
      ...(search === undefined ? {} : { search }),
      trace,
    }),
  );
  const expected = expectationOf(test, outcome);
  return {
    ...("failure" in outcome ? { failure: outcome.failure } : { output: laidOut(outcome.output) }),
    ...(expected === undefined ? {} : { expected }),
    ...(unanswered === undefined ? {} : { unanswered }),
    unused: http.unused().length,
    events,
    milliseconds: performance.now() - began,
  };
}

type Outcome = { readonly output: Json } | { readonly failure: RunFailure };

async function settle(model: Model, perform: () => Promise<Json>): Promise<Outcome> {
  try {
    return { output: await perform() };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { kind, message, span, pointer } = error;
    const place = keyAt(model, pointer) ?? span;
    return {
      failure: {
        kind,
        message,
        ...(place === undefined ? {} : { span: { start: place.start, end: place.end } }),
      },
    };
  }
}

function effectsOf({ now = DEFAULT_NOW, credentials = {} }: Test, http: Http): Effects {
  let ids = 0;
  return {
    clock: steppedClock(Date.parse(now)),
    random: { next: () => 0.5, id: () => `id-${++ids}` },
    log: { write: () => undefined },
    http,
    credentials: credentialsInMemory(credentials),
    platform: embeddedPlatform(),
  };
}

function nodeOf(model: Model, path: string): string {
  const found = findNode(model, path);
  if ("node" in found) return pointerTo(found.node);
  if (found.problem === "bad-syntax") throw new Error(`In \`run\`, a name isn't closed: ${found.written}`);
  const known = found.candidates.slice(0, 8).map((name) => `\`${name}\``);
  const there = known.length === 0 ? "" : ` There is ${known.join(", ")}.`;
  throw new Error(`\`run\` names \`${found.written}\`, which isn't in this config.${there}`);
}

async function execute(runtime: Runtime, pointer: string, options: RunOptions): Promise<Json> {
  const { commands, workflows, intakes } = runtime.app;
  if (Object.hasOwn(commands, pointer)) return await runtime.run(pointer, options);
  const workflow = workflows.find((each) => each.pointer === pointer);
  if (workflow !== undefined) return { ...(await runPipeline(runtime, workflow, options)) };
  const intake = intakes.find((each) => each.pointer === pointer);
  if (intake?.type === "polling") return { ...(await pollOnce(runtime, intake, options)) } as unknown as Json;
  throw new Error(
    `\`run\` names no command, polling intake or workflow: there is nothing to run at ${pointer}.`,
  );
}

/** What is typed into the form field whose options a command gives (D43). */
function searchAt({ workflows }: App, pointer: string, term: string | undefined) {
  const fields = workflows.flatMap(({ setup }) => setup.select?.fields ?? []);
  const parameter = fields.find((field) => pointer.startsWith(`${field.pointer}/`))?.searchTerm;
  return term === undefined || parameter === undefined ? undefined : { parameter, term };
}

function expectationOf({ expect, expectError }: Test, outcome: Outcome): boolean | undefined {
  if (expectError !== undefined)
    return (
      "failure" in outcome &&
      (expectError.kind ?? outcome.failure.kind) === outcome.failure.kind &&
      outcome.failure.message.includes(expectError.message ?? "")
    );
  if (expect === undefined) return undefined;
  return "output" in outcome && sameValue(expect, outcome.output);
}

/** Numbers keep their digits, which `JSON.stringify` alone would round. */
function laidOut(value: Json): string {
  const text = printExact(value);
  const parsed: unknown = JSON.parse(text);
  const laid = JSON.stringify(parsed, undefined, 2);
  return JSON.stringify(parsed) === text ? laid : text;
}
