import type { App } from "@configc/compiler";
import {
  type AroundRun,
  createRuntime,
  type Effects,
  type Engine,
  type Limits,
  type RateLimits,
  type Runtime,
  type Store,
  type Vault,
} from "@configc/runtime";
import { type Circuits, watchedHttp } from "./circuits/index.ts";
import type { RuntimeOf } from "./hosting-types.ts";
import { versionOf } from "./scheduler/versions.ts";

/** What the runtimes of a host have in common. */
interface SharedParts {
  readonly store: Store;
  readonly vault: Vault;
  readonly engine: Engine;
  readonly effects: Effects;
  readonly circuits: Circuits;
  readonly rateLimits: RateLimits | undefined;
  readonly limits: Partial<Limits> | undefined;
  readonly around: AroundRun | undefined;
  /** Below which webhooks arrive, without a slash at its end. */
  readonly base: string | undefined;
  /** Further origins that may have an app's credentials, by app (D18). */
  readonly origins: Readonly<Record<string, readonly string[]>>;
}

/** The apps of a host as runtimes, by name. */
export class HostedRuntimes {
  readonly #shared: SharedParts;
  readonly #origins: Map<string, readonly string[]>;
  readonly #current: Map<string, Runtime>;

  readonly make: RuntimeOf = (name, app) => {
    const { store, vault, engine, effects, circuits, rateLimits, limits, around, base } = this.#shared;
    return createRuntime(
      app,
      { ...effects, http: watchedHttp(effects.http, name, app, circuits) },
      {
        ...(around === undefined ? {} : { around }),
        name,
        version: versionOf(name, app),
        store,
        vault,
        engine,
        ...(rateLimits === undefined ? {} : { rateLimits }),
        ...(limits === undefined ? {} : { limits }),
        origins: this.#origins.get(name) ?? [],
        ...(base === undefined
          ? {}
          : { webhookUrl: (hook: string) => [base, ...[name, hook].map(encodeURIComponent)].join("/") }),
      },
    );
  };

  constructor(apps: Readonly<Record<string, App>>, shared: SharedParts) {
    this.#shared = shared;
    this.#origins = new Map(Object.entries(shared.origins));
    this.#current = new Map(Object.entries(apps).map(([name, app]) => [name, this.make(name, app)]));
  }

  /** The version of each app that new runs begin with. */
  get current(): ReadonlyMap<string, Runtime> {
    return this.#current;
  }

  /** As `Host.publish`. */
  publish(name: string, app: App, origins: readonly string[] | undefined): Runtime {
    if (!this.#current.has(name)) throw new Error(`The host has no app called “${name}”.`);
    if (origins !== undefined) this.#origins.set(name, origins);
    const runtime = this.make(name, app);
    this.#current.set(name, runtime);
    return runtime;
  }
}
