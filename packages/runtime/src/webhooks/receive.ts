import type { AppIntake } from "@configc/compiler";
import { type Json, printExact } from "@configc/jq";
import { digest } from "../canonical.ts";
import { failureOf, isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { type Owned, readOwned, runOptionsOf } from "../intake/installed.ts";
import type { Services, Work, WorkOptions } from "../intake/services.ts";
import { isObject, ownMember } from "../json.ts";
import { storedValues } from "../store/saved-data.ts";
import { type Delivery, type Hook, idOf, type Registration } from "../store/tables.ts";
import { readPayload, verificationInput, type WebhookRequest } from "./payload.ts";
import { route } from "./route.ts";
import { inScope } from "./scope.ts";

/** What the third party is answered. */
export interface WebhookAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Installations for which something waits now: to be delivered after the answer, which mustn't wait for pipelines. */
  readonly installations: readonly string[];
  /**
   * To be called when the answer has gone out; only with `answers`. Until then, or for two minutes, what has no number of its
   * own waits: if the answer doesn't reach the third party, it calls again, and both are one delivery.
   */
  readonly answered?: () => Promise<void>;
  /** What was sent, if it was a delivery and the app didn't refuse it; also where it couldn't be routed. */
  readonly delivery?: ReceivedDelivery;
}

/** How a delivery is taken in. */
export interface ReceiveOptions extends WorkOptions {
  /** Whether `answered` will be called. */
  readonly answers?: boolean;
}

/** A payload, and the name of the intake that it is for. */
export interface ReceivedDelivery {
  readonly intake: string;
  readonly payload: Json;
}

/**
 * Takes a delivery: verifies it if the app does so, finds out for whom it is, and keeps it before it is answered (D31). One that
 * comes again is answered like the first and not kept twice.
 *
 * @throws RunError of the store, or if it was cancelled: then nothing was kept, and the third party may call again
 */
export async function receiveWebhook(
  services: Services,
  request: WebhookRequest,
  work: Work,
  answers: boolean,
): Promise<WebhookAnswer> {
  const found = await hookOf(services, request.hook);
  if (found === undefined) return refusal(404, "There is no such webhook.");
  if (found === "retired") return refusal(410, "This webhook was removed.");
  const { hook, registration, intake } = found;
  const installed = await inScope(services, registration.scope, found.installed);
  const verified = await verify(services, { hook, intake, installed, request, work });
  if (verified?.pass === false) return verified.answer;
  const answer = verified?.answer ?? { status: 200, headers: {}, body: "", installations: [] };
  const method = request.method.toUpperCase();
  if (method !== "POST" && method !== "PUT" && method !== "PATCH")
    return refusal(405, "Deliveries are sent by POST.", { allow: "POST" });
  const payload = readPayload(request);
  if (payload === undefined) return refusal(400, "The body is neither JSON nor a form.");

  const routed = await route(services, registration, intake, payload, work);
  const delivery: ReceivedDelivery = { intake: registration.intake, payload };
  const event: Event = { services, hook, registration, request, payload, answers };
  if (routed.installations === undefined) {
    await keep(event, [undefined], routed.reason);
    return { ...refusal(422, routed.reason), delivery };
  }
  const installations = routed.installations.map(({ id }) => id);
  const held = await keep(event, installations);
  if (held.length === 0) return { ...answer, installations, delivery };
  return { ...answer, installations, delivery, answered: () => release(services, held) };
}

interface Found {
  readonly hook: Hook;
  readonly registration: Registration;
  readonly intake: AppIntake;
  readonly installed: Owned;
}

async function hookOf(services: Services, id: string): Promise<Found | "retired" | undefined> {
  return await services.store.transaction(async (transaction) => {
    const hook = await transaction.get("hooks", id);
    const registration =
      hook === undefined ? undefined : await transaction.get("registrations", hook.registration);
    const intake = services.app.intakes.find(
      ({ name, type }) => name === registration?.intake && type === "webhook",
    );
    if (hook === undefined || registration?.app !== services.name || intake === undefined) return undefined;
    if (hook.state === "retired" || hook.state === "deleting") return "retired";
    return {
      hook,
      registration,
      intake,
      installed: await readOwned(services, transaction, hook.installation),
    };
  });
}

