import type { App, AppWorkflow } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import {
  type Credential,
  createRuntime,
  type Delivery,
  type Effects,
  isHttpFailure,
  type Mapping,
  memoryStore,
  RunError,
  type Store,
} from "@configc/runtime";
import type { Protocol } from "../protocol/protocol.ts";
import { Collection } from "../service/collection.ts";
import { MARK } from "../service/leaf.ts";
import { type Exchanged, Service } from "../service/service.ts";
import { Chance } from "../world/random.ts";
import type { Happening, World } from "../world/world.ts";

/** What an app is that is simulated, with what its customer chose. */
export interface Subject {
  readonly app: App;
  readonly workflow: AppWorkflow;
  readonly protocol: Protocol;
  readonly form: JsonObject;
  /** What is polled is imported once; what changes afterwards comes by webhook. */
  readonly isHistory: boolean;
  readonly mapping: Mapping | undefined;
}

/** An item that was handed to the pipeline. */
export interface Arrival {
  readonly record: number;
  /** Undefined where the item only names its record. */
  readonly version: number | undefined;
  readonly at: number;
  readonly cycle: number;
  readonly status: "delivered" | "skipped" | "failed";
  readonly failure: string | undefined;
}

/** One cycle, as it went. */
export interface CycleLog {
  readonly number: number;
  readonly startedAt: number;
  readonly reason: string;
  readonly requests: number;
  readonly results: number;
  readonly failure: { readonly message: string; readonly pointer: string } | undefined;
  readonly state: JsonObject;
  readonly exchanged: readonly Exchanged[];
  readonly happened: readonly {
    readonly at: number;
    readonly happening: Happening;
    readonly records: readonly number[];
    readonly afterRequest: number;
  }[];
  readonly arrivals: readonly Arrival[];
  /** Nothing happens at the service any more. */
  readonly isQuiet: boolean;
}

/** Everything that a world made of an app. */
export interface WorldLog {
  readonly world: World;
  readonly collection: Collection;
  readonly cycles: readonly CycleLog[];
}

/** Seconds between two cycles (D43). */
export const PERIOD = 1_800;
/** Cycles in which nothing happens, before what hasn't arrived counts as lost. */
const MOST_QUIET = 12;
/** Noon of a day like others, and a second of it that nothing rounds to. */
const BEGINNING = Date.UTC(2026, 0, 5, 12, 0, 0, 137);
/** How long a service takes to answer, in milliseconds. */
const ANSWER_TIME = 230;

/** Lets an app poll the service of a world until all is read that ever will be. */
export async function runWorld(subject: Subject, world: World): Promise<WorldLog> {
  return await new PollingWorld(subject, world).run();
}

class PollingWorld {
  readonly #subject: Subject;
  readonly #world: World;
  readonly #collection: Collection;
  readonly #service: Service;
  readonly #chance: Chance;
  readonly #arrivals: Arrival[] = [];
  readonly #inputs = new Map<string, Json>();
  #now = BEGINNING;
  #cycle = 0;
  #listRequests = 0;
  #ids = 0;
  #pending: Happening[] = [];
  #happened: { at: number; happening: Happening; records: number[]; afterRequest: number }[] = [];

  constructor(subject: Subject, world: World) {
    this.#subject = subject;
    this.#world = world;
    this.#collection = new Collection(world.only);
    this.#chance = new Chance(world.seed ^ 0x5eed);
    this.#service = new Service(subject.app, subject.protocol, this.#collection, world);
  }

