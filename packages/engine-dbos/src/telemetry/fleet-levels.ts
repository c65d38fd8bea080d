import type { AppLevel, FleetLevel } from "../worker/fleet-level.ts";
import type { Instruments, Level } from "./instruments.ts";

/** Milliseconds for which an answer of the database serves all that ask. */
const KEPT = 1_000;

/** By metric: what of an app it tells, and in what. */
const levels: readonly (readonly [string, Exclude<keyof AppLevel, "app">, string, unit?: string])[] = [
  ["configc.installations", "installations", "Active installations"],
  ["configc.installations.broken", "broken", "Active installations whose connection has to be made anew"],
  ["configc.waiting", "waiting", "Jobs that wait for a place"],
  ["configc.overdue", "overdue", "For how long the most overdue job has been due", "s"],
  ["configc.items.oldest", "oldestItem", "Age of the oldest item that wasn't delivered yet", "s"],
  ["configc.items.given.up", "failed", "Items that were given up and can be retried"],
  ["configc.services.down", "down", "Services that are left alone because they don't answer"],
  ["configc.look.age", "lookAge", "Since the last look at what is due", "s"],
];

/**
 * How a fleet is, as levels that every worker tells alike: take the greatest of them by app. Nothing is told while the database doesn't answer.
 *
 * @param read asks the database
 * @returns reads the jobs that are due, for whoever tells them
 */
export function tellLevels(
  instruments: Instruments,
  read: () => Promise<FleetLevel>,
): () => Promise<readonly Level[]> {
  let kept: { readonly at: number; readonly level: Promise<FleetLevel> } | undefined;
  const now = (): Promise<FleetLevel> => {
    if (kept === undefined || performance.now() - kept.at > KEPT)
      kept = { at: performance.now(), level: read() };
    return kept.level;
  };
  const each = async (member: Exclude<keyof AppLevel, "app">): Promise<readonly Level[]> => {
    const { apps } = await now();
    return apps.map((app) => ({ value: app[member], attributes: { app: app.app } }));
  };
  for (const [name, member, description, unit] of levels)
    instruments.level(name, description, () => each(member), unit);
  instruments.level("configc.workers", "Workers that give signs of life", async () => [
    { value: (await now()).workers, attributes: {} },
  ]);
  return () => each("due");
}
