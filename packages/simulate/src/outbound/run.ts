import type { JsonObject } from "@configc/jq";
import type { Delivery, Runtime } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import { Collection } from "../service/collection.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { tell } from "../service/leaf.ts";
import { ACCOUNT, CUSTOMER, Stage } from "../stage/stage.ts";
import { type StepFailure, tryAgain } from "../stage/tries.ts";
import { watchedStore } from "../stage/watched-store.ts";
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
  readonly failure: (StepFailure & { readonly isApps: boolean }) | undefined;
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
export interface OutboundTakeover {
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
    watched: (store) => watchedStore(store, (row) => void items.set(row.id, row)),
    serve: (request) => site.answer(request, stage.now),
  });
  let runtime: Runtime = stage.runtime();
  const { mapping } = subject;
  const form: JsonObject = world.isSkipped ? (subject.skipped ?? subject.form) : subject.form;
  await stage.keep({ id: CUSTOMER, status: "active", customer: 1, form, mapping, accountId: ACCOUNT });
  const steps: ContactStep[] = [];
  for (const [index, event] of world.events.entries()) {
    if (index === takeover?.after) {
      const { app, answered } = takeover.subject;
      site.takeOver(app, answered);
      stage.replace(app);
      runtime = stage.runtime();
    }
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
    const { failure: lastly, hasDied } = await tryAgain(
      stage,
      () => runtime.send(CUSTOMER, contact, { key: `event-${index + 1}` }),
      async () => {
        runtime = stage.runtime();
        await runtime.resume();
      },
    );
    let failure: ContactStep["failure"] = lastly === undefined ? undefined : { ...lastly, isApps: false };
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
