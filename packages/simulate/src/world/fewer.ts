/** A list without each of its items in turn. */
export function* withoutEach<T>(items: readonly T[]): Generator<readonly T[]> {
  for (const each of items) yield items.filter((other) => other !== each);
}

/** Lists of fewer events: the halves of a long one, then without each. */
export function* fewerEvents<T>(events: readonly T[]): Generator<readonly T[]> {
  if (events.length > 3) {
    yield events.slice(0, events.length >> 1);
    yield events.slice(events.length >> 1);
  }
  yield* withoutEach(events);
}
