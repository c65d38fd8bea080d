import type { ReadCandidate } from "../guess/candidates.ts";
import { slug } from "../guess/name-words.ts";
import type { Paging } from "../guess/paging.ts";
import type { Watermark } from "../guess/watermark.ts";
import type { ConfigObject, ConfigValue } from "../proposal.ts";
import { jqKey, jqPath, membersOf, type Path, type Shape } from "../shape.ts";
import { nextPlace } from "./next-place.ts";
import { pathOf } from "./requests.ts";

/** Five minutes: lists may show a change late (docs/polling.md). */
const OVERLAP = 300;

/**
 * A polling intake that loses nothing where the service allows it: its bound moves only when all pages are read, and each reading
 * begins before the last one began.
 *
 * @param within where a record stands in an item of `results`; the item is the record itself by default
 */
export function pollingIntake(
  candidate: ReadCandidate,
  paging: Paging,
  watermark: Watermark | undefined,
  within: Path = [],
): ConfigObject {
  const { list, choices } = candidate;
  const place = placeOf(paging, jqPath(list.path), mayBeBlank(paging, list.operation.response));
  const request = {
    "!pipe": [
      {
        "!http": {
          method: "GET",
          path: pathOf(list.operation, choices),
          ...paramsOf(place, watermark),
        },
      },
      { "!jq": requestProgram(itemsOf(jqPath(list.path), within), place, watermark) },
    ],
  };
  const name = slug(list.name) || "records";
  if (watermark === undefined) {
    const initial = place === undefined ? "{}" : `{place: ${place.first}}`;
    return { type: "polling", name, initial_setup: { "!jq": `{polling_state: ${initial}}` }, request };
  }
  const time = timeOf(watermark);
  const first = place === undefined ? "" : `place: ${place.first}, `;
  const kept = place === undefined ? "" : "place: ${polling_state.place}, ";
  // A cycle that a limit cut short goes on where it was, with the bound that it began with.
  const next =
    place === undefined
      ? time.now
      : `(if \${polling_state.place} == ${place.first} then ${time.now} else \${polling_state.next_since} end)`;
  return {
    type: "polling",
    name,
    initial_setup: { "!jq": `{polling_state: {${first}since: ${time.beginning}, next_since: null}}` },
    pre_poll: {
      "!jq": `{polling_state: {${kept}since: \${polling_state.since}, next_since: ${next}}}`,
    },
    request,
  };
}

/** The key `place` of the polling state: how it begins, how it is sent, and what it is for the next page. */
interface Place {
  readonly first: "null" | "0" | "1";
  readonly params: ConfigObject;
  /** jq; as `first` at the end. */
  readonly next: string;
}

/** Whether the place to go on from may be an empty text: a number can't. */
function mayBeBlank(paging: Paging, response: Shape): boolean {
  if (paging.kind !== "cursor") return false;
  const at = paging.next.join("\n");
  return ![...membersOf(response)].some(
    ({ path, shape }) => path.join("\n") === at && shape.kind === "number",
  );
}

function placeOf(paging: Paging, list: string, isBlankAtEnd: boolean): Place | undefined {
  if (paging.kind === "none") return undefined;
  const size: ConfigObject = paging.size === undefined ? {} : { [paging.size.param]: paging.size.value };
  const params = { [paging.param]: "${polling_state.place}", ...size };
  const more = "more" in paging && paging.more !== undefined ? jqPath(paging.more) : undefined;
  switch (paging.kind) {
    case "cursor": {
      const next = nextPlace(paging);
      return {
        first: "null",
        params,
        next: paging.isLink
          ? next
          : more === undefined
            ? isBlankAtEnd
              ? `(${next} | if . == "" then null else . end)`
              : next
            : `(if ${more} then ${next} else null end)`,
      };
    }
    case "keyset":
      return {
        first: "null",
        params,
        next: `(if ${more ?? `(${list} | length) > 0`} then ${list}[-1]${jqPath([paging.id])} else null end)`,
      };
    case "offset": {
      const step = `(\${polling_state.place} + (${list} | length))`;
      const isMore =
        more ??
        (paging.total !== undefined
          ? `(${list} | length) > 0 and ${step} < ${jqPath(paging.total)}`
          : `(${list} | length) == ${paging.size?.value}`);
      return { first: "0", params, next: `(if ${isMore} then ${step} else 0 end)` };
    }
    case "page": {
      const isMore =
        more ??
        (paging.pages !== undefined
          ? `\${polling_state.place} < ${jqPath(paging.pages)}`
          : paging.size !== undefined
            ? `(${list} | length) == ${paging.size.value}`
            : `(${list} | length) > 0`);
      const first = paging.first === 0 ? "0" : "1";
      return { first, params, next: `(if ${isMore} then \${polling_state.place} + 1 else ${first} end)` };
    }
  }
}

function paramsOf(
  place: Place | undefined,
  watermark: Watermark | undefined,
): { readonly params?: ConfigValue } {
  const params: ConfigObject = {
    ...place?.params,
    ...(watermark === undefined ? {} : { [watermark.param]: "${polling_state.since}" }),
  };
  return Object.keys(params).length === 0 ? {} : { params };
}

/** The records of a list, each where it is looked for in an item. */
function itemsOf(list: string, within: Path): string {
  if (within.length === 0) return list;
  const item = within.reduceRight((value, name) => `{${jqKey(name)}: ${value}}`, ".");
  return `[${list}[] | ${item}]`;
}

function requestProgram(results: string, place: Place | undefined, watermark: Watermark | undefined): string {
  if (place === undefined)
    return watermark === undefined
      ? `{results: ${results}, iterate: false, polling_state: {}}`
      : `{results: ${results}, iterate: false, polling_state: {since: \${polling_state.next_since}, next_since: \${polling_state.next_since}}}`;
  const moves = `${place.next} as $next | {results: ${results}, iterate: ($next != ${place.first}), polling_state: {place: $next`;
  if (watermark === undefined) return `${moves}}}`;
  return `${moves}, since: (if $next == ${place.first} then \${polling_state.next_since} else \${polling_state.since} end), next_since: \${polling_state.next_since}}}`;
}

function timeOf({ format }: Watermark): { readonly beginning: string; readonly now: string } {
  switch (format) {
    case "date-time":
      return { beginning: '"2000-01-01T00:00:00Z"', now: `(now - ${OVERLAP} | todate)` };
    case "date":
      return { beginning: '"2000-01-01"', now: '(now - 86400 | strftime("%Y-%m-%d"))' };
    case "seconds":
      return { beginning: "946684800", now: `(now - ${OVERLAP} | floor)` };
    case "milliseconds":
      return { beginning: "946684800000", now: `((now - ${OVERLAP}) * 1000 | floor)` };
  }
}
