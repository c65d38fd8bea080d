import type { PartReport } from "./report.ts";

/**
 * Laws that also break in a service that was derived wrongly: it answers otherwise than the app's own service does. The others speak of
 * what the app does whatever the service is like.
 */
const onService: ReadonlySet<string> = new Set([
  "everything-arrives",
  "something-arrives",
  "quiet-cycles-end",
  "runs-succeed",
  "genuine-accepted",
  "history-agrees",
  "right-customer",
  "right-record",
  // In a small world, what a state keeps of the last page looks like growth.
  "state-stays-small",
]);

/**
 * The report of a part, in which what breaks where nothing is special is doubtful, if nobody has described the service: then it is more likely
 * derived wrongly than the app is wrong (E274).
 *
 * @param isDescribed whether a world file, a document or samples say what the service is like
 */
export function withDoubts(part: PartReport, isDescribed: boolean): PartReport {
  if (isDescribed || part.failures.length === 0) return part;
  const failures = part.failures.map((failure) =>
    onService.has(failure.law) && failure.needs.every(isOrdinary)
      ? { ...failure, isDoubtful: true as const }
      : failure,
  );
  return { ...part, failures };
}

/** Every service has several contacts, and what a customer chooses is no matter of the service. */
const isOrdinary = (need: string): boolean => /^(?:\d+ contacts$|a form with )/.test(need);
