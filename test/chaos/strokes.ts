import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres, Standby } from "../support/postgres.ts";
import type { Fleet } from "./fleet.ts";
import { QUOTA, type Source } from "./source.ts";

/** What strokes hit. */
export interface Struck {
  readonly fleet: Fleet;
  readonly postgres: Postgres;
  readonly source: Source;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly progress: (text: string) => void;
  /** Strokes that are still to come, the next one last. */
  readonly deck: StrokeName[];
  /** What makes the database go back, with the next stroke of that kind. */
  pending?: () => Promise<void>;
}

/** Milliseconds: longer than a lock lives without a sign, and than a worker does (10 s, 12 s). */
const STANDSTILL = 15_000;
/** Milliseconds for which the third party has its moods: one answer takes longer than others wait for it. */
const MOOD = 12_000;

/** A worker is killed. Half of them come back at once; the others' runs are taken over. */
async function kill({ fleet, random, progress }: Struck): Promise<boolean> {
  const slot = fleet.slot(random());
  const back = random() < 0.5 ? 0 : STANDSTILL;
  if (!fleet.kill(slot)) return false;
  progress(`${slot} killed`);
  setTimeout(() => fleet.start(slot), back).unref();
  return true;
}

/** A worker stands still for so long that others have taken its locks and its runs, and then goes on as if nothing had been. */
async function standstill({ fleet, random, progress }: Struck): Promise<boolean> {
  const slot = fleet.slot(random());
  const goOn = fleet.stop(slot);
  if (goOn === undefined) return false;
  progress(`${slot} stands still`);
  setTimeout(goOn, STANDSTILL).unref();
  return true;
}

async function restart({ postgres, random, progress }: Struck): Promise<boolean> {
  await (random() < 0.5 ? postgres.kill() : Promise.resolve());
  await postgres.restart();
  progress("postgres restarted");
  return true;
}

/** A back-up is made, and at another time the fleet is ended, the back-up restored, and the fleet started. */
async function restore(struck: Struck): Promise<boolean> {
  const { fleet, postgres, source, progress } = struck;
  if (struck.pending !== undefined) return false;
  const putBack = await postgres.backUp();
  const from = Date.now();
  progress("backed up");
  struck.pending = async () => {
    fleet.killAll();
    // A database that knows nothing of the last requests can't count them.
    await sleep(QUOTA.period * 1_000 + 500);
    await putBack();
    source.wentBack(from);
    progress("restored");
    fleet.startAll();
  };
  return true;
}

/** A standby receives nothing any more, and at another time the first server crashes and it takes its place. The workers live on. */
async function failover(struck: Struck): Promise<boolean> {
  const { postgres, source, progress } = struck;
  if (struck.pending !== undefined) return false;
  const standby: Standby = await postgres.standby();
  await sleep(1_000);
  await standby.detach();
  const from = Date.now();
  progress("the standby is behind");
  struck.pending = async () => {
    await standby.takePlace();
    source.wentBack(from);
    progress("the standby has taken over");
  };
  return true;
}

async function goBack(struck: Struck): Promise<boolean> {
  const { pending } = struck;
  delete struck.pending;
  await pending?.();
  return pending !== undefined;
}

/** Nobody works, for several periods: then everything is due at once. */
async function outage({ fleet, progress }: Struck): Promise<boolean> {
  fleet.killAll();
  progress("all are away");
  await sleep(STANDSTILL);
  fleet.startAll();
  progress("all are back");
  return true;
}

const mood =
  (becomes: "silent" | { readonly slow: number }) =>
  async ({ source, progress }: Struck): Promise<boolean> => {
    if (source.mood !== "well") return false;
    source.mood = becomes;
    progress(`the third party is ${becomes === "silent" ? "silent" : "slow"}`);
    setTimeout(() => {
      source.mood = "well";
    }, MOOD).unref();
    return true;
  };

const strokes = {
  kill,
  standstill,
  restart,
  restore,
  failover,
  goBack,
  outage,
  silent: mood("silent"),
  slow: mood({ slow: 1_500 }),
} as const;
export type StrokeName = keyof typeof strokes;

export const names = Object.keys(strokes) as StrokeName[];

/** How often each comes before all have come. */
const times: Readonly<Record<StrokeName, number>> = {
  kill: 5,
  standstill: 2,
  restart: 2,
  restore: 1,
  failover: 1,
  // Comes with the one that it belongs to.
  goBack: 0,
  outage: 1,
  silent: 1,
  slow: 1,
};

/** Strokes in an order of chance, so that each has come when all are gone. */
export function deckOf(random: () => number): StrokeName[] {
  return names
    .flatMap((name) => Array.from({ length: times[name] }, () => name))
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

/** @returns what was done; undefined if nothing was there that it could hit */
export async function strike(struck: Struck): Promise<StrokeName | undefined> {
  const { deck, random } = struck;
  if (deck.length === 0) deck.push(...deckOf(random));
  const name = deck.pop() ?? "kill";
  const done = await strokes[name](struck);
  // What went back goes back soon, or too much would be fetched again.
  if (done && (name === "restore" || name === "failover"))
    deck.splice(Math.max(0, deck.length - 1 - Math.floor(random() * 2)), 0, "goBack");
  // What had nothing to hit comes again later; what had gone back already needn't.
  if (!done && name !== "goBack") deck.unshift(name);
  return done ? name : undefined;
}

/** The next version comes while the fleet is at work. A database that went back behind that would have to be migrated again: so first it goes back, if it is to. */
export async function upgrade(struck: Struck): Promise<void> {
  await goBack(struck);
  await struck.fleet.upgrade(struck.progress);
}

/** All is as it should be, but for what is still on its way. */
export async function calm(struck: Struck): Promise<void> {
  await goBack(struck);
  struck.source.mood = "well";
}
