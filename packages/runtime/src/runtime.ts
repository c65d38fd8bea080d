import type { App, CommandId } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { unlessStuck } from "./abort.ts";
import { AnsweredRequests } from "./answered-requests.ts";
import { failingStep } from "./commands/failing-step.ts";
import { makers } from "./commands/index.ts";
import { startDeadline } from "./deadline.ts";
import type { Effects } from "./effects.ts";
import { embeddedSteps } from "./engine/embedded.ts";
import type { Steps } from "./engine/engine.ts";
import { RunError, redactedError } from "./errors.ts";
import { RateLimiter, type RateLimits } from "./http/rate-limit.ts";
import { HttpService } from "./http/service.ts";
import { createIntakes, type Intakes } from "./intake/intakes.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { ownerOf } from "./memory/memory.ts";
import { commandAt } from "./node-path.ts";
import { customDataOf } from "./personalize/custom-data.ts";
import { authAt, placeAt } from "./place.ts";
import type { RunCommand, RunOptions } from "./run-options.ts";
import { savedInMemory } from "./saved.ts";
import { createInstallations, type Installations } from "./setup/installations.ts";
import { createSetup, type Setup, type SetupOptions } from "./setup/setup.ts";
import { located } from "./source.ts";
import type { Frame, RunContext, RunPlace, SavedData, Step } from "./step.ts";
import { memoryStore } from "./store/memory.ts";
import { sealedStore } from "./store/sealed.ts";
import type { Store } from "./store/store.ts";
import type { Vault } from "./store/vault.ts";
import { createTracer, type Tracer } from "./trace.ts";
import { traced } from "./traced.ts";

/** A loaded app that can be run; see `createRuntime`. */
export interface Runtime extends Intakes {
  readonly app: App;
  readonly run: RunCommand;
  /**
   * Begins the guided setup of a workflow, or goes on with one (D43). Nothing is kept but in its `draft`; `installations` keeps it
   * in the store.
   *
   * @param draft from where it stopped
   * @throws SetupError `unknown` where the app has no such workflow, `state` where that isn't a draft
   */
  setup(workflow: string, draft?: unknown, options?: SetupOptions): Setup;
  readonly installations: Installations;
}

/** What holds for all runs of an app. */
export interface RuntimeOptions {
  /** For all runs that don't say otherwise. */
  readonly limits?: Partial<Limits>;
  /** Origins besides that of `api.base_url` to which credentials may be sent (D18). */
  readonly origins?: readonly string[];
  /** What outlives a run: installations, states, deliveries. Default: in memory. */
  readonly store?: Store;
  /** Remembers how far runs came. Default: nothing but the store does. */
  readonly engine?: Steps;
  /** The host's name for the app, in the store. Default: `app`. */
  readonly name?: string;
  /** The host's name for this version of the app: failures that are kept have it. */
  readonly version?: string;
  /** Seals in the store what apps save, and what third parties answered. */
  readonly vault?: Vault;
  /** Who may send how many requests. Default: counted for this runtime alone, in memory. */
  readonly rateLimits?: RateLimits;
  /** Is around each run of a command: to save it, for instance. */
  readonly around?: AroundRun;
  /** Is told each run of a jq program, of all runs that don't say otherwise. */
  readonly onProgram?: RunOptions["onProgram"];
  /** The public URL at which `receive` is reached, by the unguessable id that stands in it; apps with webhooks need it. */
  readonly webhookUrl?: (hook: string) => string;
}

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

/**
 * Makes a runtime for a compiled app. Each command becomes a closure when it first runs. All runs of one runtime share its
 * rate limits and token renewals.
 *
 * @param app from `compile` of `@configc/compiler`
 * @param effects everything a run may do to the world
 */
export function createRuntime(app: App, effects: Effects, options: RuntimeOptions = {}): Runtime {
  const name = options.name ?? "app";
  const { memory } = effects;
  const http = new HttpService(app, {
    name,
    origins: options.origins ?? [],
    rateLimits: options.rateLimits ?? new RateLimiter(effects.clock),
  });
  const steps = new Map<CommandId, Step>();
  const ids = new Map<string, CommandId>();
  const making = { app, http, step };
  function step(id: CommandId): Step {
    let made = steps.get(id);
    if (made === undefined) {
      const command = Object.hasOwn(app.commands, id) ? app.commands[id] : undefined;
      if (command === undefined)
        throw new RunError("NotFound", `There is no command at \`${id}\`.`, undefined);
      const make = makers.get(command.key);
      made = traced(
        command,
        make === undefined ? failingStep(command, "this version doesn't know it") : make(command, making),
      );
      steps.set(id, made);
    }
    return made;
  }

  function idOfPath(path: string): CommandId {
    let id = ids.get(path);
    if (id === undefined) {
      id = commandAt(app, path);
      ids.set(path, id);
    }
    return id;
  }

  async function run(path: string, given: RunOptions = {}): Promise<Json> {
    const node = path.startsWith("/") ? path : idOfPath(path);
    const limits = { ...defaultLimits, ...options.limits, ...given.limits };
    const context = given.context ?? {};
    const saved = given.saved ?? savedInMemory(context.data);
    const place = given.place ?? placeAt(app, node);
    const auth = given.auth ?? authAt(app, node);
    const input = given.input ?? rootsInput(context, saved, place);
    const work = async (effects: Effects, tracer: Tracer, parent: number): Promise<Json> => {
      const deadline = startDeadline(limits.time, given.signal);
      const own = given.room === undefined ? memory?.open(ownerOf(name, given.connection)) : undefined;
      const frame: Frame = {
        effects,
        limits,
        tracer,
        context,
        customData: customDataOf(app, node, place, context, effects.log),
        saved,
        place,
        usage: { requests: 0, writes: 0, search: given.search, deadline: effects.clock.now() + limits.time },
        span: parent,
        connection: given.connection,
        auth,
        signal: deadline.signal,
        room: given.room ?? own,
        // D11: index 0 is there in any command of a pipeline, piped or not.
        piped: place === "source" || place === "target" ? [input] : undefined,
        idempotencyKey: given.idempotencyKey,
        onProgram: given.onProgram ?? options.onProgram,
        journal: given.journal ?? (given.answered && new AnsweredRequests(given.answered)),
        putOff: given.putOff,
      };
      try {
        const output = step(node)(input, frame);
        return output instanceof Promise ? await unlessStuck(output, deadline.signal) : output;
      } catch (error) {
        throw redactedError(located(error, app), (text) => tracer.redact(text));
      } finally {
        deadline.end();
        own?.close();
      }
    };
    const trace = given.trace ?? createTracer(effects.clock);
    const { around, origins = [] } = options;
    if (around === undefined) return await work(effects, trace, given.parent ?? 0);
    const data = saved.read() as Json;
    const all = {
      ...given,
      limits,
      input,
      place,
      context: { ...context, data },
      ...(auth === undefined ? {} : { auth }),
    };
    return await around({ app, node, given: all, origins, effects, trace }, work);
  }
  const services = {
    app,
    run,
    effects,
    name,
    version: options.version,
    store: storeOf(options),
    engine: options.engine ?? embeddedSteps(effects.clock),
    limits: { ...defaultLimits, ...options.limits },
    vault: options.vault,
    webhookUrl: options.webhookUrl,
  };
  return {
    app,
    run,
    setup: (workflow, draft, given) => createSetup(services, workflow, draft, given),
    installations: createInstallations(services),
    ...createIntakes(services),
  };
}

function storeOf({ store = memoryStore(), vault }: RuntimeOptions): Store {
  return vault === undefined ? store : sealedStore(store, vault);
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
