import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { type Launcher, Places, type Prepared } from "@configc/debug/adapter";
import { credentialsFile, isSavedRun, type SavedRun } from "@configc/host";
import { caseOptions, isRecording } from "@configc/host/internal";
import type { Json } from "@configc/jq";
import type { Credential, Limits, RunContext, RunOptions } from "@configc/runtime";
import { authAt, nodeKind } from "@configc/runtime/internal";
import { type KnownApp, readWorld, type World } from "@configc/simulate";
import { startsOf } from "../apptest/cycle-times.ts";
import { type CaseCycle, readTests, type TestCase } from "../apptest/test-file.ts";
import { compileConfig, findRunnable, type LoadedConfig, withBaseUrl } from "../run/config.ts";
import { readJsonFile } from "../run/read-input.ts";
import { compileKnown } from "../simulate/compile-known.ts";
import { readWorldFileBeside } from "../simulate/read-world-file.ts";
import { recordingsOfWorld } from "../simulate/save/world-recordings.ts";
import type { RunSource } from "./effects.ts";
import { readRecorded } from "./recorded.ts";
import { versionOf } from "./version.ts";

/** A launch configuration, as it stands in `launch.json`. */
export interface LaunchConfiguration {
  /** The config. With `test` it may be left out. */
  readonly program?: string;
  /** What is run: as for `configc run`. */
  readonly node?: string;
  /** Instead of `node`: the command, intake or workflow at a line, from 1. */
  readonly line?: number;
  readonly input?: Json;
  /** Values of the roots, or the file that has them. */
  readonly context?: RunContext | string;
  /** The credentials file, or what would stand in it. */
  readonly credentials?: string | Readonly<Record<string, Credential>>;
  readonly baseUrl?: string;
  readonly allowPrivateNetwork?: boolean;
  readonly search?: string;
  /** Instead of those of a run. */
  readonly limits?: Partial<Limits>;
  /** A recording or a saved run that answers. */
  readonly replay?: string;
  /** The file of the key by which a host has sealed it. */
  readonly key?: string;
  /** A file of tests, and the name of a case in it. */
  readonly test?: string;
  readonly case?: string;
  /** Of a case with several cycles: which one by itself, from 1; by default all. Of one with a world: which of its runs. */
  readonly cycle?: number;
  /** Who answers after something was edited: the service, one that is simulated, or whoever did before. */
  readonly afterEdit?: "live" | "simulated" | "same";
}

/** Reads what a run that is debugged needs from files. */
export function launcher(): Launcher {
  return {
    entry: new URL("./debug-worker.cjs", import.meta.url),
    compile: (file) => compileConfig(file, "debug"),
    prepare: async (configuration, isAttach) =>
      await prepared(configuration as LaunchConfiguration, isAttach),
  };
}

/** What is run, and what answers it. */
export async function prepared(configuration: LaunchConfiguration, isAttach = false): Promise<Prepared> {
  const { test, replay } = configuration;
  if (isAttach && replay === undefined)
    throw new Error("One attaches to a run that is over: `replay` names its file.");
  if (test !== undefined) return await ofCase(configuration, test);
  const program = required(configuration.program, "program", "the config to debug");
  const loaded = load(program);
  if (replay === undefined) return await live(configuration, loaded);
  const { key } = configuration;
  const value = await readRecorded(from(program, replay), key === undefined ? undefined : from(program, key));
  if (isSavedRun(value)) return await ofSavedRun(configuration, loaded, value);
  if (!isRecording(value))
    throw new Error(
      `${replay} is no recording or saved run of this version. “configc run … --save-run” makes one.`,
    );
  const node = nodeOf(configuration, loaded);
  const given = givenOf(configuration, loaded, node, Object.keys(value.credentials));
  return {
    ...(await common(configuration, loaded, node, given)),
    source: { kind: "recording", recording: value } satisfies RunSource,
    repeatable: true,
  };
}

async function live(configuration: LaunchConfiguration, loaded: LoadedConfig): Promise<Prepared> {
  const node = nodeOf(configuration, loaded);
  const source = liveSource(configuration, loaded);
  const { credentials } = source;
  const names =
    typeof credentials === "string"
      ? (await credentialsFile(credentials)).names()
      : Object.keys(credentials ?? {});
  const given = givenOf(configuration, loaded, node, names);
  return { ...(await common(configuration, loaded, node, given)), source, repeatable: false };
}

/** Credentials that the editor keeps: launch configurations can be read by others. */
const CREDENTIALS = "CONFIGC_DEBUG_CREDENTIALS";
const fromEditor = process.env[CREDENTIALS];
delete process.env[CREDENTIALS];

function liveSource(
  { allowPrivateNetwork = false, ...configuration }: LaunchConfiguration,
  { settings, file }: LoadedConfig,
): Extract<RunSource, { kind: "live" }> {
  const credentials =
    configuration.credentials ??
    (fromEditor === undefined ? undefined : (JSON.parse(fromEditor) as Readonly<Record<string, Credential>>));
  return {
    kind: "live",
    allowPrivateNetwork,
    resources: settings.resources,
    ...(credentials === undefined
      ? {}
      : { credentials: typeof credentials === "string" ? from(file, credentials) : credentials }),
  };
}

