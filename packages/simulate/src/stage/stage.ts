import type { App, AppWorkflow } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import {
  type AroundRun,
  createRuntime,
  type Effects,
  type HttpRequest,
  type HttpResponse,
  type Mapping,
  memoryStore,
  type Runtime,
  type RuntimeOptions,
  type Store,
} from "@configc/runtime";
import type { CoverageOf } from "../coverage/coverage.ts";
import type { Exchange } from "../exchange.ts";
import type { Fault } from "../world/fault.ts";
import { Chance } from "../world/random.ts";
import { Account } from "./account.ts";
import { CrashingStore } from "./crashing-store.ts";
import { Gateway } from "./gateway.ts";

/** An app as one customer set it up. */
export interface Installed {
  readonly app: App;
  readonly workflow: AppWorkflow;
  readonly form: JsonObject;
  readonly mapping: Mapping | undefined;
  /** Is told what runs; undefined: nobody looks. */
  readonly coverage?: CoverageOf | undefined;
  /** Is around each run of a command, instead of `coverage`. */
  readonly around?: AroundRun | undefined;
}

/** What is different from stage to stage. */
interface StageOptions {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly serve: (request: HttpRequest, now: number) => HttpResponse | Promise<HttpResponse>;
  /** Customers, each with an account of their own. Default 1. */
  readonly customers?: number;
  readonly limits?: RuntimeOptions["limits"];
  /** The store as the runtime is to see it. */
  readonly watched?: (store: Store) => Store;
  /** What the service says with status 200 where it failed, as the app knows it. */
  readonly errorBody?: string | undefined;
}

/** Something that was written to the platform. */
export interface PlatformWrite {
  /** That of the item, and which of its writes it is. */
  readonly key: string | undefined;
  readonly item: Json;
}

/** One of the installations of an app, as it is kept. */
interface InstalledAs {
  readonly id: string;
  readonly status: "active" | "paused";
  /** Number of the customer. */
  readonly customer: number;
  readonly form: JsonObject;
  readonly mapping: Mapping | undefined;
  /** What describe_connection and describe_selection gave. */
  readonly accountId?: string | undefined;
  readonly resourceId?: string | undefined;
}

/** Noon of a day like others, and a second of it that nothing rounds to. */
export const BEGINNING = Date.UTC(2026, 0, 5, 12, 0, 0, 137);
/** The customer's installation. */
export const CUSTOMER = "customer";

/** The real runtime over a simulated service, clock and platform, on which anything can go wrong. */
export class Stage {
  now = BEGINNING;
  readonly accounts: readonly Account[];
  readonly writes: PlatformWrite[] = [];
  /** What was kept, whatever becomes of processes. */
  readonly kept: Store;
  readonly #installed: Installed;
  readonly #options: StageOptions;
  readonly #mortal: CrashingStore;
  readonly #door: Gateway;
  readonly #chance: Chance;
  #app: App;
  #ids = 0;

