import { boundName, wordsOf } from "./bound-names.ts";
import { isChangeTime, isCreationTime } from "./time-names.ts";

const general: ReadonlySet<string> = new Set(
  "at on date time timestamp ts ms millis seconds utc iso asc desc ascending descending record datetime".split(
    " ",
  ),
);

/** What happened at a time, by its name: `ended` of `ended_at`, `-ended_at`, `endedAt` and `ended_from`. */
function subjectOf(name: string): string {
  return (boundName(name)?.subject ?? wordsOf(name).join(" "))
    .split(" ")
    .filter((word) => !general.has(word))
    .join(" ");
}

const revised = /(?:^|[^a-z])(?:revised|amended|altered|touched)(?:[^a-z]|$)/i;

/** Whether two names are those of times of different happenings; what is called in other words may be the same. */
export function areOtherTimes(one: string, other: string): boolean {
  const [a, b] = [subjectOf(one), subjectOf(other)];
  if (a === "" || b === "" || a.includes(b) || b.includes(a)) return false;
  // What was changed may be called revised in a record.
  if ((isChangeTime(one) && revised.test(other)) || (isChangeTime(other) && revised.test(one))) return false;
  if (isChangeTime(one) || isChangeTime(other)) return isChangeTime(one) !== isChangeTime(other);
  return !(isCreationTime(one) && isCreationTime(other));
}

/** Whether two names are those of times of one happening: `settled_at` and `after_settled_at`. */
export function areSameTimes(one: string, other: string): boolean {
  const subject = subjectOf(one);
  return subject !== "" && subject === subjectOf(other);
}
