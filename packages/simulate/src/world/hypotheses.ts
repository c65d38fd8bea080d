/** What is supposed of a service whose documentation nobody has asked. */
export interface Hypotheses {
  /** `snapshot`: later pages show the list as it was at the first one. */
  readonly paging: "snapshot" | "live";
  /** Whether a bound such as `updated_after` takes in what lies on it. */
  readonly boundary: "inclusive" | "exclusive";
  /** To what times are rounded, in milliseconds. */
  readonly rounding: 1 | 1_000 | 60_000;
  /** How records of the same time follow each other. */
  readonly ties: "creation" | "reverse" | "any";
  /** For how long a list may not show a change, in milliseconds. */
  readonly lag: number;
  /** What happens while the pages of one cycle are read. */
  readonly betweenPages: readonly ("creation" | "update" | "deletion")[];
  /** Many records that change at one time. */
  readonly burst: number;
  /** Members that programs can do without are null or absent. */
  readonly gaps: boolean;
  /** Long texts and foreign scripts. */
  readonly texts: "plain" | "foreign";
}

/** A service that makes it easy: each hypothesis is tried against it by itself. */
export const kindest: Hypotheses = {
  paging: "snapshot",
  boundary: "inclusive",
  rounding: 1,
  ties: "creation",
  lag: 0,
  betweenPages: [],
  burst: 0,
  gaps: false,
  texts: "plain",
};

/** Index lag that several vendors document for their searches. */
export const LAG = 55_000;

/** How the hypotheses in which a world is unkind are told. */
export function told(hypotheses: Hypotheses): readonly string[] {
  const lines: string[] = [];
  const { betweenPages } = hypotheses;
  if (betweenPages.length > 0)
    lines.push(
      `${betweenPages.map((kind) => ({ creation: "creations", update: "updates", deletion: "deletions" })[kind]).join(" and ")} between two pages${hypotheses.paging === "live" ? " of a list that isn't frozen" : ""}`,
    );
  if (hypotheses.boundary === "exclusive") lines.push("a bound leaves out what lies on it");
  if (hypotheses.rounding > 1) lines.push(`times rounded to the ${hypotheses.rounding === 1_000 ? "second" : "minute"}`);
  if (hypotheses.ties !== "creation") lines.push("records of the same time in any order");
  if (hypotheses.lag > 0) lines.push(`changes that lists show up to ${hypotheses.lag / 1_000} s late`);
  if (hypotheses.burst > 0) lines.push(`${hypotheses.burst} changes at once`);
  if (hypotheses.gaps) lines.push("optional members that are absent");
  if (hypotheses.texts === "foreign") lines.push("texts in other scripts");
  return lines;
}