async function ofSavedRun(
  configuration: LaunchConfiguration,
  present: LoadedConfig,
  saved: SavedRun,
): Promise<Prepared> {
  const { loaded, notes, isOtherText } = await versionOf(present, saved);
  const { origins, baseUrl, quotas: _, ...rest } = saved.given;
  // A saved run of a workflow carried over one item, and be it none.
  const given =
    nodeKind(loaded.app, saved.node) === "workflow" ? { ...rest, input: rest.input ?? null } : rest;
  const all = { ...configuration, ...(baseUrl === undefined ? {} : { baseUrl }) };
  return {
    ...(await common(all, loaded, saved.node, given)),
    ...(origins === undefined ? {} : { origins }),
    isOtherText,
    notes: [
      ...notes,
      ...(saved.cancelled === undefined
        ? []
        : ["The saved run was cancelled. Here it goes on for as long as it is answered."]),
    ],
    source: { kind: "recording", recording: saved.heard } satisfies RunSource,
    repeatable: true,
  };
}

async function ofCase(configuration: LaunchConfiguration, test: string): Promise<Prepared> {
  const path = resolve(test);
  const read = readTests({ absolute: path, path: test });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const name = required(configuration.case, "case", "the case to debug");
  const found = read.tests.cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${test} has no case “${name}”.`);
  const loaded = load(resolve(dirname(path), read.tests.config));
  if (found.world !== undefined) return await ofWorld(configuration, loaded, found);
  const runnable = findRunnable(loaded, found.run);
  if ("problem" in runnable) throw new Error(runnable.problem);
  const { pointer } = runnable;
  const { cycles } = found;
  const number = configuration.cycle;
  const cycle = cycles?.[(number ?? 1) - 1];
  if (cycles !== undefined && cycle === undefined)
    throw new Error(`“${name}” has ${cycles.length} cycles, and no number ${number}.`);
  if (cycles !== undefined && number === undefined)
    return await ofCycles(configuration, loaded, found, pointer, cycles);
  const given: TestCase = cycle === undefined ? found : { ...found, ...cycle };
  const options = caseOptions(given, loaded.app, pointer);
  // A case of a workflow carries over one item, and be it none.
  const isItem = cycles === undefined && nodeKind(loaded.app, pointer) === "workflow";
  return {
    ...(await common(configuration, loaded, pointer, {
      ...options,
      ...(isItem ? { input: options.input ?? null } : {}),
    })),
    title: name,
    notes:
      cycles === undefined || cycles.length === 1
        ? []
        : [`This is cycle ${number} of ${cycles.length} by itself, on the state that the case gives.`],
    source: { kind: "case", given, resources: loaded.settings.resources } satisfies RunSource,
    repeatable: true,
  };
}

/** All cycles of a case, each on the state that the one before it left. */
async function ofCycles(
  configuration: LaunchConfiguration,
  loaded: LoadedConfig,
  test: TestCase,
  pointer: string,
  cycles: readonly CaseCycle[],
): Promise<Prepared> {
  const prepared = await common(configuration, loaded, pointer, caseOptions(test, loaded.app, pointer));
  const starts = startsOf(test, cycles);
  return {
    ...prepared,
    plan: { ...prepared.plan, cycles: cycles.length },
    title: test.name,
    source: {
      kind: "case",
      given: test,
      cycles: cycles.map(({ http = [] }, index) => ({ start: starts[index] ?? 0, http })),
      resources: loaded.settings.resources,
    } satisfies RunSource,
    repeatable: true,
  };
}

/** A world of a simulation, as its first run or the one that is named: each cycle, and each item, is a run of its own there. */
async function ofWorld(
  configuration: LaunchConfiguration,
  loaded: LoadedConfig,
  test: TestCase,
): Promise<Prepared> {
  const read = readWorld(test.world);
  if ("problems" in read) throw new Error(`\`world\` can't be used. ${read.problems.join(" ")}`);
  const runnable = findRunnable(loaded, test.run);
  if ("problem" in runnable) throw new Error(runnable.problem);
  const workflow = loaded.app.workflows.find(({ pointer }) => pointer === runnable.pointer);
  if (workflow === undefined) throw new Error(`${test.run} is no workflow.`);
  const told = await recordingsOfWorld(
    (await compileKnown(loaded.file, "debug")).app,
    workflow.name,
    read.world,
    readWorldFileBeside(loaded.file, loaded.app),
  );
  if ("reason" in told) throw new Error(`This world can't be debugged: ${told.reason}.`);
  const { runs } = told;
  const number = configuration.cycle ?? 1;
  const run = runs[number - 1];
  if (run === undefined) throw new Error(`That world has ${runs.length} runs, and no number ${number}.`);
  const { origins: _, baseUrl: __, quotas: ___, ...given } = run.saved.given;
  return {
    ...(await common(configuration, loaded, run.saved.node, given)),
    title: `${test.name}: ${run.part}`,
    notes: [
      `The service is simulated. This is ${run.part}, run ${number} of ${runs.length}; \`cycle\` in the launch configuration chooses another one.`,
    ],
    source: { kind: "recording", recording: run.saved.heard } satisfies RunSource,
    repeatable: true,
    ...(await afterEditOf(configuration, loaded, read.world.kind === "polling" ? read.world : undefined)),
  };
}

