import type { Expression, Labels, Operator } from "./parse.ts";
import type { Sample, Samples } from "./samples.ts";

export interface Point {
  readonly labels: Labels;
  readonly value: number;
}

/** Seconds for which a sample counts as the value of now. */
const LOOKBACK = 300;

/** As Prometheus does it. @param at seconds */
export function evaluate(expression: Expression, samples: Samples, at: number): readonly Point[] {
  const of = (part: Expression): readonly Point[] => evaluate(part, samples, at);
  switch (expression.is) {
    case "number":
      return [{ labels: {}, value: expression.value }];
    case "series": {
      const time = at - expression.offset;
      return samples.of(expression.name, expression.labels).flatMap((series) => {
        const last = series.samples.findLast(
          (sample) => sample.at <= time && sample.at > time - LOOKBACK - 1,
        );
        return last === undefined ? [] : [{ labels: series.labels, value: last.value }];
      });
    }
    case "call": {
      if (expression.name === "absent")
        return of(expression.of).length === 0 ? [{ labels: {}, value: 1 }] : [];
      const { of: ranged, name } = expression;
      if (ranged.is !== "series") throw new SyntaxError(`${name} goes by a series.`);
      const time = at - ranged.offset;
      return samples.of(ranged.name, ranged.labels).flatMap((series) => {
        const seen = series.samples.filter((sample) => sample.at <= time && sample.at > time - ranged.range);
        const grown = increase(seen, time - ranged.range, time);
        if (grown === undefined) return [];
        return [{ labels: series.labels, value: name === "rate" ? grown / ranged.range : grown }];
      });
    }
    case "aggregate": {
      const groups = new Map<string, Point>();
      for (const { labels, value } of of(expression.of)) {
        const kept = Object.fromEntries(
          expression.by.flatMap((name) => (name in labels ? [[name, labels[name] ?? ""]] : [])),
        );
        const key = JSON.stringify(kept);
        const before = groups.get(key)?.value;
        const together = expression.name === "sum" ? (before ?? 0) + value : Math.max(before ?? value, value);
        groups.set(key, { labels: kept, value: together });
      }
      return [...groups.values()];
    }
    case "binary":
      return combined(
        expression.operator,
        of(expression.left),
        of(expression.right),
        expression.right.is === "number",
      );
  }
}

function combined(
  operator: Operator,
  left: readonly Point[],
  right: readonly Point[],
  isNumber: boolean,
): readonly Point[] {
  const same = (one: Point, other: Point): boolean => keyOf(one) === keyOf(other);
  if (operator === "or") return [...left, ...right.filter((one) => !left.some((other) => same(one, other)))];
  return left.flatMap(({ labels, value }) => {
    const other = isNumber ? right[0] : right.find((one) => same(one, { labels, value }));
    if (other === undefined) return [];
    if (operator === "-") return [{ labels, value: value - other.value }];
    if (operator === "/") return [{ labels, value: value / other.value }];
    const holds = operator === ">" ? value > other.value : value < other.value;
    return holds ? [{ labels, value }] : [];
  });
}

function keyOf({ labels }: Point): string {
  return JSON.stringify(Object.entries(labels).sort());
}

/** How much a counter grew in a range, with what Prometheus adds for the ends of the range. Of a single sample nothing is known. */
function increase(seen: readonly Sample[], from: number, to: number): number | undefined {
  const [first] = seen;
  const last = seen.at(-1);
  if (first === undefined || last === undefined || seen.length < 2) return undefined;
  let grown = 0;
  for (const [index, { value }] of seen.entries()) {
    const before = seen[index - 1]?.value ?? value;
    grown += value < before ? value : value - before;
  }
  const sampled = last.at - first.at;
  const average = sampled / (seen.length - 1);
  let start = first.at - from;
  if (grown > 0 && first.value >= 0) start = Math.min(start, sampled * (first.value / grown));
  let end = to - last.at;
  if (start >= average * 1.1) start = average / 2;
  if (end >= average * 1.1) end = average / 2;
  return grown * ((sampled + start + end) / sampled);
}
