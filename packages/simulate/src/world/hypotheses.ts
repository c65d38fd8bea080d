/** What is supposed of a service whose documentation nobody has asked. */
export interface Hypotheses {
  /** `snapshot`: later pages show the list as it was at the first one. */
  readonly paging: "snapshot" | "live";
  /** Whether a bound such as `updated_after` takes in what lies on it. */
  readonly boundary: "inclusive" | "exclusive";
  /** To what times are rounded, in milliseconds. */
  readonly rounding: 1 | 1_000 | 60_000;
  /** In which order a list comes whose order the app doesn't ask for. */
  readonly order: "supposed" | "reverse";
  /** How records of the same time follow each other. */
  readonly ties: "creation" | "reverse" | "any";
  /** For how long a list may not show a change, in milliseconds. */
  readonly lag: number;
  /** Members that programs can do without are null or absent; `true`: some this, some that. */
  readonly gaps: boolean | "null" | "absent";
  readonly texts: "plain" | "foreign" | "long";
}

/** A service that makes it easy: each hypothesis is tried against it by itself. */
export const kindest: Hypotheses = {
  paging: "snapshot",
  boundary: "inclusive",
  rounding: 1,
  order: "supposed",
  ties: "creation",
  lag: 0,
  gaps: false,
  texts: "plain",
};

/** Index lag that several vendors document for their searches. */
export const LAG = 55_000;
