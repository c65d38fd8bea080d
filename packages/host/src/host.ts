import type { App } from "@configc/compiler";
import { createRuntime, type Effects, type Runtime } from "@configc/runtime";
import { nodeEffects } from "./effects.ts";

export interface HostOptions {
  /** Compiled apps by a name that the host chooses. */
  readonly apps: Readonly<Record<string, App>>;
  /** Instead of Node's own. */
  readonly effects?: Partial<Effects>;
}

export interface Host {
  /** The runtime of an app; undefined for a name that wasn't given. */
  runtime(name: string): Runtime | undefined;
}

/** Runs apps with Node's effects. */
export function createHost({ apps, effects }: HostOptions): Host {
  const all = { ...nodeEffects(), ...effects };
  const runtimes = new Map(Object.entries(apps).map(([name, app]) => [name, createRuntime(app, all)]));
  return { runtime: (name) => runtimes.get(name) };
}
