/** How an app is served, over all workers. Ages are seconds, and 0 where there is nothing. */
export interface AppLevel {
  readonly app: string;
  /** Since the last look at what is due. */
  readonly lookAge: number;
  /** Active installations that nobody holds, at the last look. */
  readonly installations: number;
  /** Those of them whose connection has to be made anew. */
  readonly broken: number;
  /** Jobs that were due at the last look. */
  readonly due: number;
  /** For how long the most overdue job has been due. */
  readonly overdue: number;
  /** Of the oldest item that was not delivered yet, of installations whose connection works. */
  readonly oldestItem: number;
  /** Jobs that wait for a place. */
  readonly waiting: number;
  /** Items that were given up, `MOST_FAILED` at most. */
  readonly failed: number;
  /** Services that are left alone because they don't answer. */
  readonly down: number;
}

/** How a fleet is. */
export interface FleetLevel {
  readonly apps: readonly AppLevel[];
  /** Workers that gave a sign of life within 30 s. */
  readonly workers: number;
}
