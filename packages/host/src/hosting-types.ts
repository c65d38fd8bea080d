import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "@configc/compiler";
import type {
  AroundRun,
  Effects,
  Engine,
  Limits,
  RateLimits,
  ReceivedDelivery,
  Runtime,
  Store,
  Vault,
} from "@configc/runtime";
import type { SharedCircuits } from "./circuits/index.ts";
import type { Observe } from "./observe.ts";
import type { SaveRunsOptions } from "./saved-run/host-runs.ts";
import type { Candidates } from "./scheduler/look.ts";
import type { Looked } from "./scheduler/looked.ts";
import type { JobReport } from "./scheduler/scheduler.ts";
import type { Versions } from "./scheduler/versions.ts";

/** What every host takes, on whatever it stands. */
export interface HostingOptions {
  /** Compiled apps by a name that the host chooses; it stands in webhook URLs and in the store. */
  readonly apps: Readonly<Record<string, App>>;
  /** Where the third parties reach `handle`, such as `https://hooks.example.com/in`; apps with webhooks need it. */
  readonly publicUrl?: string;
  /** Instead of Node's own: the platform above all. */
  readonly effects?: Partial<Effects>;
  /** Lets requests reach this machine and private networks: for tests. */
  readonly allowPrivateNetwork?: boolean;
  readonly limits?: Partial<Limits>;
  /** Bytes that answers, payloads and what is made of them may take up together. Default: half of V8's heap, shared by all hosts of the process. */
  readonly memory?: number;
  /**
   * Whose a webhook's request is, such as the address that a proxy of yours names: each source has a share of what is read at a time. Default: the
   * address of the connection if it is a public one, else the webhook.
   */
  readonly sourceOf?: (request: IncomingMessage) => string | undefined;
  /** Further origins that may have an app's credentials, by app (D18). */
  readonly origins?: Readonly<Record<string, readonly string[]>>;
  readonly schedule?: ScheduleOptions;
  /** Keeps runs as files that can be replayed, sealed by the host's key. Default: none. */
  readonly saveRuns?: SaveRunsOptions;
  /** Is told each payload that a webhook sends and that isn't refused, also one that can't be routed. */
  readonly onDelivery?: (app: string, delivery: ReceivedDelivery) => void;
  /** Looks on: for telemetry. */
  readonly observe?: Observe;
  /** Is told what the host did by itself, and what failed. */
  readonly report?: (report: JobReport) => void;
}

/** How often a host looks at what is due, and how much it does at once. */
export interface ScheduleOptions {
  /** Seconds between two looks at what is due. Default 5. */
  readonly interval?: number;
  /** Installations that one process works for at once. Default 8. */
  readonly parallel?: number;
  /** Days for which deliveries are kept that have arrived. Default 7. */
  readonly retentionDays?: number;
  /** Days for which deliveries are kept that failed, so that they can be retried (D35). Default 30. */
  readonly failedDays?: number;
}

/** Apps with everything that it takes to run them as a service. */
export interface Host {
  /** The runtime of an app; undefined for a name that wasn't given. */
  runtime(name: string): Runtime | undefined;
  /**
   * Has new runs begin with another version of an app; what is under way in this process ends with its own.
   *
   * @param origins further ones that may have its credentials; by default those of before
   * @throws Error for a name that wasn't given
   */
  publish(name: string, app: App, origins?: readonly string[]): Runtime;
  readonly store: Store;
  readonly vault: Vault;
  readonly effects: Effects;
  /** Finishes what an earlier process left, then polls and delivers whatever is due, from now on. */
  start(): Promise<void>;
  /** Delivers what waits for an installation soon, without waiting for it. */
  deliver(app: string, installation: string): void;
  /**
   * Tries again now what failed or waits for its time, also at services that don't answer.
   *
   * @param installation undefined: all of the app
   * @returns how many installations had something to try
   */
  retry(app: string, installation?: string): Promise<number>;
  /**
   * Answers a request to a webhook's URL.
   *
   * @returns false for any other path: nothing was done
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Resolves when nothing is under way (any more). */
  idle(): Promise<void>;
  /**
   * Begins nothing more, lets what is under way come to the end of an item, and closes the state. Webhooks are taken until then.
   * A second call waits for the first.
   *
   * @param grace milliseconds until it is cancelled in the middle, and requests are cut that haven't come to their end; default 10,000
   */
  close(grace?: number): Promise<void>;
}

/** What a host stands on. */
export interface HostParts {
  readonly store: Store;
  readonly vault: Vault;
  readonly engine: Engine;
  /** Which installations there are to look after. Default: asked of the store, one after the other. */
  readonly candidates?: Candidates;
  /** Counts requests for all processes. Default: each process counts its own. */
  readonly rateLimits?: RateLimits;
  /** Keeps the versions of the apps. Default: each has one, that of now. */
  readonly versions?: (current: ReadonlyMap<string, Runtime>, runtimeOf: RuntimeOf) => Promise<Versions>;
  /** Tells other processes which services don't answer. Default: there are none. */
  readonly sharedCircuits?: SharedCircuits;
  /** Is told how an app is served after each look, by whichever process looked. Default: nobody is. */
  readonly looked?: (look: Looked) => Promise<void>;
  /** Is around each run of a command. Default: nobody is. */
  readonly around?: AroundRun;
  /** Ends what was opened for it. */
  close(): Promise<void>;
}

/** Makes a runtime as the host's own are. */
export type RuntimeOf = (name: string, app: App) => Runtime;
