import type { ParameterMeaning } from "@configc/compiler";
import type { CommandWalk, RequestTemplate } from "../symbolic/command.ts";
import type { Parameter } from "../symbolic/url.ts";
import type { Path, Value } from "../symbolic/value.ts";
import { type Address, addressOf } from "./addresses.ts";
import { indicatorsOf } from "./indicators.ts";
import { type Context, type Found, nameOf } from "./places.ts";
import type { Inner, Opening, Role, RoleOf } from "./protocol.ts";
import { roleDescribed, roleOf, roleTold } from "./roles.ts";
import type { StateSources } from "./state-sources.ts";

/** A list, with others of its answer that have some of the records. */
type FoundList = Found & { readonly others: readonly Path[] };

/** What parameters are, by their names, where an author says it. */
type Meanings = Readonly<Record<string, ParameterMeaning>>;

/** The request by which a list is read, and what its parameters mean. */
export interface Reading {
  /** The list that is polled. */
  readonly found: FoundList;
  readonly exchange: RequestTemplate;
  /** Keys of the state that hold the address of the next page. */
  readonly links: readonly string[];
  readonly context: Context;
  readonly roles: readonly RoleOf[];
  readonly opening: Opening | undefined;
  readonly inner: Inner | undefined;
  /** The roles, with those of the request that opens the list. */
  readonly all: readonly RoleOf[];
  /** The parameters of both. */
  readonly parameters: readonly Parameter[];
}

/** @param read the list that the results are made of */
export function readingOf(
  walk: CommandWalk,
  output: Value,
  read: FoundList,
  states: StateSources,
  meanings: Meanings,
): Reading {
  const address = addressOf(walk, read.exchange, states);
  const outer = outerList(address);
  const found = outer ?? read;
  const { exchange, links, opening } =
    outer === undefined ? address : addressOf(walk, outer.exchange, states);
  walk.exchanges[found.exchange] = exchange;
  const context: Context = { ...found, walk };
  const roles = rolesOf(exchange, states, context, meanings);
  if (links.length > 0)
    roles.push({ parameter: { place: "query", path: [CURSOR] }, role: { kind: "cursor" } });
  const opened = opening && openingOf(opening, output, states, context, meanings);
  const inner = outer === undefined ? undefined : innerList(walk, output, states, read, meanings);
  const all = [...roles, ...(opened?.roles ?? [])];
  const parameters = [...exchange.parameters, ...(opened?.exchange.parameters ?? [])];
  return { found, exchange, links, context, roles, opening: opened, inner, all, parameters };
}

function openingOf(
  { exchange: index, id }: NonNullable<Address["opening"]>,
  output: Value,
  states: StateSources,
  context: Context,
  meanings: Meanings,
): Opening {
  const exchange = context.walk.exchanges[index]!;
  const roles = rolesOf(exchange, states, context, meanings);
  const own = { exchange: index, path: id, roles, parameters: exchange.parameters, links: [] };
  const counts = indicatorsOf(context.walk, output, states, own).filter(
    ({ says }) => says === "pages" || says === "count",
  );
  return { exchange, roles, id, counts };
}

/** The parameter that the addresses of later pages have. */
const CURSOR = "cursor";

function rolesOf(
  exchange: RequestTemplate,
  states: StateSources,
  context: Context,
  meanings: Meanings,
): RoleOf[] {
  const described = context.walk.knownOf(context.exchange)?.parameters ?? {};
  return exchange.parameters.flatMap((parameter) => {
    const name = nameOf(parameter);
    const told = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
    const known = Object.hasOwn(described, name) ? described[name] : undefined;
    const derived = (): Role | undefined => {
      const role = roleOf(parameter, states, context);
      return known === undefined ? role : roleDescribed(role, known, parameter, states, context);
    };
    const role = told === undefined ? derived() : roleTold(told, parameter, context);
    return role === undefined ? [] : [{ parameter, role }];
  });
}

/** The list whose records have lists of their own, where the app reads those one after the other: the meetings whose guests it takes. */
function outerList({ opening }: Address): FoundList | undefined {
  const at = opening?.id.indexOf("[]") ?? -1;
  return opening === undefined || at < 0
    ? undefined
    : { exchange: opening.exchange, path: opening.id.slice(0, at), others: [] };
}

function innerList(
  walk: CommandWalk,
  output: Value,
  states: StateSources,
  read: Found,
  meanings: Meanings,
): Inner {
  const exchange = walk.exchanges[read.exchange]!;
  const { parameters } = exchange;
  const roles = rolesOf(exchange, states, { ...read, walk }, meanings);
  const indicators = indicatorsOf(walk, output, states, { ...read, roles, parameters, links: [] });
  return { exchange, list: read.path, indicators };
}
