import type { App, CommandId } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { unlessStuck } from "./abort.ts";
import { AnsweredRequests } from "./answered-requests.ts";
import { startDeadline } from "./deadline.ts";
import type { Effects } from "./effects.ts";
import { redactedError } from "./errors.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { ownerOf } from "./memory/memory.ts";
import { commandAt } from "./node-path.ts";
import { customDataOf } from "./personalize/custom-data.ts";
import { authAt, placeAt } from "./place.ts";
import type { RunCommand, RunOptions } from "./run-options.ts";
import { savedInMemory } from "./saved.ts";
import { located } from "./source.ts";
import type { Frame, RunContext, RunPlace, SavedData, Step } from "./step.ts";
import { createTracer, type Tracer } from "./trace.ts";

/** A run of a command that is about to begin. */
export interface BegunRun {
  readonly app: App;
  /** JSON Pointer of the command. */
  readonly node: string;
  /** All that decides it: with its input, and in `context.data` what was saved before. */
  readonly given: RunOptions & { readonly input: Json; readonly context: RunContext };
  /** Further origins that may get credentials (D18). */
  readonly origins: readonly string[];
  readonly effects: Effects;
  readonly trace: Tracer;
}

/**
 * Lets a run happen, with these effects and this tracer or with others that stand in between.
 *
 * @param work `parent` is the event of that tracer which the run belongs to
 */
export type AroundRun = (
  run: BegunRun,
  work: (effects: Effects, trace: Tracer, parent: number) => Promise<Json>,
) => Promise<Json>;

/** What the runs of an app's commands have in common. */
interface RunParts {
  readonly app: App;
  readonly name: string;
  readonly effects: Effects;
  readonly origins: readonly string[];
  readonly step: (id: CommandId) => Step;
  readonly limits?: Partial<Limits>;
  readonly around?: AroundRun;
  readonly onProgram?: RunOptions["onProgram"];
}

/** Runs commands of an app. */
export function runsOf(parts: RunParts): RunCommand {
  const { app, effects, origins, around } = parts;
  const defaults: RunDefaults = { limits: { ...defaultLimits, ...parts.limits }, stands: standsOf(app) };
  const ids = new Map<string, CommandId>();
  function idOfPath(path: string): CommandId {
    let id = ids.get(path);
    if (id === undefined) {
      id = commandAt(app, path);
      ids.set(path, id);
    }
    return id;
  }

  function begin(path: string, given: RunOptions): Promise<Json> {
    const node = path.startsWith("/") ? path : idOfPath(path);
    const run = beginning(node, given, defaults);
    const trace = given.trace ?? createTracer(effects.clock);
    if (around === undefined) return perform(run, parts, effects, trace, given.parent ?? 0);
    const work: Parameters<AroundRun>[1] = (effects, trace, parent) =>
      perform(run, parts, effects, trace, parent);
    return around({ app, node, given: decidedBy(run), origins, effects, trace }, work);
  }

  // Not `async`, for a promise less: each item comes through here twice.
  return (path, given = {}) => {
    try {
      return begin(path, given);
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

/** A run with all that its options leave open. */
interface Beginning {
  readonly node: string;
  readonly given: RunOptions;
  readonly limits: Limits;
  readonly context: RunContext;
  readonly saved: SavedData;
  readonly place: RunPlace;
  readonly auth: string | undefined;
  readonly input: Json;
}

/** What holds for runs whose options leave it open. */
interface RunDefaults {
  readonly limits: Limits;
  readonly stands: (node: string) => Stand;
}

/** Where a command stands, and whose credentials it has there. */
interface Stand {
  readonly place: RunPlace;
  readonly auth: string | undefined;
}

/** Found once for each command of the app. */
function standsOf(app: App): (node: string) => Stand {
  const stands = new Map<string, Stand>();
  return (node) => {
    let stand = stands.get(node);
    if (stand === undefined) {
      stand = { place: placeAt(app, node), auth: authAt(app, node) };
      if (Object.hasOwn(app.commands, node)) stands.set(node, stand);
    }
    return stand;
  };
}

function beginning(node: string, given: RunOptions, { limits, stands }: RunDefaults): Beginning {
  const context = given.context ?? {};
  const saved = given.saved ?? savedInMemory(context.data);
  const stand = stands(node);
  const place = given.place ?? stand.place;
  return {
    node,
    given,
    limits: given.limits === undefined ? limits : { ...limits, ...given.limits },
    context,
    saved,
    place,
    auth: given.auth ?? stand.auth,
    input: given.input ?? rootsInput(context, saved, place),
  };
}

/** All that decides a run, for whoever is around it. */
function decidedBy({ given, limits, context, saved, place, auth, input }: Beginning): BegunRun["given"] {
  const data = saved.read() as Json;
  return {
    ...given,
    limits,
    input,
    place,
    context: { ...context, data },
    ...(auth === undefined ? {} : { auth }),
  };
}

async function perform(
  run: Beginning,
  parts: RunParts,
  effects: Effects,
  tracer: Tracer,
  parent: number,
): Promise<Json> {
  const { app, name, step } = parts;
  const { node, given, limits, input } = run;
  const deadline = startDeadline(limits.time, given.signal);
  const { memory } = parts.effects;
  const own = given.room === undefined ? memory?.open(ownerOf(name, given.connection)) : undefined;
  const { signal } = deadline;
  const frame = frameOf(run, parts, { effects, tracer, span: parent, signal, room: given.room ?? own });
  try {
    const output = step(node)(input, frame);
    if (!(output instanceof Promise)) return output;
    deadline.wait();
    return await unlessStuck(output, signal);
  } catch (error) {
    throw redactedError(located(error, app), (text) => tracer.redact(text));
  } finally {
    deadline.end();
    own?.close();
  }
}

function frameOf(
  { node, given, limits, context, saved, place, auth, input }: Beginning,
  { app, onProgram }: RunParts,
  { effects, tracer, span, signal, room }: Pick<Frame, "effects" | "tracer" | "span" | "signal" | "room">,
): Frame {
  return {
    effects,
    limits,
    tracer,
    context,
    customData: customDataOf(app, node, place, context, effects.log),
    saved,
    place,
    usage: { requests: 0, writes: 0, search: given.search, deadline: effects.clock.now() + limits.time },
    span,
    connection: given.connection,
    auth,
    signal,
    room,
    // D11: index 0 is there in any command of a pipeline, piped or not.
    piped: place === "source" || place === "target" ? [input] : undefined,
    idempotencyKey: given.idempotencyKey,
    onProgram: given.onProgram ?? onProgram,
    journal: given.journal ?? (given.answered && new AnsweredRequests(given.answered)),
    putOff: given.putOff,
  };
}

/** D16: the input of a command that is in no pipeline: the roots that are legal there. */
function rootsInput(context: RunContext, saved: SavedData, place: RunPlace): Json {
  if (place === "source" || place === "target") return null;
  const { custom_data, polling_state, webhook } = context;
  const roots: Record<string, Json> = { data: saved.read() as JsonObject };
  if (custom_data !== undefined) roots["custom_data"] = custom_data;
  if (place === "polling") roots["polling_state"] = polling_state ?? {};
  if (webhook !== undefined) roots["webhook"] = { url: webhook.url };
  return roots;
}
