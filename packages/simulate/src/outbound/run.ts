import type { App } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import type { Delivery, Runtime } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import { Collection, type ServiceRecord } from "../service/collection.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { tell } from "../service/leaf.ts";
import { ACCOUNT, CUSTOMER, Stage } from "../stage/stage.ts";
import { type StepFailure, tryAgain } from "../stage/tries.ts";
import { watchedStore } from "../stage/watched-store.ts";
import { type Hypotheses, kindest } from "../world/hypotheses.ts";
import { isOwnError } from "./own-error.ts";
import { ContactSite, type Deed } from "./site.ts";
import type { OutboundSubject } from "./subject.ts";
import type { ContactEvent, OutboundWorld } from "./world.ts";

/** What was done for one contact. */
export interface ContactStep {
  readonly number: number;
  readonly what: "event";
  readonly at: number;
  readonly event: ContactEvent;
  readonly exchanges: readonly Exchange[];
  /** What became of the item at last. */
  readonly status: Delivery["status"] | undefined;
  readonly failure: (StepFailure & { readonly isApps: boolean; readonly isOwn: boolean }) | undefined;
  readonly hasDied: boolean;
}

/** Everything that a world made of an outbound workflow. */
export interface OutboundLog {
  readonly world: OutboundWorld;
  readonly steps: readonly ContactStep[];
  readonly deeds: readonly Deed[];
  readonly swallowed: ContactSite["swallowed"];
  readonly exchanges: readonly Exchange[];
  readonly secrets: readonly string[];
}

/** Another version of an app that goes on with what the first one kept. */
interface OutboundTakeover {
  readonly subject: OutboundSubject;
  /** Contacts that are handed to the first version. */
  readonly after: number;
}

/** Hands contacts to a workflow, one after the other. */
export async function runOutbound(
  subject: OutboundSubject,
  world: OutboundWorld,
  takeover?: OutboundTakeover,
): Promise<OutboundLog> {
  const run = new OutboundRun(subject, world);
  await run.install();
  const steps: ContactStep[] = [];
  for (const [index, event] of world.events.entries()) {
    if (index === takeover?.after) run.replace(takeover.subject);
    steps.push(await run.handOver(index + 1, event));
  }
  return run.log(steps);
}

class OutboundRun {
  readonly #subject: OutboundSubject;
  readonly #world: OutboundWorld;
  readonly #hypotheses: Hypotheses;
  readonly #contacts = new Collection();
  readonly #site: ContactSite;
  /** The last state of each item that was kept. */
  readonly #items = new Map<string, Delivery>();
  readonly #stage: Stage;
  #runtime: Runtime;
  #app: App;

  constructor(subject: OutboundSubject, world: OutboundWorld) {
    this.#subject = subject;
    this.#app = subject.app;
    this.#world = world;
    this.#hypotheses = { ...kindest, gaps: world.gaps, texts: world.isForeign ? "foreign" : "plain" };
    const { app, answered } = subject;
    const service = { ...this.#hypotheses, gaps: false };
    this.#site = new ContactSite(app, answered, this.#contacts, world.known, service);
    this.#stage = new Stage(subject, {
      seed: world.seed,
      faults: world.faults,
      errorBody: answered.map(({ answer }) => errorBodyOf(answer)).find((body) => body !== undefined),
      watched: (store) => watchedStore(store, (row) => void this.#items.set(row.id, row)),
      serve: (request) => this.#site.answer(request, this.#stage.now),
    });
    this.#runtime = this.#stage.runtime();
  }

  async install(): Promise<void> {
    const { mapping, form: usual, skipped } = this.#subject;
    const form: JsonObject = this.#world.isSkipped ? (skipped ?? usual) : usual;
    await this.#stage.keep({
      id: CUSTOMER,
      status: "active",
      customer: 1,
      form,
      mapping,
      accountId: ACCOUNT,
    });
  }

  /** Another version of the app goes on from here. */
  replace({ app, answered }: OutboundSubject): void {
    this.#site.takeOver(app, answered);
    this.#app = app;
    this.#stage.replace(app);
    this.#runtime = this.#stage.runtime();
  }

  async handOver(number: number, event: ContactEvent): Promise<ContactStep> {
    const stage = this.#stage;
    const record = this.#recordOf(event);
    stage.now += 60_000;
    stage.begin(number);
    this.#site.step = number;
    this.#site.own = event.contact;
    const at = stage.now;
    const from = stage.exchanges.length;
    const contact = tell(this.#subject.contact, {
      record,
      version: record.versions[event.version - 1]!,
      format: "iso-seconds",
      hypotheses: this.#hypotheses,
      isOnlyEmail: false,
    });
    const key = `event-${number}`;
    const { failure, hasDied } = await tryAgain(
      stage,
      () => this.#runtime.send(CUSTOMER, contact, { key }),
      async () => {
        this.#runtime = stage.runtime();
        await this.#runtime.resume();
      },
    );
    const item = [...this.#items.values()].find(({ id }) => id.endsWith(key));
    return {
      number,
      what: "event",
      at,
      event,
      exchanges: stage.exchanges.slice(from),
      status: item?.status,
      failure: this.#failureOf(item) ?? (failure && { ...failure, isApps: false, isOwn: false }),
      hasDied,
    };
  }

  #failureOf(item: Delivery | undefined): ContactStep["failure"] {
    if (item?.status !== "failed" || item.failure === undefined) return undefined;
    const { message, pointer, kind } = item.failure;
    return { message, pointer, isApps: kind === "AppError", isOwn: isOwnError(this.#app, item.failure) };
  }

  /** The contact with the versions that it has by then. */
  #recordOf({ contact, version }: ContactEvent): ServiceRecord {
    const contacts = this.#contacts;
    while (contacts.records.length < contact) contacts.create(this.#stage.now);
    const record = contacts.records[contact - 1]!;
    while (record.versions.length < version) contacts.update(contact, this.#stage.now);
    return record;
  }

  log(steps: readonly ContactStep[]): OutboundLog {
    const { deeds, swallowed } = this.#site;
    const { exchanges, accounts } = this.#stage;
    const secrets = accounts.flatMap(({ secrets }) => secrets);
    return { world: this.#world, steps, deeds, swallowed, exchanges, secrets };
  }
}
