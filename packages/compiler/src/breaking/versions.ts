import type { AuthSymbol, IntakeSymbol, WorkflowSymbol } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";

/** The same thing in both versions: names are what customers' setups know it by. */
export interface Pair<S> {
  readonly previous: S;
  readonly current: S;
  readonly name: string;
}

/** Things of one kind in both versions. */
interface Matched<S> {
  readonly pairs: readonly Pair<S>[];
  /** In the published version only. */
  readonly removed: readonly S[];
  /** In the new version only. */
  readonly added: readonly S[];
}

/** A published version and a new one, matched by name (D40). */
export interface Versions {
  readonly previous: Model;
  readonly current: Model;
  readonly workflows: Matched<WorkflowSymbol>;
  readonly intakes: Matched<IntakeSymbol>;
  readonly auths: Matched<AuthSymbol>;
}

export function versionsOf(previous: Model, current: Model): Versions {
  const byName = ({ name }: { readonly name: string | undefined }) => name;
  return {
    previous,
    current,
    workflows: match(previous.workflows, current.workflows, byName),
    intakes: match(previous.intakes, current.intakes, byName),
    auths: match(previous.auths, current.auths, byName),
  };
}

/** Matches things by name, in the order of the new version. What has no name can't be matched; of equal names the first counts. */
export function match<S>(
  previous: readonly S[],
  current: readonly S[],
  nameOf: (symbol: S) => string | undefined,
): Matched<S> {
  const before = indexed(previous, nameOf);
  const after = indexed(current, nameOf);
  return {
    pairs: [...after].flatMap(([name, symbol]) => {
      const old = before.get(name);
      return old === undefined ? [] : [{ previous: old, current: symbol, name }];
    }),
    removed: [...before].flatMap(([name, symbol]) => (after.has(name) ? [] : [symbol])),
    added: [...after].flatMap(([name, symbol]) => (before.has(name) ? [] : [symbol])),
  };
}

/** What a removed thing was probably renamed to: the only new one that is like the only removed one. */
export function likelyRename<S>(
  of: S,
  { removed, added }: Matched<S>,
  alike: (previous: S, current: S) => boolean,
): S | undefined {
  const candidates = added.filter((symbol) => alike(of, symbol));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return undefined;
  return removed.filter((symbol) => alike(symbol, only)).length === 1 ? only : undefined;
}

function indexed<S>(symbols: readonly S[], nameOf: (symbol: S) => string | undefined): Map<string, S> {
  const found = new Map<string, S>();
  for (const symbol of symbols) {
    const name = nameOf(symbol);
    if (name !== undefined && !found.has(name)) found.set(name, symbol);
  }
  return found;
}
