import type { App, Model } from "@configc/compiler";
import type { Plan } from "../run/plan.ts";

/** A config that was compiled. */
export interface Compiled {
  readonly model: Model;
  readonly app: App;
}

/** A run that is ready to begin. */
export interface Prepared {
  /** Path of the config. */
  readonly file: string;
  readonly compiled: Compiled;
  /** Whether the text isn't that of the file: it is shown from here then. */
  readonly isOtherText: boolean;
  /** With another `api.base_url`, if one was given. */
  readonly app: App;
  readonly plan: Plan;
  readonly origins: readonly string[];
  /** What answers the run; understood by the thread that runs it. */
  readonly source: unknown;
  /** Whether it answers the same each time. */
  readonly repeatable: boolean;
  /** What answers after an edit, if it is something else. */
  readonly afterEdit?: unknown;
  /** What a person calls the run. */
  readonly title: string;
  /** For people, before it begins. */
  readonly notes: readonly string[];
}

/** What the adapter asks of whoever has files and the network. */
export interface Launcher {
  /** File that calls `debugInThread`. */
  readonly entry: URL;
  /** The config in a file as it is now. @throws Error that says why it can't be read */
  compile(file: string): Compiled;
  /**
   * Understands a launch configuration.
   *
   * @param isAttach it names a run that is over already, to be gone through
   * @throws Error for people
   */
  prepare(configuration: Readonly<Record<string, unknown>>, isAttach: boolean): Promise<Prepared>;
}
