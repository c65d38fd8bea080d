import type { CommandWalk, RequestTemplate } from "../symbolic/command.ts";
import { type Parameter, splitUrl } from "../symbolic/url.ts";
import { atomsOf, isPlaceOf, literal, type Path, type Value } from "../symbolic/value.ts";
import { cleaned } from "./places.ts";
import { closure, type StateSources, stateKeys } from "./state-sources.ts";

/** What the address of a polling request is made of. */
export interface Address {
  /** The exchange, with the parameters of an address that programs put together. */
  readonly exchange: RequestTemplate;
  /** Keys of the state that hold the address of the next page. */
  readonly links: readonly string[];
  /** A request whose answer has an id in the address: by its index, and where the id is. */
  readonly opening: { readonly exchange: number; readonly id: Path } | undefined;
}

/** Where the list stands that an exchange reads: at an address of its own, at one that the last answer gave, or below what another request made. */
export function addressOf(walk: CommandWalk, index: number, states: StateSources): Address {
  const exchange = walk.exchanges[index]!;
  const keys = exchange.url.flatMap((part) => (isPlaceOf(part, "state") ? stateKeys(part) : []));
  const sources = closure(keys, states);
  const responses = sources.flatMap(({ value }) =>
    atomsOf(value).filter((atom) => isPlaceOf(atom, "response")),
  );
  const isLinked =
    exchange.url.length === 1 && keys.length > 0 && responses.some(({ root }) => root.exchange === index);
  if (isLinked)
    return {
      exchange: withWritten(
        exchange,
        sources.map(({ value }) => value),
      ),
      links: keys,
      opening: undefined,
    };
  const following = followingKeys(walk, index, states);
  if (following.length > 0) return { exchange, links: following, opening: undefined };
  const made = responses.find(({ root }) => root.exchange !== index);
  return {
    exchange,
    links: [],
    opening: made === undefined ? undefined : { exchange: made.root.exchange, id: cleaned(made.path) },
  };
}

/**
 * Keys of the state that hold the address of the next page, where another command of the program requests it: the first page has a path, the
 * others what the last answer gave.
 */
function followingKeys(walk: CommandWalk, index: number, states: StateSources): readonly string[] {
  for (const [at, { url }] of walk.exchanges.entries()) {
    const [whole, ...others] = url;
    if (at === index || whole === undefined || others.length > 0 || !isPlaceOf(whole, "state")) continue;
    const keys = stateKeys(whole);
    const isGiven = closure(keys, states).some(({ value }) =>
      atomsOf(value).some((atom) => isPlaceOf(atom, "response") && atom.root.exchange === index),
    );
    if (isGiven) return keys;
  }
  return [];
}

/** Adds the parameters of the first address, where a program writes it. */
function withWritten(exchange: RequestTemplate, values: readonly Value[]): RequestTemplate {
  for (const parts of values.flatMap(writtenAddresses)) {
    const [url, parameters]: [Value[], Parameter[]] = splitUrl(parts);
    return { ...exchange, url, isAbsolute: true, parameters: [...exchange.parameters, ...parameters] };
  }
  return exchange;
}

/** The parts of texts that begin as an address does. */
function writtenAddresses(value: Value): readonly (readonly Value[])[] {
  switch (value.kind) {
    case "choice":
      return value.of.flatMap(writtenAddresses);
    case "literal":
      return typeof value.value === "string" && isAddress(value.value) ? [[literal(value.value)]] : [];
    case "made": {
      const [first] = value.of;
      return value.by === "text" && first?.kind === "literal" && isAddress(String(first.value))
        ? [value.of]
        : [];
    }
    default:
      return [];
  }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}
