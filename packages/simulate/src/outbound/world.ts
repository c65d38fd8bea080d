import { type Fault, plannedFaults, randomFault } from "../world/fault.ts";
import { fewerEvents, withoutEach } from "../world/fewer.ts";
import { Chance } from "../world/random.ts";

/** A contact that the platform hands to an outbound workflow. */
export interface ContactEvent {
  /** Number of the contact, from 1. */
  readonly contact: number;
  /** Which of its versions, from 1. */
  readonly version: number;
}

/** All that decides a run of an outbound workflow but the app. */
export interface OutboundWorld {
  readonly kind: "outbound";
  readonly seed: number;
  readonly events: readonly ContactEvent[];
  /** Contacts with numbers up to this one are known to the service before. */
  readonly known: number;
  /** The customer skipped the optional fields of the setup. */
  readonly isSkipped: boolean;
  /** Members that programs can do without are null or absent. */
  readonly gaps: boolean;
  /** Long texts and foreign scripts. */
  readonly isForeign: boolean;
  /** A step is an event. */
  readonly faults: readonly Fault[];
}

/** What is known of an app that decides which worlds are worth trying. */
export interface OutboundExtent {
  /** Requests that one contact takes. */
  readonly requests: number;
  readonly hasOptionalFields: boolean;
  readonly hasErrorBody: boolean;
}

/** One contact, whom the service doesn't know. */
export const plainContact: OutboundWorld = {
  kind: "outbound",
  seed: 0,
  events: [{ contact: 1, version: 1 }],
  known: 0,
  isSkipped: false,
  gaps: false,
  isForeign: false,
  faults: [],
};

/** Worlds that try one thing each, the usual ones first. */
export function plannedOutboundWorlds(extent: OutboundExtent): readonly OutboundWorld[] {
  const world = (change: Partial<OutboundWorld>): OutboundWorld => ({ ...plainContact, ...change });
  const contacts = (count: number): ContactEvent[] =>
    Array.from({ length: count }, (_, index) => ({ contact: index + 1, version: 1 }));
  const worlds = [
    world({}),
    world({ known: 1 }),
    world({ events: contacts(2) }),
    world({
      events: [
        { contact: 1, version: 1 },
        { contact: 1, version: 2 },
      ],
    }),
    world({ events: contacts(3), known: 3 }),
    world({ events: contacts(6), gaps: true }),
    world({ events: contacts(6), gaps: true, known: 6 }),
    world({ isForeign: true, events: contacts(2) }),
    world({ events: contacts(12) }),
    ...(extent.hasOptionalFields ? [world({ isSkipped: true }), world({ isSkipped: true, known: 1 })] : []),
  ];
  const requests = Math.min(MOST_FAULTY, Math.max(1, extent.requests));
  for (const fault of plannedFaults(extent.hasErrorBody)) {
    const places = fault.what === "death" ? [fault.at] : Array.from({ length: requests }, (_, at) => at + 1);
    for (const at of places) worlds.push(world({ faults: [{ ...fault, at }], events: contacts(2) }));
  }
  return worlds;
}

/** Of the requests for one contact, so many are tried to go wrong. */
const MOST_FAULTY = 5;

/** A world that a seed decides. */
export function randomOutboundWorld(seed: number, extent: OutboundExtent): OutboundWorld {
  const chance = new Chance(seed);
  const versions = new Map<number, number>();
  const events = Array.from({ length: chance.between(1, 6) }, (): ContactEvent => {
    const contact = chance.between(1, 4);
    const version = (versions.get(contact) ?? 0) + 1;
    versions.set(contact, version);
    return { contact, version };
  });
  return {
    kind: "outbound",
    seed,
    events,
    known: chance.below(3),
    isSkipped: extent.hasOptionalFields && chance.is(0.3),
    gaps: chance.is(0.3),
    isForeign: chance.is(0.2),
    faults: chance.is(0.4) ? [randomFault(chance, events.length)] : [],
  };
}

/** Worlds that are a little less than this one, the largest steps first. */
export function* smallerOutboundWorlds(world: OutboundWorld): Generator<OutboundWorld> {
  const { events, faults, known } = world;
  for (const name of ["isSkipped", "gaps", "isForeign"] as const)
    if (world[name]) yield { ...world, [name]: false };
  for (const fewer of withoutEach(faults)) yield { ...world, faults: fewer };
  for (const fewer of fewerEvents(events)) yield { ...world, events: fewer };
  if (known > 0) yield { ...world, known: known - 1 };
}
