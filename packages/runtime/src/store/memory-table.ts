/** A row of any table: its other members are found by the names of an index. */
export interface Row {
  readonly id: string;
}

interface Entry {
  readonly row: Row;
  readonly order: number;
  /** By which it is found, one an index. */
  readonly keys: readonly string[];
}

/** Rows by id, and by the members of each index. Changes give a function that undoes them. */
export class MemoryTable {
  readonly #indexes: readonly (readonly string[])[];
  readonly #rows = new Map<string, Entry>();
  readonly #found = new Map<string, Set<string>>();
  #last = 0;

  constructor(tableIndexes: readonly (readonly string[])[]) {
    this.#indexes = tableIndexes;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id)?.row;
  }

  put(row: Row): () => void {
    const old = this.#rows.get(row.id);
    this.#set({ row, order: old?.order ?? ++this.#last, keys: this.#keysOf(row) });
    return () => (old === undefined ? this.#remove(row.id) : this.#set(old));
  }

  delete(id: string): () => void {
    const old = this.#rows.get(id);
    this.#remove(id);
    return () => {
      if (old !== undefined) this.#set(old);
    };
  }

  list(where: object, limit = Number.POSITIVE_INFINITY): Row[] {
    const entries = Object.keys(where).length === 0 ? [...this.#rows.values()] : this.#find(where);
    // Most lists are in their order already.
    if (entries.some(({ order }, at) => at > 0 && order < (entries[at - 1] as Entry).order))
      entries.sort((a, b) => a.order - b.order);
    return entries.slice(0, limit).map(({ row }) => row);
  }

  #find(where: object): Entry[] {
    const names = Object.keys(where);
    const at = this.#indexes.findIndex((members) => sameNames(members, names));
    const index = this.#indexes[at];
    if (index === undefined) throw new Error(`There is no index of ${names.join(", ")}.`);
    const entries: Entry[] = [];
    for (const id of this.#found.get(keyOf(at, index, where)) ?? [])
      entries.push(this.#rows.get(id) as Entry);
    return entries;
  }

  #set(entry: Entry): void {
    const { id } = entry.row;
    const old = this.#rows.get(id);
    this.#rows.set(id, entry);
    for (let at = 0; at < entry.keys.length; at++) {
      const key = entry.keys[at] as string;
      const before = old?.keys[at];
      if (before === key) continue;
      if (before !== undefined) this.#unlist(before, id);
      const ids = this.#found.get(key);
      if (ids === undefined) this.#found.set(key, new Set([id]));
      else ids.add(id);
    }
  }

  #remove(id: string): void {
    const old = this.#rows.get(id);
    if (old === undefined) return;
    this.#rows.delete(id);
    for (const key of old.keys) this.#unlist(key, id);
  }

  #unlist(key: string, id: string): void {
    const ids = this.#found.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#found.delete(key);
  }

  #keysOf(row: object): string[] {
    return this.#indexes.map((index, at) => keyOf(at, index, row));
  }
}

/** Which index it is, and the values of its members: each with its length, so that no two are alike. */
function keyOf(at: number, index: readonly string[], row: object): string {
  const members = row as Readonly<Record<string, unknown>>;
  let key = `${at}`;
  for (const name of index) {
    const value = members[name] ?? null;
    const text = String(value);
    key += value === null ? " -" : ` ${text.length}:${text}`;
  }
  return key;
}

function sameNames(index: readonly string[], names: readonly string[]): boolean {
  return index.length === names.length && index.every((name) => names.includes(name));
}