  async run(): Promise<WorldLog> {
    this.#populate();
    const store = this.#watched(memoryStore());
    const runtime = createRuntime(this.#subject.app, this.#effects(), {
      store,
      name: "app",
      limits: { pollingRequests: this.#world.requests },
      webhookUrl: (hook) => `https://platform.example/${hook}`,
    });
    await this.#install(store);
    const cycles: CycleLog[] = [];
    let idle = 0;
    const { cycles: busy } = this.#world;
    const most = this.#subject.isHistory ? 1 : busy + MOST_QUIET;
    for (let number = 1; number <= Math.min(busy, most) || (idle < 2 && number <= most); number++) {
      const log = await this.#runCycle(number, () => runtime.poll("customer"), store);
      cycles.push(log);
      // Two cycles that give nothing new, and none is left that lists don't show yet.
      const isNew = log.arrivals.some(
        ({ record, version }) => !this.#wasThere(cycles.slice(0, -1), record, version),
      );
      idle = number > busy && !isNew && !log.reason.startsWith("max-") ? idle + 1 : 0;
    }
    return { world: this.#world, collection: this.#collection, cycles };
  }

  #wasThere(cycles: readonly CycleLog[], record: number, version: number | undefined): boolean {
    return cycles.some(({ arrivals }) =>
      arrivals.some((each) => each.record === record && each.version === version),
    );
  }

