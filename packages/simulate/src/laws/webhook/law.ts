import type { Kept, Sent, WebhookLog } from "../../webhook/log.ts";
import type { InstallationFacts, WebhookSubject } from "../../webhook/subject.ts";
import type { Law } from "../law.ts";

/** A law of apps that are called. */
export type WebhookLaw = Law<WebhookLog, WebhookSubject>;

/** What became of a delivery, at one installation or at all: the last that is known of each item. */
export function itemsOf({ kept }: WebhookLog, { texts }: Sent, installation?: string): readonly Kept[] {
  const last = new Map<string, Kept>();
  for (const each of kept)
    if (
      each.origin === "webhook" &&
      texts.includes(each.text) &&
      (installation === undefined || each.installation === installation)
    )
      last.set(each.id, each);
  return [...last.values()];
}

export function isSettled({ status }: Kept): boolean {
  return status === "delivered" || status === "skipped" || status === "failed";
}

/** Installations that a delivery is for. */
export function ownersOf(
  { world, hooks }: WebhookLog,
  sent: Sent,
  { installations, protocol }: WebhookSubject,
): readonly string[] {
  const all = installations.slice(0, world.installations);
  const own = all.find(({ id }) => id === sent.installation);
  if (own === undefined || hooks.length === 0) return [];
  if (protocol.intake.scope === "workflow")
    return all
      .filter((each) => each.customer === own.customer && chooseTheSame(each, own))
      .map(({ id }) => id);
  return all
    .filter(
      ({ accountId, resourceId, customer }) =>
        (protocol.accountAt.length === 0 || accountId === own.accountId) &&
        (protocol.resourceAt.length === 0 || resourceId === own.resourceId) &&
        (protocol.intake.scope === "application" || customer === own.customer),
    )
    .map(({ id }) => id);
}

/** Whether a service can't tell two installations of one customer apart: both hear of everything then, and should. */
function chooseTheSame(one: InstallationFacts, other: InstallationFacts): boolean {
  return JSON.stringify([one.form, one.resourceId]) === JSON.stringify([other.form, other.resourceId]);
}

export function stepOf({ steps }: WebhookLog, { event }: Sent): number {
  return steps.find((step) => step.event === event)?.number ?? 1;
}
