import type { TimeFormat } from "../guess/time-words.ts";
import type { Window } from "../guess/window.ts";
import type { PollingPlace } from "./polling-place.ts";
import { timePrograms } from "./time-format.ts";

/** The jq programs of an intake that reads one window after the other. */
interface WindowPrograms {
  readonly setup: string;
  /** Undefined where a day names itself. */
  readonly before: string | undefined;
  readonly request: string;
}

const DAY = 86_400;

/**
 * How long before the setup the first window begins, in seconds. No longer, for a cycle ends with a window that has no records (D33): an app
 * that begins years ago would take days to come to the present.
 */
export function firstBack({ span, back }: Window): number {
  const usual = 3 * span;
  return back === undefined || back > usual ? usual : Math.max(back - DAY, DAY);
}

/**
 * Reads up to now by windows of a bounded length, however long the app was off: each begins a little before the last one ended, and none
 * is left before its last page is read.
 */
export function windowPrograms(
  results: string,
  place: PollingPlace | undefined,
  format: TimeFormat,
  window: Window,
): WindowPrograms {
  return window.to === undefined
    ? dayPrograms(results, place, format, window)
    : rangePrograms(results, place, format, window);
}

function rangePrograms(
  results: string,
  place: PollingPlace | undefined,
  format: TimeFormat,
  window: Window,
): WindowPrograms {
  const { read, write } = timePrograms(format);
  const isDate = format === "date";
  const overlap = overlapOf(format, window);
  // A date that ends a window may leave its day out: today is asked for by tomorrow.
  const latest = isDate ? `now + ${DAY}` : "now";
  const endOf = (from: string) => `([${latest}, ${from} + ${window.span}] | min | ${write})`;
  const opened = endOf(`(${state("since")} | ${read})`);
  // Yesterday is read once more, however short windows are.
  const next = isDate
    ? `(if $more then $end - ${overlap} else [$end - ${overlap}, now - ${DAY}] | min end)`
    : `($end - ${overlap})`;
  const more = isDate ? "$end <= now" : `$end + ${overlap} < now`;
  return {
    setup: `{polling_state: {${atFirst(place)}since: ${begun(window, write)}, until: null}}`,
    before: `{polling_state: {${kept(place)}since: ${state("since")}, until: ${
      place === undefined
        ? opened
        : `(if ${state("place")} == ${place.first} then ${opened} else ${state("until")} end)`
    }}}`,
    request: [
      ...moved(place),
      `(${state("until")} | ${read}) as $end`,
      `(${more}) as $more`,
      `${next} as $from`,
      answer(results, place, {
        since: `($from | ${write})`,
        until: endOf("$from"),
      }),
    ].join(" | "),
  };
}

function dayPrograms(
  results: string,
  place: PollingPlace | undefined,
  format: TimeFormat,
  window: Window,
): WindowPrograms {
  const { read, write } = timePrograms(format);
  return {
    setup: `{polling_state: {${atFirst(place)}since: ${begun(window, write)}}}`,
    before: undefined,
    request: [
      ...moved(place),
      `(${state("since")} | ${read}) as $day`,
      // Yesterday and today take turns: a record may come after its day, and a day may end later where the service is.
      `($day + ${2 * DAY} <= now) as $more`,
      answer(results, place, {
        since: `(if $day + ${DAY} <= now then $day + ${DAY} else $day - ${DAY} end | ${write})`,
      }),
    ].join(" | "),
  };
}

/** What an iteration gives: the state moves on to the next page, and behind the last one to the next window. */
function answer(
  results: string,
  place: PollingPlace | undefined,
  next: { readonly since: string; readonly until?: string },
): string {
  const moves = Object.entries(next).map(([name, value]) =>
    place === undefined
      ? `${name}: ${value}`
      : `${name}: (if $next == ${place.first} then ${value} else ${state(name)} end)`,
  );
  const iterate = place === undefined ? "$more" : `($next != ${place.first} or $more)`;
  const at = place === undefined ? [] : ["place: $next"];
  return `{results: ${results}, iterate: ${iterate}, polling_state: {${[...at, ...moves].join(", ")}}}`;
}

/** A window that is too short for an overlap moves on without one. */
function overlapOf(format: TimeFormat, { span }: Window): number {
  const { overlap } = timePrograms(format);
  return overlap * 2 <= span ? overlap : 0;
}

function state(name: string): string {
  return `\${polling_state.${name}}`;
}

function begun(window: Window, write: string): string {
  return `(now - ${firstBack(window)} | ${write})`;
}

function atFirst(place: PollingPlace | undefined): string {
  return place === undefined ? "" : `place: ${place.first}, `;
}

function kept(place: PollingPlace | undefined): string {
  return place === undefined ? "" : `place: ${state("place")}, `;
}

function moved(place: PollingPlace | undefined): readonly string[] {
  return place === undefined ? [] : [`${place.next} as $next`];
}