  constructor(installed: Installed, options: StageOptions) {
    this.#installed = installed;
    this.#app = installed.app;
    this.#options = options;
    this.#chance = new Chance(options.seed ^ 0x5eed);
    this.accounts = Array.from(
      { length: options.customers ?? 1 },
      (_, index) => new Account(installed.app, installed.workflow, index + 1),
    );
    const store = memoryStore();
    this.kept = store;
    this.#mortal = new CrashingStore(options.watched?.(store) ?? store, options.faults);
    this.#door = new Gateway(
      {
        serve: (request) => options.serve(request, this.now),
        issue: (request) => {
          for (const account of this.accounts) {
            const issued = account.issue(request);
            if (issued !== undefined) return issued;
          }
          return undefined;
        },
        isExpired: (request) => this.accounts.some((account) => account.isExpired(request)),
        expire: () => {
          for (const account of this.accounts) account.expire();
        },
        now: () => this.now,
        pass: (milliseconds) => {
          this.now += milliseconds;
        },
        errorBody: options.errorBody ?? '{"error":"busy"}',
      },
      options.faults,
    );
  }

  get exchanges(): Exchange[] {
    return this.#door.exchanges;
  }

  /** Whether the process has ended: `runtime` makes another one. */
  get isDead(): boolean {
    return this.#mortal.isDead;
  }

  /** Begins to count requests and commits anew. */
  begin(step: number): void {
    this.#door.begin(step);
    this.#mortal.begin(step);
  }

  /** From the next process on another version of the app runs, with what the customer chose in the first one. */
  replace(app: App): void {
    this.#app = app;
  }

  /** A process: over what was kept by those before it. */
  runtime(): Runtime {
    if (this.#mortal.isDead) this.#mortal.revive();
    const { limits } = this.#options;
    const { coverage, around } = this.#installed;
    return createRuntime(this.#app, this.#effects(), {
      store: this.#mortal.store,
      name: "app",
      ...(limits === undefined ? {} : { limits }),
      ...(coverage === undefined ? {} : watchedBy(coverage)),
      ...(around === undefined ? {} : { around }),
      webhookUrl: (hook) => `${WEBHOOKS}${hook}`,
    });
  }

  /** Keeps the one installation of the one customer. */
  async install(): Promise<void> {
    const { form, mapping } = this.#installed;
    await this.keep({ id: CUSTOMER, status: "active", customer: 1, form, mapping, accountId: ACCOUNT });
  }

  /** Keeps an installation, with the connection of its customer. */
  async keep({ id, status, customer, form, mapping, accountId, resourceId }: InstalledAs): Promise<void> {
    const { workflow } = this.#installed;
    const connection = connectionOf(customer);
    await this.kept.transaction(async (transaction) => {
      await transaction.put("connections", {
        id: connection,
        app: "app",
        auth: workflow.auth ?? "",
        subdomain: "customer",
        ...(accountId === undefined ? {} : { accountId }),
      });
      await transaction.put("installations", {
        id,
        app: "app",
        workflow: workflow.name,
        status,
        connection,
        settings: {
          connection,
          customData: form,
          ...(accountId === undefined ? {} : { accountId }),
          ...(resourceId === undefined ? {} : { resourceId }),
          ...(mapping === undefined ? {} : { mapping }),
        },
        revision: 1,
        createdAt: this.now,
        changedAt: this.now,
      });
    });
  }

  get #credentials(): Effects["credentials"] {
    const of = (connection: string): Effects["credentials"] | undefined =>
      this.accounts.find((_, index) => connectionOf(index + 1) === connection)?.effect;
    return {
      read: async (connection) => of(connection)?.read(connection),
      write: async (connection, credential) => of(connection)?.write(connection, credential),
      markBroken: async () => undefined,
      sessions: {
        read: async (connection) => of(connection)?.sessions?.read(connection),
        write: async (connection, token) => of(connection)?.sessions?.write(connection, token),
      },
    };
  }

  #effects(): Effects {
    return {
      clock: {
        now: () => this.now,
        monotonic: () => this.now,
        sleep: async (milliseconds) => {
          this.now += milliseconds;
        },
      },
      log: { write: () => undefined },
      random: { next: () => this.#chance.next(), id: () => `id-${++this.#ids}` },
      http: {
        request: async (request) => {
          this.#mortal.alive();
          return this.#door.request(request);
        },
      },
      credentials: this.#credentials,
      platform: {
        fields: async () => contactFields,
        upsert: async (_resource, item, { key }) => {
          this.#wrote(key, item);
          return { contact_id: `contact-${String(item["email"] ?? "")}`, ...item };
        },
        sync: async (_resource, _action, data, _signal, key) => {
          this.#wrote(key, data);
          return { contact_id: "contact", account_id: "account", deal_id: "deal" };
        },
      },
    };
  }

  #wrote(key: string | undefined, item: Json): void {
    this.#mortal.alive();
    this.writes.push({ key, item });
  }
}

/** Tells what runs, beside whoever else wants to know. */
function watchedBy(coverage: CoverageOf): Pick<RuntimeOptions, "around" | "onProgram"> {
  return {
    onProgram: (run) => coverage.addProgram(run),
    around: ({ effects, trace }, work) =>
      work(
        effects,
        {
          listening: true,
          event(parent, node, ...traced) {
            if (traced[0] === "step") coverage.addCommand(node);
            return trace.listening ? trace.event(parent, node, ...traced) : 0;
          },
          secret: (text) => trace.secret(text),
          redact: (text, longest) => trace.redact(text, longest),
        },
        0,
      ),
  };
}

/** The connection of a customer. */
export function connectionOf(customer: number): string {
  return customer === 1 ? "connection" : `connection-${customer}`;
}

/** Where webhooks of the app are, by the unguessable id behind it. */
export const WEBHOOKS = "https://platform.example/hooks/";
/** The id of the connected account. */
export const ACCOUNT = "account-1";

/** Fields of a contact as every platform has them. */
const contactFields: Json = [
  { id: "email", title: "Email", required: true },
  { id: "first_name", title: "First name" },
  { id: "last_name", title: "Last name" },
  { id: "phone", title: "Phone" },
];