interface Verification {
  readonly hook: Hook;
  readonly intake: AppIntake;
  readonly installed: Owned;
  readonly request: WebhookRequest;
  readonly work: Work;
}

/** What the app says to the request itself; undefined if it has nothing to say to it. */
async function verify(
  services: Services,
  { hook, intake, installed, request, work }: Verification,
): Promise<{ readonly pass: boolean; readonly answer: WebhookAnswer } | undefined> {
  const { verification } = intake.commands;
  if (verification === undefined) return undefined;
  const saved = await storedValues(services.store, installed.owners);
  const { context, ...options } = runOptionsOf(installed, saved, work);
  let output: Json;
  try {
    output = await services.run(verification, {
      ...options,
      input: verificationInput(request),
      context: { ...context, webhook: { url: services.webhookUrl?.(hook.id) ?? "" } },
    });
  } catch (error) {
    if (!isOwnFailure(error)) throw error;
    // An app refuses what isn't authentic by `!error`; anything else is its own mistake, and nobody else's business.
    const refused = error instanceof RunError && error.kind === "AppError";
    const { message, pointer } = failureOf(error, 0);
    if (!refused) services.effects.log.write({ pointer, message });
    return { pass: false, answer: refusal(403, refused ? message : "The request can't be verified.") };
  }
  return responseOf(output);
}

/** The value of `!respond` (D26). */
function responseOf(output: Json): { readonly pass: boolean; readonly answer: WebhookAnswer } | undefined {
  if (!isObject(output)) return undefined;
  const [pass, code, headers] = ["process_payload", "code", "headers"].map((name) => ownMember(output, name));
  if (typeof pass !== "boolean" || typeof code !== "number" || !isObject(headers)) return undefined;
  const body = ownMember(output, "body");
  const sent = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const isText = body === undefined || typeof body === "string";
  const type = isText || "content-type" in headers ? {} : { "content-type": "application/json" };
  return {
    pass,
    answer: {
      status: code,
      headers: { ...type, ...Object.fromEntries(sent) },
      body: isText ? (body ?? "") : printExact(body),
      installations: [],
    },
  };
}

function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): WebhookAnswer {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
    body: message,
    installations: [],
  };
}

interface Event {
  readonly services: Services;
  readonly hook: Hook;
  readonly registration: Registration;
  readonly request: WebhookRequest;
  readonly payload: Json;
  readonly answers: boolean;
}

/** Headers by which services number their deliveries. Those that name the hook or the kind of event say nothing of one delivery. */
const deliveryHeader = /^(?:webhook-id|idempotency-key|x-(?:[a-z0-9]+-)*(?:delivery|delivery-id|event-id))$/;

/** Milliseconds for which the same event may come by the old and the new URL of one registration. */
const OVERLAP = 10 * 60_000;

/** Milliseconds for which a third party that saw no answer has time to call again. */
const HOLD = 2 * 60_000;

/**
 * Keeps an event for each of the installations, or for none, in one transaction.
 *
 * @returns the rows that are held until the answer has gone out
 */
async function keep(
  event: Event,
  installations: readonly (string | undefined)[],
  refused?: string,
): Promise<readonly string[]> {
  const { services, registration, request, payload, hook, answers } = event;
  const numbers = Object.entries(request.headers).filter(([name]) => deliveryHeader.test(name));
  const key = digest(printExact([numbers.map(([name, value]) => [name, value]), payload]));
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
  const hold = answers && numbers.length === 0;
  return await services.store.transaction(async (transaction) => {
    const held: string[] = [];
    for (const installation of installations) {
      const known = idOf(registration.id, key, installation ?? "");
      const before = await transaction.get("deliveries", known);
      if (before !== undefined && isSameEvent(before, hook, numbers.length > 0, at)) {
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
async function release({ store }: Services, held: readonly string[]): Promise<void> {
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
