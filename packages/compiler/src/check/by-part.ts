import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Memory, Part, PartMemory, Reach, Results, Stretch } from "../bind/part.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { dependenciesOfParts, isSame } from "./part-dependencies.ts";

/** The memory of a model: of parts from which the same is reached it is that of the version before. */
const memoryOf: (model: Model) => Memory = derived((model) => {
  const before = model.memory;
  const parts = new Map<Part, PartMemory>();
  // Without a version before there is nothing to compare with: most documents are compiled once.
  const dependencies = before === undefined ? undefined : dependenciesOfParts(model);
  for (const part of model.parts) {
    if (part.item === undefined) continue;
    const rests = dependencies?.get(part);
    parts.set(part, { rests, results: resultsKept(rests, before?.parts.get(part)) });
  }
  const memory = { parts, stretches: stretchesOf(model.parts, parts, before) };
  model.memory = memory;
  return memory;
});

/** Whoever looks farther looks at what is nearer too. */
function resultsKept(rests: PartMemory["rests"], known: PartMemory | undefined): Results {
  const [now, then] = [rests, known?.rests];
  const isNearKept = now !== undefined && then !== undefined && isSame(now.near, then.near);
  const isLinkedKept = isNearKept && isSame(now.linked, then.linked);
  const isSavedKept = isLinkedKept && isSame(now.saved, then.saved);
  if (isSavedKept) return known!.results;
  return {
    near: isNearKept ? known!.results.near : new Map(),
    linked: isLinkedKept ? known!.results.linked : new Map(),
    saved: new Map(),
  };
}

/** So many parts are a stretch: few enough to look at one by one where one of them changed. */
const STRETCH = 20;

function stretchesOf(
  all: readonly Part[],
  memoryOfPart: ReadonlyMap<Part, PartMemory>,
  before: Memory | undefined,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (let start = 0; start < all.length; start += STRETCH) {
    const parts = all.slice(start, start + STRETCH);
    const memories = parts.map((part) => memoryOfPart.get(part));
    const known = before?.stretches[stretches.length];
    const kept = (reach: Reach): Map<unknown, unknown> | undefined =>
      known !== undefined && isSame(resultsIn(known.memories, reach), resultsIn(memories, reach))
        ? (known.results[reach] ?? new Map())
        : undefined;
    const isKept = known !== undefined && !memories.includes(undefined);
    const results = isKept ? { near: kept("near"), linked: kept("linked"), saved: kept("saved") } : {};
    stretches.push({ parts, memories, results });
  }
  return stretches;
}

const resultsIn = (memories: readonly (PartMemory | undefined)[], reach: Reach): readonly unknown[] =>
  memories.map((memory) => memory?.results[reach]);

/** Completes what is remembered of a model, before another version of its document takes its parts over. */
export function remember(model: Model): void {
  const memories = model.memory?.parts ?? new Map<Part, PartMemory>();
  const incomplete = [...memories.values()].some(({ rests }) => rests === undefined);
  if (!incomplete) return;
  const found = dependenciesOfParts(model);
  for (const [part, memory] of memories) memory.rests ??= found.get(part);
}

/**
 * Something worked out for a part from the part, what is reached from it, settings and samples alone: kept over edits elsewhere in the
 * document. So it must not hold on to the model, not even in a closure: each version would keep the one before.
 *
 * @param isLasting false for what holds on to other parts, of which there may be another version tomorrow
 */
export function ofPart<T>(
  part: Part,
  model: Model,
  key: unknown,
  compute: () => T,
  isLasting: (result: T, item: JsonNode) => boolean = () => true,
  reach: Reach = "near",
): T {
  return kept(memoryOf(model).parts.get(part), part, key, compute, isLasting, reach);
}

function kept<T>(
  memory: PartMemory | undefined,
  { item }: Part,
  key: unknown,
  compute: () => T,
  isLasting: (result: T, item: JsonNode) => boolean,
  reach: Reach,
): T {
  // What stands between the items is looked at each time.
  if (memory === undefined || item === undefined) return compute();
  const results = memory.results[reach];
  const known = results.get(key);
  if (known !== undefined || results.has(key)) return known as T;
  const result = compute();
  if (isLasting(result, item.node)) results.set(key, result);
  return result;
}

/** The same for each part of a model, in document order. */
export function ofEachPart<T>(
  model: Model,
  key: unknown,
  compute: (part: Part) => readonly T[],
  isLasting: (result: readonly T[], item: JsonNode) => boolean = () => true,
  reach: Reach = "near",
  condense: Condense<T> = (all) => all,
): T[] {
  const all: T[] = [];
  // There are thousands of lookups for each edit of a large document.
  for (const stretch of memoryOf(model).stretches) {
    const known = stretch.results[reach]?.get(key) as readonly T[] | undefined;
    const own = known ?? ofStretch(stretch, key, compute, isLasting, reach, condense);
    for (let at = 0; at < own.length; at++) all.push(own[at]!);
  }
  return all;
}

function ofStretch<T>(
  { parts, memories, results }: Stretch,
  key: unknown,
  compute: (part: Part) => readonly T[],
  isLasting: (result: readonly T[], item: JsonNode) => boolean,
  reach: Reach,
  condense: Condense<T>,
): readonly T[] {
  const all: T[] = [];
  let areKept = true;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const inPart = memories[index]?.results[reach];
    const known = inPart?.get(key) as readonly T[] | undefined;
    const own = known ?? kept(memories[index], part, key, () => compute(part), isLasting, reach);
    if (known === undefined && inPart?.has(key) !== true) areKept = false;
    for (let at = 0; at < own.length; at++) all.push(own[at]!);
  }
  const condensed = condense(all);
  if (areKept) results[reach]?.set(key, condensed);
  return condensed;
}

/** Leaves out of a list what is of no use beside the rest of it. */
type Condense<T> = (all: readonly T[]) => readonly T[];

/** … what is there before. */
export const distinct = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];

/**
 * `derived` for what can be told part by part.
 *
 * @param condense is used on what some of the parts give, so that it need not all be looked at again after each edit
 */
export const derivedByPart = <T>(
  compute: (part: Part, model: Model) => readonly T[],
  reach: Reach = "near",
  condense?: Condense<T>,
): ((model: Model) => readonly T[]) =>
  derived((model) => ofEachPart(model, compute, (part) => compute(part, model), undefined, reach, condense));
