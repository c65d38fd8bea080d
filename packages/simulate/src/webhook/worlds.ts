import { type Fault, type FaultKind, plannedFaults } from "../world/fault.ts";
import { fewerEvents, withoutEach } from "../world/fewer.ts";
import { Chance } from "../world/random.ts";
import type { WebhookEvent, WebhookWorld } from "./world.ts";

/** What is known of an app that decides which worlds are worth trying. */
export interface WebhookExtent {
  readonly hasHistory: boolean;
  /** Genuine deliveries can be told from forged ones. */
  readonly isProved: boolean;
  /** Proofs are made of the body. */
  readonly isSigned: boolean;
  readonly hasErrorBody: boolean;
  readonly changes: readonly WebhookEvent["what"][];
}

/** A service that makes it easy: one record is created, and told once. */
export const plainest: WebhookWorld = {
  kind: "webhook",
  seed: 0,
  first: 0,
  duringImport: 0,
  events: [{ what: "create", record: 0, times: 1, later: 0, forged: undefined }],
  installations: 1,
  isSetUpAgain: false,
  isNumbered: true,
  isSpaced: false,
  gaps: false,
  isForeign: false,
  faults: [],
};

const event = (what: WebhookEvent["what"], rest: Partial<WebhookEvent> = {}): WebhookEvent => ({
  what,
  record: 0,
  times: 1,
  later: 0,
  forged: undefined,
  ...rest,
});

/** Worlds that try one thing each, the usual ones first. */
export function plannedWebhookWorlds(extent: WebhookExtent): readonly WebhookWorld[] {
  const { hasHistory, isProved, isSigned, changes } = extent;
  const world = (change: Partial<WebhookWorld>): WebhookWorld => ({
    ...plainest,
    first: hasHistory ? 1 : 0,
    ...change,
  });
  const creations = (count: number): WebhookEvent[] => Array.from({ length: count }, () => event("create"));
  const worlds = [
    world({}),
    world({ events: [event("create"), event("update"), event("update"), event("create"), event("delete")] }),
    world({ isSpaced: true }),
    ...(isProved
      ? [
          world({ events: [event("create", { forged: "unsigned" })] }),
          world({ events: [event("create", { forged: "signature" })] }),
          ...(isSigned ? [world({ events: [event("create"), event("create", { forged: "body" })] })] : []),
        ]
      : []),
    world({ events: [event("create", { times: 2 }), event("update", { times: 3 })] }),
    world({ events: [event("create", { times: 2 }), event("update", { times: 2 })], isNumbered: false }),
    world({ events: [event("create"), event("update", { later: 2 }), event("update"), event("create")] }),
    world({ isSetUpAgain: true }),
    world({ installations: 2, events: creations(4) }),
    world({ installations: 2, events: creations(2), isSetUpAgain: true }),
    world({ gaps: true, events: creations(6) }),
    world({ isForeign: true, events: creations(2) }),
    world({ events: creations(12) }),
    ...(hasHistory
      ? [
          world({ first: 5 }),
          world({ first: 5, duringImport: 2, events: [event("update"), event("create"), event("update")] }),
          world({ first: 0 }),
        ]
      : []),
  ];
  const event1 = hasHistory ? 3 : 2;
  for (const fault of plannedFaults(extent.hasErrorBody)) {
    const at = fault.what === "death" ? fault.at : 1;
    worlds.push(world({ faults: [{ ...fault, step: 1, at }] }));
    worlds.push(
      world({ faults: [{ ...fault, step: event1, at }], events: [event("create"), event("create")] }),
    );
    if (!refusing.has(fault.what)) {
      worlds.push(world({ faults: [{ ...fault, step: event1 + 1, at }] }));
      worlds.push(world({ faults: [{ ...fault, step: event1 + 1, at }], isSetUpAgain: true }));
    }
  }
  return worlds.filter(({ events }) => events.every(({ what }) => changes.includes(what)));
}

/** A service that refuses a removal has said that it keeps on calling: nobody can do more. */
const refusing: ReadonlySet<FaultKind> = new Set([401, 403, 404, 409, 422]);

/** A world that a seed decides. */
export function randomWebhookWorld(seed: number, extent: WebhookExtent): WebhookWorld {
  const chance = new Chance(seed);
  const { hasHistory, isProved, isSigned, changes } = extent;
  const forgeries = isSigned
    ? (["unsigned", "signature", "body"] as const)
    : (["unsigned", "signature"] as const);
  const count = chance.between(1, 8);
  const events = Array.from(
    { length: count },
    (_, index): WebhookEvent =>
      event(index === 0 ? "create" : chance.pick(changes), {
        record: chance.below(100),
        times: chance.is(0.2) ? 2 : 1,
        later: chance.is(0.2) ? chance.between(1, 3) : 0,
        forged: isProved && index > 0 && chance.is(0.15) ? chance.pick(forgeries) : undefined,
      }),
  );
  const steps = (hasHistory ? 2 : 1) + count;
  const planned = plannedFaults(extent.hasErrorBody);
  const faults = (): readonly Fault[] => {
    const fault = chance.pick(planned);
    const last = refusing.has(fault.what) ? steps : steps + 1;
    return [
      {
        ...fault,
        step: chance.between(1, last),
        at: fault.what === "death" ? fault.at : chance.between(1, 2),
      },
    ];
  };
  return {
    kind: "webhook",
    seed,
    first: hasHistory ? chance.below(6) : 0,
    duringImport: hasHistory ? chance.below(3) : 0,
    events,
    installations: chance.is(0.3) ? 2 : 1,
    isSetUpAgain: chance.is(0.25),
    isNumbered: chance.is(0.6),
    isSpaced: chance.is(0.4),
    gaps: chance.is(0.2),
    isForeign: chance.is(0.1),
    faults: chance.is(0.3) ? faults() : [],
  };
}

/** Worlds that are a little less than this one, the largest steps first. */
export function* smallerWebhookWorlds(world: WebhookWorld): Generator<WebhookWorld> {
  const { events, faults, installations, first, duringImport } = world;
  for (const name of ["isSetUpAgain", "isSpaced", "gaps", "isForeign"] as const)
    if (world[name]) yield { ...world, [name]: false };
  if (!world.isNumbered) yield { ...world, isNumbered: true };
  if (installations > 1) yield { ...world, installations: 1 };
  for (const fewer of withoutEach(faults)) yield { ...world, faults: fewer };
  for (const fewer of fewerEvents(events)) yield { ...world, events: fewer };
  for (const less of new Set([0, first >> 1, first - 1]))
    if (less >= 0 && less < first) yield { ...world, first: less };
  if (duringImport > 0) yield { ...world, duringImport: duringImport - 1 };
  for (const each of events) {
    const simpler = (change: Partial<WebhookEvent>): WebhookWorld => ({
      ...world,
      events: events.map((other) => (other === each ? { ...each, ...change } : other)),
    });
    if (each.times > 1) yield simpler({ times: each.times - 1 });
    if (each.later > 0) yield simpler({ later: 0 });
    if (each.what !== "create") yield simpler({ what: "create" });
    if (each.record > 0) yield simpler({ record: 0 });
  }
}
