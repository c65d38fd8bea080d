/** What the store needs of an SQLite library. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly SqlValue[]): void;
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  all(...values: readonly SqlValue[]): readonly SqlRow[];
}

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

interface Library {
  readonly name: string;
  load(): Promise<new (file: string) => Database>;
}

/** Both have the same methods, as far as we use them. */
const libraries: readonly Library[] = [
  {
    name: "node:sqlite",
    async load() {
      // Not written as a literal: bundlers would take it for a package, and older Nodes don't have it.
      const name: string = "node:sqlite";
      const loaded = (await import(name)) as { DatabaseSync: new (file: string) => Database };
      return loaded.DatabaseSync;
    },
  },
  {
    name: "libsql",
    async load() {
      const loaded: { default: unknown } = await import("libsql");
      return loaded.default as new (
        file: string,
      ) => Database;
    },
  },
];

/**
 * Opens a database with the first SQLite library that is there: Node's own, or the optional package libsql.
 *
 * @param file path, or `:memory:`
 * @throws Error if there is none, or the file can't be opened
 */
export async function openDatabase(file: string): Promise<Database> {
  for (const { load } of libraries) {
    const Constructor = await load().catch(() => undefined);
    if (Constructor !== undefined) return new Constructor(file);
  }
  throw new Error(
    "There is no SQLite library. This version of Node has none of its own, and the optional package libsql isn't installed: `npm install libsql`.",
  );
}
