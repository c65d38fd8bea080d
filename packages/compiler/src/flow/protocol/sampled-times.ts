import type { Json, JsonObject } from "@configc/jq";
import type { Model } from "../../bind/model.ts";
import { learnedResponses } from "../../samples/responses.ts";
import type { ListReading } from "./list-reading.ts";

/** Records that show an order; fewer may be in it by chance. */
const ENOUGH = 3;

/** Whether a recorded answer has a time with parts of a second in it: then two records hardly ever have the same. */
export function showsPartsOfSeconds(reading: ListReading, member: string, model: Model): boolean {
  return timesIn(reading, member, model)
    .flat()
    .some((time) =>
      typeof time === "number" ? time > 1e11 && time % 1_000 !== 0 : /:\d\d\.\d*[1-9]/.test(time),
    );
}

/** In which order the records of recorded answers are, by a member; undefined where they don't show it. */
export function sampledOrder(
  reading: ListReading,
  member: string,
  model: Model,
): "ascending" | "descending" | "mixed" | undefined {
  const lists = timesIn(reading, member, model).filter(
    (times) => times.length >= ENOUGH && new Set(times).size > 1,
  );
  if (lists.length === 0) return undefined;
  const isSorted = (sign: 1 | -1): boolean =>
    lists.every((times) =>
      times.every((time, index) => index === 0 || compare(times[index - 1]!, time) * sign <= 0),
    );
  return isSorted(1) ? "ascending" : isSorted(-1) ? "descending" : "mixed";
}

type Time = string | number;

function compare(a: Time, b: Time): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The values of a member in each list of the recorded answers to the request. */
function timesIn({ request }: ListReading, member: string, model: Model): readonly (readonly Time[])[] {
  const found: Time[][] = [];
  const pending = (learnedResponses(model).get(request.command)?.samples ?? []).map(({ body }) => body);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) found.push(value.flatMap((item: Json) => timeOf(item, member)));
    pending.push(...Object.values(value));
  }
  return found;
}

function timeOf(item: Json, member: string): readonly Time[] {
  const value =
    typeof item === "object" && item !== null && !Array.isArray(item) && Object.hasOwn(item, member)
      ? (item as JsonObject)[member]
      : undefined;
  return typeof value === "string" || typeof value === "number" ? [value] : [];
}
