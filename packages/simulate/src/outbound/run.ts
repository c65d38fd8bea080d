import type { JsonObject } from "@configc/jq";
import { type Delivery, isHttpFailure, RunError, type Runtime, type Store } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import { Collection } from "../service/collection.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { tell } from "../service/leaf.ts";
import { ACCOUNT, CUSTOMER, Stage } from "../stage/stage.ts";
import { kindest } from "../world/hypotheses.ts";
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
  readonly failure:
    | { readonly message: string; readonly pointer: string; readonly isApps: boolean }
    | undefined;
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

/** Tries of something that fails for the surroundings' sake, and the time between them. */
const TRIES = 6;
const BETWEEN = 900_000;

/** Hands contacts to a workflow, one after the other. */
export async function runOutbound(subject: OutboundSubject, world: OutboundWorld): Promise<OutboundLog> {
  const hypotheses = {
    ...kindest,
    gaps: world.gaps,
    texts: world.isForeign ? "foreign" : "plain",
  } as const;
  const contacts = new Collection();
  const site = new ContactSite(subject.app, subject.answered, contacts, world.known, {
    ...hypotheses,
    gaps: false,
  });
  const items = new Map<string, Delivery>();
  const stage: Stage = new Stage(subject, {
    seed: world.seed,
    faults: world.faults,
    errorBody: subject.answered.map(({ answer }) => errorBodyOf(answer)).find((body) => body !== undefined),
    watched: (store) => watched(store, items),
    serve: (request) => site.answer(request, stage.now),
  });
  let runtime: Runtime = stage.runtime();
  const { mapping } = subject;
  const form: JsonObject = world.isSkipped ? (subject.skipped ?? subject.form) : subject.form;
  await stage.keep({ id: CUSTOMER, status: "active", customer: 1, form, mapping, accountId: ACCOUNT });
  const steps: ContactStep[] = [];
  for (const [index, event] of world.events.entries()) {
    while (contacts.records.length < event.contact) contacts.create(stage.now);
    const record = contacts.records[event.contact - 1]!;
    while (record.versions.length < event.version) contacts.update(event.contact, stage.now);
    stage.now += 60_000;
    stage.begin(index + 1);
    site.step = index + 1;
    const at = stage.now;
    const from = stage.exchanges.length;
    const contact = tell(subject.contact, {
      record,
      version: record.versions[event.version - 1]!,
      format: "iso-seconds",
      hypotheses,
      isOnlyEmail: false,
    });
    let hasDied = false;
    let failure: ContactStep["failure"];
    for (let tries = 0; tries < TRIES; tries++) {
      failure = undefined;
      try {
        await runtime.send(CUSTOMER, contact, { key: `event-${index + 1}` });
        break;
      } catch (error) {
        if (stage.isDead) {
          hasDied = true;
          runtime = stage.runtime();
          await runtime.resume();
          continue;
        }
        if (!(error instanceof RunError) && !isHttpFailure(error)) throw error;
        const pointer = error instanceof RunError ? error.pointer : "";
        failure = { message: error.message, pointer, isApps: false };
        stage.now += BETWEEN;
      }
    }
    const item = [...items.values()].find(({ id }) => id.endsWith(`event-${index + 1}`));
    if (item?.status === "failed" && item.failure !== undefined) {
      const { message, pointer, kind } = item.failure;
      failure = { message, pointer, isApps: kind === "AppError" };
    }
    steps.push({
      number: index + 1,
      what: "event",
      at,
      event,
      exchanges: stage.exchanges.slice(from),
      status: item?.status,
      failure,
      hasDied,
    });
  }
  return {
    world,
    steps,
    deeds: site.deeds,
    swallowed: site.swallowed,
    exchanges: stage.exchanges,
    secrets: stage.accounts.flatMap(({ secrets }) => secrets),
  };
}

/** A store that tells what becomes of the items. */
function watched(store: Store, items: Map<string, Delivery>): Store {
  return {
    ...store,
    transaction: (work, options) =>
      store.transaction(
        (transaction) =>
          work({
            ...transaction,
            put: async (table, row) => {
              await transaction.put(table, row);
              if (table === "deliveries") items.set(row.id, row as Delivery);
            },
          }),
        options,
      ),
  };
}
