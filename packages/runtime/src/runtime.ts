import type { App } from "@configc/compiler";
import type { Effects } from "./effects.ts";
import { embeddedSteps } from "./engine/embedded.ts";
import type { Steps } from "./engine/engine.ts";
import { RateLimiter, type RateLimits } from "./http/rate-limit.ts";
import { HttpService } from "./http/service.ts";
import { createIntakes, type Intakes } from "./intake/intakes.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { RunCommand, RunOptions } from "./run-options.ts";
import { type AroundRun, runsOf } from "./runs.ts";
import { createInstallations, type Installations } from "./setup/installations.ts";
import type { SetupOptions } from "./setup/session.ts";
import { createSetup, type Setup } from "./setup/setup.ts";
import { stepsOf } from "./steps.ts";
import { memoryStore } from "./store/memory.ts";
import { sealedStore } from "./store/sealed.ts";
import type { Store } from "./store/store.ts";
import type { Vault } from "./store/vault.ts";

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

/**
 * Makes a runtime for a compiled app. Each command becomes a closure when it first runs. All runs of one runtime share its
 * rate limits and token renewals.
 *
 * @param app from `compile` of `@configc/compiler`
 * @param effects everything a run may do to the world
 */
export function createRuntime(app: App, effects: Effects, options: RuntimeOptions = {}): Runtime {
  const name = options.name ?? "app";
  const { origins = [], rateLimits = new RateLimiter(effects.clock) } = options;
  const http = new HttpService(app, { name, origins, rateLimits });
  const run = runsOf({ ...options, app, name, effects, origins, step: stepsOf(app, http) });
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