type Common = Omit<Prepared, "source" | "repeatable">;

async function common(
  configuration: LaunchConfiguration,
  loaded: LoadedConfig,
  node: string,
  given: Prepared["plan"]["given"],
): Promise<Common> {
  const { model, app, settings, file } = loaded;
  const { baseUrl } = configuration;
  return {
    file,
    compiled: { model, app },
    isOtherText: false,
    app: withBaseUrl(app, baseUrl, "debug"),
    plan: { node, given },
    origins: settings.origins ?? [],
    title: titleOf(loaded, node),
    notes: [],
    ...(await afterEditOf(configuration, loaded)),
  };
}

/** A world goes on by itself, unless something else is wanted. */
async function afterEditOf(
  configuration: LaunchConfiguration,
  loaded: LoadedConfig,
  world?: World,
): Promise<Pick<Prepared, "afterEdit">> {
  const { afterEdit = world === undefined ? "same" : "simulated" } = configuration;
  if (afterEdit === "live") return { afterEdit: liveSource(configuration, loaded) };
  if (afterEdit !== "simulated") return {};
  const known = readWorldFileBeside(loaded.file, loaded.app);
  const { known: api } = (await compileKnown(loaded.file, "debug")).app as KnownApp;
  return {
    afterEdit: {
      kind: "simulated",
      resources: loaded.settings.resources,
      ...(api === undefined ? {} : { api }),
      ...(world === undefined ? {} : { world }),
      ...(known === undefined ? {} : { known }),
    } satisfies RunSource,
  };
}

function titleOf({ app }: LoadedConfig, node: string): string {
  const named = [...app.workflows, ...app.intakes].find(({ pointer }) => pointer === node);
  return named?.name ?? node;
}

function givenOf(
  { input, context, search, limits }: LaunchConfiguration,
  { app, file }: LoadedConfig,
  node: string,
  connected: readonly string[],
): Prepared["plan"]["given"] {
  const read = typeof context === "string" ? (readJsonFile(from(file, context)) as RunContext) : context;
  const auth = authAt(app, node);
  const typed = search === undefined ? {} : caseOptions({ run: node, search }, app, node);
  const given: Pick<RunOptions, "input" | "context" | "connection" | "search" | "limits"> = {
    ...(input === undefined ? {} : { input }),
    ...(read === undefined ? {} : { context: read }),
    ...typed,
    ...(limits === undefined ? {} : { limits }),
    ...(auth !== undefined && connected.includes(auth) ? { connection: auth } : {}),
  };
  return given;
}

/** The named node, or the one at a line: the command there, else what is around it. */
function nodeOf({ node, line }: LaunchConfiguration, loaded: LoadedConfig): string {
  if (node !== undefined) {
    const found = findRunnable(loaded, node);
    if ("problem" in found) throw new Error(found.problem);
    return found.pointer;
  }
  if (line !== undefined) {
    const at = runnableAt(loaded, line);
    if (at !== undefined) return at;
  }
  const [first] = loaded.app.workflows;
  if (first !== undefined) return first.pointer;
  throw new Error("`node` of the launch configuration says what is to be run: as for “configc run”.");
}

/** The outermost command at a line, since an inner one has no input of its own yet; else the intake or workflow around it. */
function runnableAt({ model, app }: LoadedConfig, line: number): string | undefined {
  let pointer = new Places(model, app).commandAround(line)?.pointer;
  if (pointer !== undefined) {
    const outer = Object.keys(app.commands).filter((id) => pointer === id || pointer?.startsWith(`${id}/`));
    pointer = outer.sort((a, b) => a.length - b.length)[0];
    const pipeline = app.workflows.find((each) => each.source === pointer || each.target === pointer);
    const intake = app.intakes.find((each) => pointer?.startsWith(`${each.pointer}/`));
    // What belongs to a whole is run as one.
    return pipeline?.pointer ?? (intake?.type === "polling" ? intake.pointer : pointer);
  }
  const offset = model.document.lines.lineStart(line);
  for (const each of [...app.workflows, ...app.intakes]) {
    const found = findNode(model, each.pointer);
    if (
      "node" in found &&
      found.node.start <= offset &&
      offset < found.node.end &&
      nodeKind(app, each.pointer) !== undefined
    )
      return pointerTo(found.node);
  }
  return undefined;
}

function load(program: string): LoadedConfig {
  if (!existsSync(program)) throw new Error(`${program} isn't there.`);
  return compileConfig(program, "debug");
}

/** A path as it stands in a launch configuration: from the folder of the config. */
function from(file: string, path: string): string {
  if (isAbsolute(path)) return path;
  const beside = resolve(dirname(file), path);
  return existsSync(beside) ? beside : resolve(path);
}

function required(value: string | undefined, name: string, what: string): string {
  if (value === undefined) throw new Error(`The launch configuration lacks \`${name}\`: ${what}.`);
  return value;
}
