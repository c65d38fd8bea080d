import type { Parameter } from "../description.ts";
import type { ConfigValue } from "../proposal.ts";
import { phrase } from "./name-words.ts";
import { pageNames, sizeIn, sizeNames } from "./paging-clues.ts";

/** A value that needs no customer, and what speaks for it. */
interface Known {
  readonly value: ConfigValue;
  readonly because: string;
}

/** What a parameter is sent with whoever the customer is; undefined where somebody has to say it. */
export function knownValue(parameter: Parameter): Known | undefined {
  const { in: place, default: usual } = parameter;
  if (place === "path") return connectedUser(parameter);
  if (place === "query") {
    const page = pageOf(parameter);
    if (page !== undefined) return page;
  }
  return (
    orderOf(parameter) ??
    zoneOf(parameter) ??
    onlyValue(parameter) ??
    (usual === undefined ? everything(parameter) : { value: usual, because: "its default" })
  );
}

/** Whether an app has to care for a parameter: what the runtime sends, and keys of requests, it hasn't. */
export function isSent({ name, in: place }: Parameter): boolean {
  return (
    !isIdempotencyKey(name) && !(place === "header" && /^(?:accept|content-type|authorization)$/i.test(name))
  );
}

/** The header or member by which a service recognises a request that comes again. */
export function isIdempotencyKey(name: string): boolean {
  return /^(?:x )?idempotency (?:key|token)$/.test(phrase(name));
}

/** `me` in place of an id, where the document says that it may stand there. */
function connectedUser({ about, shape }: Parameter): Known | undefined {
  const isTold =
    /["'“‘`*]me["'”’`*]/i.test(about) || (shape.kind === "string" && shape.enum?.includes("me") === true);
  return isTold ? { value: "me", because: "its description takes `me` for the connected user" } : undefined;
}

/** The size of a page, and the first one, of lists that don't go on. */
function pageOf(parameter: Parameter): Known | undefined {
  const words = phrase(parameter.name);
  const { shape, default: usual } = parameter;
  if (shape.kind !== "number" && shape.kind !== "unknown" && shape.kind !== "string") return undefined;
  if (sizeNames.test(words)) return { value: sizeIn(parameter), because: "it is the size of a page" };
  if (pageNames.test(words)) return { value: usual ?? 1, because: "it is the first page" };
  return /^(?:offset|skip)$/.test(words) ? { value: 0, because: "it is the beginning" } : undefined;
}

/** By the time of change, the oldest first: what moves then moves to the end. */
function orderOf({ name, shape }: Parameter): Known | undefined {
  const words = phrase(name);
  if (
    !/^(?:sort|order|ordering|sort by|order by|direction|sort order|sort direction|dir|order dir)$/.test(
      words,
    )
  )
    return undefined;
  const values = shape.kind === "string" ? (shape.enum ?? []) : [];
  const wanted = [
    /^asc/i,
    /^(?!-).*(?:updat|modif|chang)(?!.*desc)/i,
    /^(?!-).*creat(?!.*desc)/i,
    /^\+?id$/i,
  ];
  const value = wanted
    .map((pattern) => values.find((each) => pattern.test(each)))
    .find((each) => each !== undefined);
  return value === undefined ? undefined : { value, because: "the oldest comes first" };
}

function zoneOf({ name, shape }: Parameter): Known | undefined {
  if (!/^(?:time ?zone|tz|timezone id)$/.test(phrase(name)) || shape.kind === "number") return undefined;
  const values = shape.kind === "string" ? shape.enum : undefined;
  const value = values === undefined ? "UTC" : values.find((each) => /^(?:etc\/)?utc$/i.test(each));
  return value === undefined ? undefined : { value, because: "the app's times are of UTC" };
}

/** The only value that there is, JSON where there are formats, and all where there is a value for all. */
function onlyValue({ shape }: Parameter): Known | undefined {
  if (shape.kind !== "string" || shape.enum === undefined) return undefined;
  const [first, ...others] = shape.enum;
  if (first !== undefined && others.length === 0) return { value: first, because: "it is its only value" };
  const all = shape.enum.find((each) => /^(?:all|any|everything|\*)$/i.test(each));
  if (all !== undefined) return { value: all, because: "so nothing is left out" };
  const json = shape.enum.find((each) => /^json$/i.test(each));
  return json === undefined ? undefined : { value: json, because: "an app reads JSON" };
}

/** All values, where several may be named. */
function everything({ shape }: Parameter): Known | undefined {
  if (shape.kind !== "array" || shape.items.kind !== "string" || shape.items.enum === undefined)
    return undefined;
  return { value: shape.items.enum, because: "so nothing is left out" };
}
