import { keyText } from "@configc/jq/internal";
import type { ReadCandidate } from "../guess/candidates.ts";
import { slug } from "../guess/name-words.ts";
import type { Paging } from "../guess/paging.ts";
import type { Watermark } from "../guess/window.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath, type Path } from "../shape.ts";
import { type PollingPlace, placeOf } from "./polling-place.ts";
import { pathOf, sent, withSent } from "./requests.ts";
import { timePrograms } from "./time-format.ts";
import { windowPrograms } from "./window.ts";

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
  const { list, needs } = candidate;
  const place = placeOf(paging, list);
  const results = itemsOf(jqPath(list.path), within);
  const window = watermark?.window;
  const programs =
    watermark === undefined || window === undefined
      ? undefined
      : windowPrograms(results, place, watermark.format, window);
  const request = {
    "!pipe": [
      {
        "!http": {
          method: "GET",
          path: pathOf(list.operation, needs),
          ...withSent({ ...sent(needs, "query"), ...paramsOf(place, watermark) }, sent(needs, "header")),
        },
      },
      { "!jq": programs?.request ?? requestProgram(results, place, watermark) },
    ],
  };
  const name = slug(list.name) || "records";
  if (programs !== undefined)
    return {
      type: "polling",
      name,
      initial_setup: { "!jq": programs.setup },
      ...(programs.before === undefined ? {} : { pre_poll: { "!jq": programs.before } }),
      request,
    };
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

function paramsOf(place: PollingPlace | undefined, watermark: Watermark | undefined): ConfigObject {
  return {
    ...place?.params,
    ...(watermark === undefined ? {} : { [watermark.param]: "${polling_state.since}" }),
    ...(watermark?.window?.to === undefined ? {} : { [watermark.window.to]: "${polling_state.until}" }),
  };
}

/** The records of a list, each where it is looked for in an item. */
function itemsOf(list: string, within: Path): string {
  if (within.length === 0) return list;
  const item = within.reduceRight((value, name) => `{${keyText(name)}: ${value}}`, ".");
  return `[${list}[] | ${item}]`;
}

function requestProgram(
  results: string,
  place: PollingPlace | undefined,
  watermark: Watermark | undefined,
): string {
  if (place === undefined)
    return watermark === undefined
      ? `{results: ${results}, iterate: false, polling_state: {}}`
      : `{results: ${results}, iterate: false, polling_state: {since: \${polling_state.next_since}, next_since: \${polling_state.next_since}}}`;
  const moves = `${place.next} as $next | {results: ${results}, iterate: ($next != ${place.first}), polling_state: {place: $next`;
  if (watermark === undefined) return `${moves}}}`;
  return `${moves}, since: (if $next == ${place.first} then \${polling_state.next_since} else \${polling_state.since} end), next_since: \${polling_state.next_since}}}`;
}

function timeOf({ format }: Watermark): { readonly beginning: string; readonly now: string } {
  const { write, beginning, overlap } = timePrograms(format);
  return { beginning, now: `(now - ${overlap} | ${write})` };
}
