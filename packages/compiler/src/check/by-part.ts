import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import type { Memory, Part, PartMemory, Reach } from "../bind/part.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { dependenciesOfParts, isSame } from "./part-dependencies.ts";

/** The memory of a model: of parts from which the same is reached it is that of the version before. */
const memoryOf: (model: Model) => Memory = derived((model) => {
  const before = model.memory;
  const memory = new Map<Part, PartMemory>();
  // Without a version before there is nothing to compare with: most documents are compiled once.
  const dependencies = before === undefined ? undefined : dependenciesOfParts(model);
  for (const part of model.parts) {
    if (part.item === undefined) continue;
    const rests = dependencies?.get(part);
    const known = before?.get(part);
    const kept = (reach: Reach): Map<unknown, unknown> => {
      const isKept =
        rests !== undefined && known?.rests !== undefined && isSame(known.rests[reach], rests[reach]);
      return isKept ? known.results[reach] : new Map();
    };
    memory.set(part, {
      rests,
      results: { near: kept("near"), linked: kept("linked"), saved: kept("saved") },
    });
  }
  model.memory = memory;
  return memory;
});

/** Completes what is remembered of a model, before another version of its document takes its parts over. */
export function remember(model: Model): void {
  const incomplete = [...(model.memory?.values() ?? [])].some(({ rests }) => rests === undefined);
  if (!incomplete) return;
  const found = dependenciesOfParts(model);
  for (const [part, memory] of model.memory ?? []) memory.rests ??= found.get(part);
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
  return kept(memoryOf(model).get(part), part, key, compute, isLasting, reach);
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
): T[] {
  const memories = memoryInOrder(model);
  const all: T[] = [];
  // There are thousands of lookups for each edit of a large document.
  for (let index = 0; index < memories.length; index++) {
    const part = model.parts[index]!;
    const known = memories[index]?.results[reach].get(key) as readonly T[] | undefined;
    const own = known ?? kept(memories[index], part, key, () => compute(part), isLasting, reach);
    for (let at = 0; at < own.length; at++) all.push(own[at]!);
  }
  return all;
}

const memoryInOrder = derived((model) => model.parts.map((part) => memoryOf(model).get(part)));

/** `derived` for what can be told part by part. */
export const derivedByPart = <T>(
  compute: (part: Part, model: Model) => readonly T[],
  reach: Reach = "near",
): ((model: Model) => readonly T[]) =>
  derived((model) => ofEachPart(model, compute, (part) => compute(part, model), undefined, reach));
