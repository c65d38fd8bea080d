import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedAsFrozen } from "../../../flow/protocol/documented-behaviour.ts";
import { type ListReading, listReadingOf } from "../../../flow/protocol/list-reading.ts";
import { isChangeTime } from "../../../flow/protocol/time-names.ts";
import type { RuleModule } from "../../checks.ts";

const shiftingPages = defineRule<{ counter: string; since: string; leaves: boolean }>({
  id: "polling/shifting-pages",
  severity: "warning",
  summary: "Pages are counted in a list whose records move while it is read",
  why: 'In a list sorted by change, a record that changes between two pages moves to the end, or out of the window. All records after it move up by one, so the next page skips one. That record changed before the next cycle\'s bound, so it is never requested again. `configc simulate` shows this with requests and times. If the service freezes a list at its first page, say so in `NAME.world.json` beside the config: `"pages": "frozen"`.',
  guards: ["polling.request", "polling.polling_state", "D33", "D50"],
  message: ({ counter, since, leaves }) =>
    `\`${counter}\` counts in a list sorted by change, ${
      leaves ? "and a record that changes leaves it" : "and a record that changes moves to the end"
    }. Another one is then skipped, and \`${since}\` moves past it.`,
  because: ({ counter, since, leaves }) => [
    `three records, two on a page: the request with the first \`${counter}\` gives r1 and r2`,
    leaves
      ? "r1 changes and leaves the window: r3 is now on the first page"
      : "r1 changes and moves after r3: r3 is now on the first page",
    `the next page doesn't have r3, and the next cycle starts from a later \`${since}\`: r3 never arrives`,
  ],
  help: ({ counter }) =>
    `Continue from a cursor or from the last record read, instead of counting with \`${counter}\`. If the service freezes its lists, say so in a world file: \`"pages": "frozen"\`.`,
  examples: [
    {
      title: "In the order of changes",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      bad: '{"page": «"${polling_state.page}"», "updated_after": "${polling_state.since}", "sort": "updated_at"}',
      good: '{"page": "${polling_state.page}", "updated_after": "${polling_state.since}", "sort": "id"}',
      with: {
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ([.items[].updated_at, ${polling_state.since}] | max) end)}}"',
      },
      samples: { world: { intakes: {} } },
    },
    {
      title: "A window of changes",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {skip: 0, since: (now - 86400 | todate), until: null}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {skip: 0, since: ${polling_state.since}, until: (now - 300 | todate)}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {skip: (${polling_state.skip} + (.items | length)), since: ${polling_state.since}, until: ${polling_state.until}}}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {skip: 0, since: ${polling_state.until}, until: null}}"}',
      },
      bad: '{"skip": «"${polling_state.skip}"», "modified_from": "${polling_state.since}", "modified_to": "${polling_state.until}"}',
      good: '{"skip": "${polling_state.skip}", "created_from": "${polling_state.since}", "created_to": "${polling_state.until}"}',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [shiftingPages],
  checks: {
    intake(intake, report, model) {
      const found = shiftingIn(intake, model);
      if (found === undefined) return;
      const { counter, since, leaves } = found;
      report(shiftingPages, counter.node, { counter: counter.name, since: since.name, leaves }, [
        { message: "moves here", at: since.node },
      ]);
    },
  },
};
export default module;

function shiftingIn(intake: IntakeSymbol, model: Model) {
  const reading = listReadingOf(intake, model);
  const { counter, since, until, known } = reading ?? {};
  if (reading === undefined || counter === undefined || since === undefined) return undefined;
  if (known?.pages === "frozen" || known?.changes?.includes("update") === false) return undefined;
  if (!since.isOfChanges || isKeptByService(reading) || documentedAsFrozen(reading, intake, model))
    return undefined;
  // What moves with each page is another mistake, and is told as such.
  if (
    since.watermarks.some(
      ({ command, isUnconditional, from }) =>
        command === "request" && isUnconditional && from !== "clock" && from !== "other",
    )
  )
    return undefined;
  const leaves = until !== undefined && isChangeTime(until.name);
  return leaves || movesToTheEnd(reading) ? { counter, since, leaves } : undefined;
}

/** In ascending order of the time of change: asked for, or counted on where the last record is taken for the latest. */
function movesToTheEnd({ order, since }: ListReading): boolean {
  if (order.direction === "ascending") return order.by === "" || isChangeTime(order.by);
  return (
    order.direction === undefined &&
    since?.watermarks.some(
      ({ from, member }) => from === "last" && member !== undefined && isChangeTime(member),
    ) === true
  );
}

/** A list that the service made for this reading: a snapshot, an export, the result of a search that it keeps. */
function isKeptByService({ request: { path, parameters } }: ListReading): boolean {
  const kept = /snapshot|export|scroll|as_?of|report|job|(?:search|query|result|list)_?id|pit\b/i;
  return kept.test(path) || parameters.some(({ name }) => kept.test(name));
}
