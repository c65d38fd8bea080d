/**
 * What the package's own types say of a database. They stand apart from `database.ts` because that one names types of the driver, whose
 * declarations are a package of their own: who imports this package must not need it.
 */

export interface DatabaseOptions {
  /** `postgres://…`; a pooler that gives connections away between transactions is fine. */
  readonly url: string;
  /** Connections at most. Default 10. */
  readonly connections?: number;
  /** Milliseconds for which a database that is away is waited for. Default 15,000. */
  readonly patience?: number;
}

/** What can be asked of a database by one statement. */
export interface Queries {
  /**
   * One statement, a transaction of its own.
   *
   * @throws RunError `StoreError`, after `patience` if the database is away
   */
  query<R extends Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}
