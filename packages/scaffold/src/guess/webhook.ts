import { type ApiDescription, type DescribedEvent, type Operation, pathParameters } from "../description.ts";
import { membersOf, type ObjectShape, type Path, type Shape } from "../shape.ts";
import { emailOf, identityOf } from "./lists.ts";
import { phrase } from "./name-words.ts";
import { wrapped } from "./placement.ts";

/** Events with people in them, and how an app registers for them. */
export interface WebhookCandidate {
  readonly registration: Registration;
  /** The events that the app registers for, the first of which names the intake. */
  readonly events: readonly string[];
  /** Where the person stands in a delivery. */
  readonly path: Path;
  readonly record: ObjectShape;
}

/** The requests by which an address is registered and removed. */
export interface Registration {
  readonly register: Operation;
  readonly remove: Operation;
  /** The member around the body, where it is wrapped: `{webhook: {…}}`. */
  readonly wrapper: string | undefined;
  /** The member of the body that takes the address. */
  readonly url: string;
  /** The member that takes the events, and whether it takes several. */
  readonly event: { readonly name: string; readonly takesMany: boolean } | undefined;
  /** Members that have to be there besides, with names of the app's own for values. */
  readonly names: readonly string[];
  /** Where the id of the registration stands in the answer. */
  readonly id: Path;
}

const hooks =
  /^(?:(?:web)?hooks?|web hooks?|(?:(?:web)?hook|event|notification)? ?subscriptions?|(?:web)?hook endpoints?|event hooks?)$/;
const addresses =
  /^(?:(?:target|callback|notification|notify|(?:web)?hook|web hook|delivery|destination|endpoint|event|payload|post) )?(?:url|uri|address|endpoint)$|^(?:target|callback)$/;
const eventNames =
  /^(?:(?:web)?hook |subscribed |enabled |notification )?(?:events?|event types?|event names?|topics?|types?|triggers?|actions?)$/;
const labels = /^(?:name|title|label|description)$/;
/** What makes somebody new or different. */
const arrivals =
  /\b(?:creat(?:e|ed|ion)|add(?:ed)?|new|insert(?:ed)?|subscribe[ds]?|sign(?:ed)? ?up|register(?:ed)?|submit(?:ted)?|updated?|changed?|edited|modified|saved?|upserted)\b/;
const departures = /\b(?:delete[ds]?|remove[ds]?|unsubscribe[ds]?|bounced?|merged?|archived?|un\w+ed)\b/;

/**
 * Finds a webhook that brings people.
 *
 * @returns undefined where the description doesn't tell events with people in them, or how to register and remove an address
 */
export function webhookOf(description: ApiDescription): WebhookCandidate | undefined {
  for (const register of description.operations) {
    const registration = registrationBy(register, description);
    if (registration === undefined) continue;
    const found = eventsFor(registration, description.events);
    if (found !== undefined) return { registration, ...found };
  }
  return undefined;
}

function registrationBy(register: Operation, { operations }: ApiDescription): Registration | undefined {
  const { method, path, request, parameters, response } = register;
  const last = path.split("/").at(-1) ?? "";
  if (method !== "POST" || !hooks.test(phrase(last)) || pathParameters(path).length > 0) return undefined;
  if (request?.shape.kind !== "object" || parameters.some(({ isRequired }) => isRequired)) return undefined;
  const remove = operations.find(
    (each) =>
      each.method === "DELETE" &&
      each.path.replace(/\{[^}]+\}$/, "") === `${path}/` &&
      each.path.endsWith("}"),
  );
  const id = idIn(response);
  if (remove === undefined || id === undefined) return undefined;
  const body = wrapped(request.shape);
  const wrapper = body === request.shape ? undefined : [...request.shape.members.keys()][0];
  const names = [...body.members.keys()];
  const url = names.find((name) => addresses.test(phrase(name)));
  if (url === undefined) return undefined;
  const event = names.find((name) => eventNames.test(phrase(name)) && takesEvents(body.members.get(name)));
  const others = [...body.required].filter((name) => name !== url && name !== event);
  if (!others.every((name) => labels.test(phrase(name)))) return undefined;
  return {
    register,
    remove,
    wrapper,
    url,
    event:
      event === undefined ? undefined : { name: event, takesMany: body.members.get(event)?.kind === "array" },
    names: others,
    id,
  };
}

function takesEvents(shape: Shape | undefined): boolean {
  return shape?.kind === "string" || (shape?.kind === "array" && shape.items.kind === "string");
}

/** The id in an answer, which may be wrapped as the body was. */
function idIn(answer: Shape): Path | undefined {
  if (answer.kind !== "object") return undefined;
  const own = identityOf(answer).id;
  if (own !== undefined) return [own];
  for (const { path, shape } of membersOf(answer, 1))
    if (shape.kind === "object") {
      const { id } = identityOf(shape);
      if (id !== undefined) return [...path, id];
    }
  return undefined;
}

/** The events that bring people, all in the same place of a delivery, new ones first. */
function eventsFor(
  { event, register, wrapper }: Registration,
  described: readonly DescribedEvent[],
): Omit<WebhookCandidate, "registration"> | undefined {
  // Without a choice of events, all kinds of deliveries would come.
  if (event === undefined && described.length !== 1) return undefined;
  const allowed = allowedBy(register, wrapper, event?.name);
  const found = described.flatMap(({ name, payload }) => {
    const words = phrase(name);
    if (!arrivals.test(words) || departures.test(words)) return [];
    const own = allowed?.find((each) => phrase(each) === words);
    if (allowed !== undefined && own === undefined) return [];
    const person = personIn(payload);
    return person === undefined ? [] : [{ name: own ?? name, ...person }];
  });
  const weight = ({ name }: { readonly name: string }): number =>
    /\b(?:update|change|edit|modif)/.test(phrase(name)) ? 1 : 0;
  const [first] = found.sort((a, b) => a.path.length - b.path.length || weight(a) - weight(b));
  if (first === undefined) return undefined;
  const alike = found.filter(({ path }) => path.join("\n") === first.path.join("\n"));
  const events = alike.sort((a, b) => weight(a) - weight(b)).map(({ name }) => name);
  return {
    events: event?.takesMany === true ? events : events.slice(0, 1),
    path: first.path,
    record: first.record,
  };
}

/** The values that the body's member for events may have; undefined where any text may stand there. */
function allowedBy(
  { request }: Operation,
  wrapper: string | undefined,
  name: string | undefined,
): readonly string[] | undefined {
  let body = request?.shape;
  if (wrapper !== undefined && body?.kind === "object") body = body.members.get(wrapper);
  const shape = body?.kind === "object" && name !== undefined ? body.members.get(name) : undefined;
  const text = shape?.kind === "array" ? shape.items : shape;
  return text?.kind === "string" ? text.enum : undefined;
}

/** The nearest object with a person's address of its own. */
function personIn(payload: Shape): { readonly path: Path; readonly record: ObjectShape } | undefined {
  for (const { path, shape } of [{ path: [], shape: payload }, ...membersOf(payload, 3)]) {
    if (shape.kind !== "object") continue;
    const email = emailOf(shape);
    if (email?.isTheirs === true && email.path.length === 1) return { path, record: shape };
  }
  return undefined;
}
