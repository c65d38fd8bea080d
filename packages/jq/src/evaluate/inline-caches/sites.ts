/*
 * An engine that compiles JavaScript keeps an inline cache at each place of the source text that reads or sets a member:
 * which names and forms of objects it has met there. With one name that takes a moment; with several it searches each
 * time, and all closures made at one place share its cache. So each `.name` of a program needs a place of its own, and
 * without `eval`, which strict content security policies forbid, places are what stands in the source text: tables whose
 * lines are all the same function. A line is for one name, or for one form of objects.
 *
 * In V8 11.3, `{display: .name, value: .id}` takes 10 ns so, as written by hand 3, and 40 where closures share places.
 */

/**
 * Gives each key a line of a table for itself. What comes when all are taken shares the last, and is as slow there as it
 * would be without the table.
 */
export function sitesFor<Site>(table: readonly [Site, ...Site[]]): (key: string) => Site {
  const taken = new Map<string, Site>();
  const shared = table.at(-1)!;
  return (key) => {
    const known = taken.get(key);
    if (known !== undefined) return known;
    const site = table[taken.size]!;
    if (site !== shared) taken.set(key, site);
    return site;
  };
}

/** A name as engines keep those of members, which they compare by identity; one cut out of a program isn't that text yet. */
export function interned(name: string): string {
  return Object.keys({ [name]: null })[0]!;
}

/** Gives each caller the next line of a table, and after the last the first again: a line that a few share is still fast. */
export function turns<Site>(table: readonly [Site, ...Site[]]): () => Site {
  let given = 0;
  return () => table[given++ % table.length]!;
}
