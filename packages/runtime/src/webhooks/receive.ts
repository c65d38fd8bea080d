import type { AppIntake } from "@configc/compiler";
import { type Json, printExact } from "@configc/jq";
import { isAnswer } from "../commands/respond.ts";
import { failureOf, isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { type Owned, readOwned, runOptionsOf } from "../intake/installed.ts";
import type { Services, Work, WorkOptions } from "../intake/services.ts";
import { isObject, ownMember } from "../json.ts";
import { holdText } from "../memory/hold-text.ts";
import { isMemoryFailure, memoryError, ownerOf, type Room } from "../memory/memory.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Hook, Registration } from "../store/tables.ts";
import { deliveryNumber } from "./delivery-number.ts";
import { type Event, keep, release } from "./keep.ts";
import { type ReadRequest, readRequest, verificationInput, type WebhookRequest } from "./payload.ts";
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
  /** Whether it has a number of its sender's, by which it is known when it is sent again (D51). */
  readonly numbered: boolean;
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
  const notAllowed = refusal(405, "Deliveries are sent by POST.", { allow: "POST" });
  if (!isDelivery(request) && found.intake.commands["verification"] === undefined) return notAllowed;
  const room = services.effects.memory?.open(ownerOf(services.name, found.hook.connection));
  try {
    const read = await readRequest(request, room, work.signal);
    return await receiveBody({ services, found, request: read, room, work, answers }, notAllowed);
  } catch (error) {
    if (!isMemoryFailure(error)) throw error;
    if (error.kind === "too-large") return refusal(413, "The body is more than can be held.");
    throw memoryError(error, "The body");
  } finally {
    room?.close();
  }
}

function isDelivery({ method }: WebhookRequest): boolean {
  return /^(?:POST|PUT|PATCH)$/i.test(method);
}

interface Receiving {
  readonly services: Services;
  readonly found: Found;
  readonly request: ReadRequest;
  readonly room: Room | undefined;
  readonly work: Work;
  readonly answers: boolean;
}

async function receiveBody(
  { services, found, request, room, work, answers }: Receiving,
  notAllowed: WebhookAnswer,
): Promise<WebhookAnswer> {
  const { hook, registration, intake } = found;
  const installed = await inScope(services, registration.scope, found.installed);
  const verified = await verify(services, { hook, intake, installed, request, room, work });
  if (verified?.pass === false) return verified.answer;
  const answer = verified?.answer ?? { status: 200, headers: {}, body: "", installations: [] };
  if (!isDelivery(request)) return notAllowed;
  const { payload } = request;
  if (payload === undefined) return refusal(400, "The body is neither JSON nor a form.");

  const routed = await route(services, registration, intake, payload, work);
  const number = await deliveryNumber({ services, intake, installed, request, payload, work });
  const numbered = number !== undefined;
  const delivery: ReceivedDelivery = { intake: registration.intake, payload, numbered };
  const event: Event = { services, hook, registration, number, payload, answers };
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
  readonly request: ReadRequest;
  readonly room: Room | undefined;
  readonly work: Work;
}

/** What the app says to the request itself; undefined if it has nothing to say to it. */
async function verify(
  services: Services,
  { hook, intake, installed, request, room, work }: Verification,
): Promise<{ readonly pass: boolean; readonly answer: WebhookAnswer } | undefined> {
  const { verification } = intake.commands;
  if (verification === undefined) return undefined;
  const saved = await storedValues(services.store, installed.owners);
  const { context, ...options } = runOptionsOf(installed, saved, work);
  let output: Json;
  try {
    output = await services.run(verification, {
      ...options,
      ...(room === undefined ? {} : { room }),
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
  if (isAnswer(output))
    await holdText({ room, signal: work.signal }, output, "The answer to the caller", intake);
  return responseOf(output);
}

/** The value of `!respond` (D26). */
function responseOf(output: Json): { readonly pass: boolean; readonly answer: WebhookAnswer } | undefined {
  if (!isAnswer(output)) return undefined;
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
