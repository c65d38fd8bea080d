/** What a run may use up at most (D21, D22, D33). The host may set any of them; absent ones have the defaults. */
export interface Limits {
  /** Milliseconds of the whole run. */
  readonly time: number;
  /** HTTP exchanges of the whole run, pages and tries included. */
  readonly requests: number;
  /** Milliseconds of one exchange. */
  readonly requestTime: number;
  /** Bytes of one response. */
  readonly responseBytes: number;
  /** Bytes of all pages of one command. */
  readonly mergedBytes: number;
  readonly pages: number;
  readonly redirects: number;
  /** Of one request, the first included. */
  readonly tries: number;
  /** Of one jq program's run. */
  readonly jqSteps: number;
  /** Milliseconds of one jq program's run. */
  readonly jqTime: number;
  /** Bytes that one jq program's run may make, garbage included. Where memory is counted it may be less (E44). */
  readonly jqMemory: number;
  /** Bytes of memory that what an app keeps from run to run may take: of each scope of `!save`, and of `polling_state`. */
  readonly keptBytes: number;
  /** Iterations of `request` in a polling cycle (D33). */
  readonly pollingRequests: number;
  readonly pollingResults: number;
  /**
   * Milliseconds for which a cycle or delivery waits for a rate limit where it is. One that has to wait longer is put off, so that others have its
   * place meanwhile, if it has sent nothing yet.
   */
  readonly patience: number;
}

/** What a run may use if nothing else is said: milliseconds and bytes (D21). */
export const defaultLimits: Limits = {
  time: 15 * 60_000,
  requests: 5_000,
  requestTime: 30_000,
  responseBytes: 10 * 1024 * 1024,
  mergedBytes: 50 * 1024 * 1024,
  pages: 100,
  redirects: 5,
  tries: 3,
  jqSteps: 50_000_000,
  jqTime: 10_000,
  jqMemory: 1_000_000_000,
  keptBytes: 4 * 1024 * 1024,
  pollingRequests: 100,
  pollingResults: 1_000,
  patience: 5_000,
};