  #populate(): void {
    const { first, sameTime } = this.#world;
    for (let index = 0; index < first; index++)
      this.#collection.create(
        sameTime ? BEGINNING - 3_600_000 : BEGINNING - (first - index) * 47_000 - 600_000,
      );
  }

  async #install(store: Store): Promise<void> {
    const { workflow, form, mapping } = this.#subject;
    await store.transaction(async (transaction) => {
      await transaction.put("connections", {
        id: "connection",
        app: "app",
        auth: workflow.auth ?? "",
        subdomain: "customer",
      });
      await transaction.put("installations", {
        id: "customer",
        app: "app",
        workflow: workflow.name,
        status: "active",
        connection: "connection",
        settings: {
          connection: "connection",
          customData: form,
          ...(mapping === undefined ? {} : { mapping }),
        },
        revision: 1,
        createdAt: this.#now,
        changedAt: this.#now,
      });
    });
  }

  async #runCycle(
    number: number,
    poll: () => Promise<{ reason: string; requests: number; results: number }>,
    store: Store,
  ): Promise<CycleLog> {
    this.#cycle = number;
    this.#listRequests = 0;
    this.#happened = [];
    this.#pending = this.#world.happenings.filter(({ cycle }) => cycle === number);
    const start = BEGINNING + (number - 1) * PERIOD * 1_000;
    const early = this.#pending.filter(({ request }) => request === 0).sort((a, b) => b.before - a.before);
    for (const each of early) this.#happen(each, Math.max(this.#now, start - each.before * 1_000));
    this.#now = Math.max(this.#now, start);
    const from = this.#service.exchanged.length;
    const arrived = this.#arrivals.length;
    const startedAt = this.#now;
    let ended = { reason: "failed", requests: 0, results: 0 };
    let failure: CycleLog["failure"];
    try {
      ended = await poll();
    } catch (error) {
      if (!(error instanceof RunError) && !isHttpFailure(error)) throw error;
      failure = { message: error.message, pointer: error instanceof RunError ? error.pointer : "" };
    }
    // What was to happen before a request that was never sent happens after the cycle.
    for (const each of this.#pending.filter(({ request }) => request > this.#listRequests))
      this.#happen(each, this.#now + 1_000);
    const state = await store.transaction(
      async (transaction) => (await transaction.list("polling", {}))[0]?.state ?? {},
    );
    return {
      number,
      startedAt,
      reason: ended.reason,
      requests: ended.requests,
      results: ended.results,
      failure,
      state,
      exchanged: this.#service.exchanged.slice(from),
      happened: this.#happened,
      arrivals: this.#arrivals.slice(arrived),
      isQuiet: number > this.#world.cycles,
    };
  }

  #happen(happening: Happening, at: number): void {
    this.#now = Math.max(this.#now, at);
    const { what, record, times, isLate } = happening;
    const { lag } = this.#world.hypotheses;
    const shownFrom = this.#now + (isLate ? lag : 0);
    const records: number[] = [];
    for (let index = 0; index < times; index++) {
      if (what === "create") {
        records.push(this.#collection.create(this.#now, shownFrom).number);
        continue;
      }
      const live = this.#collection.live;
      if (live.length === 0) break;
      const { number } = live[(record + index) % live.length]!;
      records.push(number);
      if (what === "update") this.#collection.update(number, this.#now, shownFrom);
      else this.#collection.delete(number, this.#now);
    }
    this.#happened.push({ at: this.#now, happening, records, afterRequest: this.#listRequests });
  }

  #effects(): Effects {
    return {
      clock: {
        now: () => this.#now,
        monotonic: () => this.#now,
        sleep: async (milliseconds) => {
          this.#now += milliseconds;
        },
      },
      log: { write: () => undefined },
      random: {
        next: () => this.#chance.next(),
        id: () => `id-${++this.#ids}`,
      },
      http: {
        request: async (request) => {
          if (this.#service.isList(request)) {
            const number = this.#listRequests + 1;
            for (const each of this.#pending.filter((happening) => happening.request === number))
              this.#happen(each, this.#now + 1);
            this.#listRequests = number;
          }
          this.#now += ANSWER_TIME;
          return this.#service.answer(request, this.#now);
        },
      },
      credentials: {
        read: async () => credentialFor(this.#subject),
        write: async () => undefined,
        markBroken: async () => undefined,
        sessions: { read: async () => ({ access_token: "simulated" }), write: async () => undefined },
      },
      platform: {
        fields: async () => contactFields,
        upsert: async (_resource, item) => ({
          contact_id: `contact-${String(item["email"] ?? "")}`,
          ...item,
        }),
        sync: async () => ({ contact_id: "contact", account_id: "account", deal_id: "deal" }),
      },
    };
  }

  /** A store that tells what becomes of the items. */
  #watched(store: Store): Store {
    return {
      ...store,
      transaction: (work, options) =>
        store.transaction(
          (transaction) =>
            work({
              ...transaction,
              put: async (table, row) => {
                if (table === "deliveries") this.#settled(row as Delivery);
                await transaction.put(table, row);
              },
            }),
          options,
        ),
    };
  }

  #settled({ id, status, input, failure }: Delivery): void {
    if (input !== undefined) this.#inputs.set(id, input);
    if (status !== "delivered" && status !== "skipped" && status !== "failed") return;
    const known = this.#inputs.get(id);
    this.#inputs.delete(id);
    for (const { record, version } of marksIn(known))
      this.#arrivals.push({
        record,
        version: version ?? this.#versionNow(record),
        at: this.#now,
        cycle: this.#cycle,
        status,
        failure: failure?.message,
      });
  }

  /** An item that only names its record is read in full by the pipeline: as it is then. */
  #versionNow(record: number): number | undefined {
    return this.#collection.records[record - 1]?.versions.length;
  }
}

/** Credentials of the kind that the workflow's auth takes; nobody looks at them. */
function credentialFor({ app, workflow }: Subject): Credential {
  switch (app.auth[workflow.auth ?? ""]?.type) {
    case "basic":
    case "session":
      return { username: "customer", password: "simulated" };
    case "token":
      return { token: "simulated" };
    default:
      return { access_token: "simulated" };
  }
}

/** The records that an item is about, with the version that it shows. */
function marksIn(
  input: Json | undefined,
): readonly { readonly record: number; readonly version: number | undefined }[] {
  const found = new Map<number, number | undefined>();
  for (const [, record, version] of JSON.stringify(input ?? null).matchAll(MARK)) {
    const number = Number(record);
    found.set(number, version === undefined ? found.get(number) : Number(version));
  }
  return [...found].map(([record, version]) => ({ record, version }));
}

/** Fields of a contact as every platform has them. */
export const contactFields: Json = [
  { id: "email", title: "Email", required: true },
  { id: "first_name", title: "First name" },
  { id: "last_name", title: "Last name" },
  { id: "phone", title: "Phone" },
];
