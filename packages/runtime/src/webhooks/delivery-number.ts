import type { AppIntake } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { digest } from "../canonical.ts";
import { failureOf, isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { type Owned, runOptionsOf } from "../intake/installed.ts";
import type { Services, Work } from "../intake/services.ts";
import { asNumber, isObject, jsonText, ownMember } from "../json.ts";
import { storedValues } from "../store/saved-data.ts";
import { numberInput, type ReadRequest, type WebhookRequest } from "./payload.ts";
import { knownSenders, type NumberInBody } from "./senders.ts";

/** By what a delivery is known when its sender sends it again (D51). */
export interface DeliveryNumber {
  /** Whose number it is: an equal one of another sender, or in another header, is another number. */
  readonly sender: string;
  readonly number: string;
  /** Whether several events may have it, so that the payload has to be equal too. */
  readonly shared: boolean;
}

/** Headers by which senders that aren't known number what they send; what names a hook or a kind of event isn't meant. */
const usualHeader =
  /^(?:webhook-id|(?:x-(?:[a-z0-9]+-)*)?idempotency-(?:key|token)|x-(?:[a-z0-9]+-)*(?:delivery|delivery-id|event-id))$/;

/** The number that a request bears in one of the known or usual ways; undefined if it has none. */
function numberOf(headers: WebhookRequest["headers"], payload: Json): DeliveryNumber | undefined {
  for (const { sender, headers: names, body, shared = false } of knownSenders) {
    const number = names === undefined ? body && inBody(payload, body) : inHeaders(headers, names);
    if (number !== undefined) return { sender, number, shared };
  }
  const usual = Object.keys(headers).filter((name) => usualHeader.test(name) && headers[name] !== "");
  const number = usual.length === 0 ? undefined : inHeaders(headers, usual.sort());
  return number === undefined ? undefined : { sender: usual.join(), number, shared: true };
}

/** All of the headers, or nothing. */
function inHeaders(headers: WebhookRequest["headers"], names: readonly string[]): string | undefined {
  const values = names.map((name) => (Object.hasOwn(headers, name) ? headers[name] : undefined));
  return values.every((value) => value !== undefined && value !== "") ? JSON.stringify(values) : undefined;
}

function inBody(payload: Json, { where, number, each }: NumberInBody): string | undefined {
  const objects: readonly Json[] = each !== true ? [payload] : Array.isArray(payload) ? payload : [];
  const found = objects.map((object) => numberIn(object, where, number));
  return found.length > 0 && found.every((parts) => parts !== undefined) ? JSON.stringify(found) : undefined;
}

function numberIn(
  object: Json,
  where: NumberInBody["where"],
  paths: NumberInBody["number"],
): readonly string[] | undefined {
  if (!isObject(object) || !hasForm(object, where)) return undefined;
  const parts = paths.map((path) => scalarText(at(object, path)));
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function hasForm(object: JsonObject, where: NumberInBody["where"]): boolean {
  return Object.entries(where).every(([name, value]) => {
    const found = ownMember(object, name);
    return value === true ? found !== undefined && found !== null : found === value;
  });
}

function at(object: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, name) => (isObject(value) ? ownMember(value, name) : undefined),
    object,
  );
}

/** A text that isn't empty, or a number as a text. Nothing else tells one event from another. */
function scalarText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return asNumber(value) === undefined ? undefined : jsonText(value as Json);
}

/** A delivery whose number is looked for. */
interface Numbered {
  readonly services: Services;
  readonly intake: AppIntake;
  /** As far as a command of the intake's scope may see it. */
  readonly installed: Owned;
  readonly request: ReadRequest;
  readonly payload: Json;
  readonly work: Work;
}

/**
 * The number of a delivery: what the intake's `delivery_id` gives, or else the one that senders usually give (D51). A
 * `delivery_id` that fails, or gives neither a text nor a number, is told to those who run the app.
 *
 * @throws RunError of the surroundings
 */
export async function deliveryNumber(numbered: Numbered): Promise<DeliveryNumber | undefined> {
  const own = await declaredNumber(numbered);
  if (own !== undefined) return { sender: "delivery_id", number: own, shared: false };
  return numberOf(numbered.request.headers, numbered.payload);
}

async function declaredNumber(numbered: Numbered): Promise<string | undefined> {
  const { services, intake, installed, request, work } = numbered;
  const { delivery_id: command } = intake.commands;
  if (command === undefined) return undefined;
  try {
    const saved = await storedValues(services.store, installed.owners);
    const output = await services.run(command, {
      ...runOptionsOf(installed, saved, work),
      input: numberInput(request),
    });
    const number = scalarText(output);
    if (number !== undefined || output === null || output === "") return number;
    throw new RunError("DataError", "`delivery_id` must give a string or a number.", intake);
  } catch (error) {
    if (!isOwnFailure(error)) throw error;
    const { message, pointer } = failureOf(error, 0);
    services.effects.log.write({ pointer, message });
    return undefined;
  }
}

/** The text by which a delivery is known again. */
export function keyOf(number: DeliveryNumber | undefined, payloadText: string): string {
  if (number === undefined) return digest(payloadText);
  const { sender, number: text, shared } = number;
  return digest(JSON.stringify([sender, text, ...(shared ? [payloadText] : [])]));
}
