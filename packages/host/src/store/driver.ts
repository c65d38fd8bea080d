import { makePrivate, NotPrivate } from "./private-file.ts";

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
type SqlRow = Readonly<Record<string, SqlValue>>;

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

/**
 * Opens a database file and makes it ready; nothing stays open if that fails.
 *
 * @throws StateError that names the file; what `prepare` throws of its own
 */
export async function openPrepared<R>(file: string, prepare: (database: Database) => R): Promise<R> {
  let database: Database | undefined;
  try {
    if (file !== ":memory:") await makePrivate(file);
    database = await openDatabase(file);
    return prepare(database);
  } catch (error) {
    database?.close();
    throw explained(file, error);
  }
}

/** The state can't be opened: another process has it, it is damaged, or isn't for this version. The message says what can be done. */
export class StateError extends Error {
  override readonly name = "StateError";
}

/** What SQLite says of a file, as it says it, and what that means for whoever runs a host. */
const meanings: readonly [says: RegExp, meaning: string][] = [
  [
    /not a database|malformed|disk image/,
    "it was damaged, or isn't one of ours. Put back a copy of its folder, or use an empty one",
  ],
  [/locked|busy/, "another process has the state open. Stop it, or use another folder"],
  [/full/, "there is no room left for it"],
  [
    /read-?only|unable to open|access/i,
    "the folder must exist, and this process must be allowed to write in it",
  ],
];

function explained(file: string, error: unknown): unknown {
  if (error instanceof NotPrivate) return new StateError(error.message, { cause: error });
  const { name, code, message } = error as NodeJS.ErrnoException;
  const isSqlite = name === "SqliteError" || code === "ERR_SQLITE_ERROR" || /^ConnectionFailed/.test(message);
  if (!isSqlite) return error;
  const meaning = meanings.find(([says]) => says.test(message))?.[1];
  return new StateError(`${file} can't be used (${message})${meaning === undefined ? "" : `: ${meaning}`}.`, {
    cause: error,
  });
}

/** @throws StateError if the file is damaged, also where nobody would notice for long */
export function checkWhole(file: string, database: Database): void {
  const [found] = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {});
  if (found !== "ok") throw explained(file, { name: "SqliteError", message: `malformed: ${String(found)}` });
}
