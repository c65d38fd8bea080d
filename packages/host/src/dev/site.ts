import type { App, AppWorkflow } from "@configc/compiler";
import type { Runtime, TraceEvent } from "@configc/runtime";
import type { Host } from "../hosting-types.ts";
import type { LoginClient, PendingLogin } from "../login/index.ts";

/** What all pages work with. Another version of the config is another site; what has begun on the old one ends there. */
export interface Site {
  readonly app: App;
  /** Name of the app, in the store and in webhook URLs. */
  readonly name: string;
  /** Of the config. */
  readonly file: string;
  /** Of the pages: loopback. */
  readonly origin: string;
  /** Where services reach webhooks. */
  readonly hooks: string;
  readonly host: Host;
  readonly runtime: Runtime;
  /** The client's id and secret where the config has placeholders. */
  readonly client: (auth: string) => LoginClient;
  /** Logins that have begun, by their state; those who come back are few. */
  readonly logins: Map<string, BegunLogin>;
  readonly runs: Runs;
  /** Why the config as it is now isn't the one that runs. */
  readonly problem: string | undefined;
}

export interface BegunLogin {
  readonly pending: PendingLogin;
  readonly installation: string;
  readonly client: LoginClient;
}

/** Runs that were begun on a page, the newest last, with their traces. */
export class Runs {
  readonly #kept: Run[] = [];
  #last = 0;

  /**
   * Runs something, and keeps what happened in it.
   *
   * @param from path of the page with its button
   * @returns its number
   */
  async run(
    what: string,
    from: string,
    work: (trace: (event: TraceEvent) => void) => Promise<unknown>,
  ): Promise<number> {
    const events: TraceEvent[] = [];
    const run: Run = { number: ++this.#last, what, from, events, result: undefined, error: undefined };
    this.#kept.push(run);
    if (this.#kept.length > MOST_RUNS) this.#kept.shift();
    try {
      run.result = await work((event) => {
        if (events.length < MOST_EVENTS) events.push(event);
      });
    } catch (error) {
      run.error = error;
    }
    return run.number;
  }

  get(number: number): Run | undefined {
    return this.#kept.find((run) => run.number === number);
  }
}

interface Run {
  readonly number: number;
  readonly what: string;
  readonly from: string;
  readonly events: readonly TraceEvent[];
  result: unknown;
  error: unknown;
}

const MOST_RUNS = 30;
const MOST_EVENTS = 3_000;

/** A refused request of a page. */
export class PageError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "PageError";
    this.status = status;
  }
}

/** @throws PageError where the config has no such workflow any more */
export function workflowNamed({ app }: Site, name: string): AppWorkflow {
  const found = app.workflows.find((each) => each.name === name);
  if (found === undefined) throw new PageError(404, `The config has no workflow “${name}” any more.`);
  return found;
}
