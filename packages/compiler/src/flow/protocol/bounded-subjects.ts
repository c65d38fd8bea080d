import type { Expansion } from "../../bind/bound-nodes.ts";
import { graphqlQuery } from "../../samples/graphql.ts";
import { boundName } from "./bound-names.ts";

/** Where a value stands in a request. */
export interface SentAs {
  /** The names above it: `filter`, `changed`, `gte`. */
  readonly names: readonly string[];
  /** The key of the state that it is. */
  readonly key: string | undefined;
  /** The GraphQL query that takes it as a variable. */
  readonly query: string | undefined;
}

/**
 * The name that says what a value bounds, `changed_since`: the parameter's own, with those above it, what a query takes its variable for, or
 * the key's; undefined where all of them say nothing but `since`.
 */
export function boundedBy({ names, key, query }: SentAs): string | undefined {
  const own = names.filter((name) => !wrappers.test(name));
  const last = names.at(-1) ?? "";
  if (boundName(last) === undefined && own.slice(-3).every((name) => boundName(name) === undefined))
    return last;
  const said = [last, own.slice(-3).join("."), argumentOf(last, query), key];
  return said.find((name) => name !== undefined && (boundName(name)?.subject ?? "") !== "");
}

/** How a value of the state is sent. */
export function sentAs({
  names,
  expansion,
}: {
  readonly names: readonly string[];
  readonly expansion: Expansion;
}): SentAs {
  const { root, syntax, command } = expansion;
  const [, key, ...below] = syntax.path;
  return {
    names,
    key: root === "polling_state" && below.length === 0 ? key?.text : undefined,
    query: command === undefined ? undefined : graphqlQuery(command)?.value,
  };
}

const wrappers = /^(?:variables|params|body|filters?|where|input|query|and|or|\d+)$/i;

/** `changedSince` of `changedSince: $since`, `changedAt.gte` of `changedAt: {gte: $since}`. */
function argumentOf(variable: string | undefined, query: string | undefined): string | undefined {
  if (variable === undefined || query?.includes(`$${variable}`) !== true) return undefined;
  const [before, ...others] = query
    .slice(query.indexOf("{"))
    .split(new RegExp(String.raw`:\s{0,9}\$${variable.replaceAll(/\W/g, "")}\b`));
  if (before === undefined || others.length !== 1) return undefined;
  const [, above, name] = /(?:(\w+)\s{0,9}:\s{0,9}\{\s{0,9})?(\w+)$/.exec(before.slice(-120)) ?? [];
  if (name === undefined) return undefined;
  return above === undefined || wrappers.test(above) ? name : `${above}.${name}`;
}
