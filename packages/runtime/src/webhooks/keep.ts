import { type Json, printExact } from "@configc/jq";
import type { Services } from "../intake/services.ts";
import { idOf } from "../store/id.ts";
import type { Delivery, Hook, Registration } from "../store/tables.ts";
import { type DeliveryNumber, keyOf } from "./delivery-number.ts";

/** A delivery that was received and isn't refused. */
export interface Event {
  readonly services: Services;
  readonly hook: Hook;
  readonly registration: Registration;
  readonly number: DeliveryNumber | undefined;
  readonly payload: Json;
  readonly answers: boolean;
}

/** Milliseconds for which the same event may come by the old and the new URL of one registration. */
const OVERLAP = 10 * 60_000;

/** Milliseconds for which a third party that saw no answer has time to call again. */
const HOLD = 2 * 60_000;

/**
 * Keeps an event for each of the installations, or for none, in one transaction.
 *
 * @returns the rows that are held until the answer has gone out
 */
export async function keep(
  event: Event,
  installations: readonly (string | undefined)[],
  refused?: string,
): Promise<readonly string[]> {
  const { services, registration, number, payload, hook, answers } = event;
  const numbered = number !== undefined;
  const key = keyOf(number, printExact(payload));
  const at = services.effects.clock.now();
  const common = {
    app: services.name,
    intake: registration.intake,
    origin: "webhook",
    hook: hook.id,
    input: payload,
    attempts: 0,
    receivedAt: at,
  } as const;
  // Only by its text, and only while it waits, is one without a number known again.
  const hold = answers && !numbered;
  return await services.store.transaction(async (transaction) => {
    const held: string[] = [];
    for (const installation of installations) {
      const known = idOf(registration.id, key, installation ?? "");
      const before = await transaction.get("deliveries", known);
      if (before !== undefined && isSameEvent(before, hook, numbered, at)) {
        if (before.heldUntil !== undefined) held.push(before.id);
        continue;
      }
      // Without a number the same text is another event: things change back and forth.
      const id = before === undefined ? known : idOf(known, services.effects.random.id());
      const row: Delivery =
        installation === undefined
          ? {
              id,
              ...common,
              status: "unroutable",
              failure: { kind: "DataError", message: refused ?? "", pointer: "", at },
            }
          : {
              id,
              ...common,
              installation,
              status: "waiting",
              ...(hold ? { heldUntil: at + HOLD } : {}),
            };
      await transaction.put("deliveries", row);
      if (row.heldUntil !== undefined) held.push(id);
    }
    return held;
  });
}

/** The sender has seen the answer, as far as can be known: the same text is another event from now on. */
export async function release({ store }: Services, held: readonly string[]): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const id of held) {
      const row = await transaction.get("deliveries", id);
      if (row?.heldUntil === undefined) continue;
      const { heldUntil: _, ...free } = row;
      await transaction.put("deliveries", free);
    }
  });
}

/**
 * Whether an event with the same text was this one: if services number them; if the first hasn't been looked at yet; or if it came
 * by another URL, for a while both of a registration are in use (D32).
 */
function isSameEvent(known: Delivery, hook: Hook, numbered: boolean, now: number): boolean {
  if (numbered || known.status === "waiting" || known.status === "unroutable") return true;
  return known.hook !== undefined && known.hook !== hook.id && now - known.receivedAt < OVERLAP;
}
