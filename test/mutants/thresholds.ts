/** Shares of mutants that must be found as they should be. They only go up. */
export const thresholds: {
  readonly overall: number;
  readonly ofKind: number;
  /** Kinds that aren't there yet, each with what is missing. */
  readonly exceptions: Readonly<Record<string, number>>;
} = {
  overall: 0.5,
  ofKind: 0,
  exceptions: {},
};
