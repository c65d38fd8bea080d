import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type ListReading, listReadingOf } from "../../../flow/protocol/list-reading.ts";
import { sampledOrder } from "../../../flow/protocol/sampled-times.ts";
import { isChangeTime, isCreationTime, isTimeName } from "../../../flow/protocol/time-names.ts";
import type { Watermark } from "../../../flow/protocol/watermarks.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const lastForLatest = defineRule<{ end: "last" | "first"; member: string; order: string }>({
  id: "polling/last-for-latest",
  severity: "warning",
  summary: "The last record's time is used as the latest, but the list isn't in that order",
  why: "The first or last record of a page has the latest time only if the list is sorted that way. Otherwise the bound goes back or jumps ahead, so records arrive again or are skipped. The greatest time of the page works in any order.",
  guards: ["polling.request", "polling.polling_state", "D33", "D50"],
  message: ({ end, member, order }) =>
    `The ${end} record doesn't have the latest \`${member}\`, because the list is ${order}.`,
  because: ({ end, member, order }) => [
    `the list is ${order}: r1, r2 and r3 come with \`${member}\` ${end === "last" ? "12:03, 12:01 and 12:02" : "12:01, 12:02 and 12:03"}`,
    `the ${end} one is used: ${end === "last" ? "12:02" : "12:01"}`,
    "the next cycle starts from there, but the latest was 12:03",
  ],
  help: ({ member }) => `Use the greatest: \`[.items[].${member}] | max\`, with the name of your list.`,
  examples: [
    {
      title: "The newest first",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "updated_after": "${polling_state.since}", "sort": "-updated_at"}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else («.items[-1].updated_at» // ${polling_state.since}) end)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else (([.items[].updated_at] | max) // ${polling_state.since}) end)}}"',
      fixed:
        '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else (([.items[].updated_at] | max) // ${polling_state.since}) end)}}"',
      samples: { world: { intakes: {} } },
    },
    {
      title: "In another order",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "updated_after": "${polling_state.since}", "sort": "id"}',
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else («(.items | last).updated_at» // ${polling_state.since}) end)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (if .has_more then ${polling_state.page} + 1 else 1 end), since: (if .has_more then ${polling_state.since} else ((.items | map(.updated_at) | max) // ${polling_state.since}) end)}}"',
      samples: { world: { intakes: {} } },
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    const text = document.text.slice(start, end);
    const instead = text.replace(/^([.\w]+)\[-1\]((?:\.\w+)+)$/, "([$1[]$2] | max)");
    if (instead === text) return [];
    return [{ title: "Use the greatest", safe: false, edits: [{ start, end, newText: instead }] }];
  },
});

const module: RuleModule = {
  rules: [lastForLatest],
  checks: {
    intake(intake, report, model) {
      for (const { at, ...args } of wrongEnds(intake, model)) report(lastForLatest, at, args);
    },
  },
};
export default module;

/** Whether the form of the programs already says that a bound is of the wrong end of a list. */
export const endIsToldOf = (intake: IntakeSymbol, model: Model): boolean =>
  wrongEnds(intake, model).length > 0;

function wrongEnds(intake: IntakeSymbol, model: Model) {
  const reading = listReadingOf(intake, model);
  // A variable may stand for one read in several ways.
  const marks = new Map((reading?.since?.watermarks ?? []).map((mark) => [mark.node, mark]));
  return [...marks.values()].flatMap(({ from: end, member, node, program }) => {
    if ((end !== "last" && end !== "first") || member === undefined || !isTimeName(member)) return [];
    const order = otherOrder(reading!, end, member, model);
    return order === undefined
      ? []
      : [{ end, member, order, at: { node: program.node, from: node.start, to: node.end } }];
  });
}

/** In which order the list is, where its end doesn't have the latest time; undefined where it may have. */
function otherOrder(
  reading: ListReading,
  from: Watermark["from"],
  member: string,
  model: Model,
): string | undefined {
  const { order, known } = reading;
  const wanted = from === "last" ? "ascending" : "descending";
  if (order.direction === "unknown") return undefined;
  // Most services number records as they are made.
  if (isCreationTime(member) && /^[-+]?id\b/i.test(order.by)) return undefined;
  if (known.order === undefined && order.by !== "" && !isOrderedBy(order.by, member))
    return `sorted by \`${order.by}\``;
  if (order.direction !== undefined)
    return order.direction === wanted
      ? undefined
      : order.direction === "ascending"
        ? "sorted oldest first"
        : "sorted newest first";
  const sampled = sampledOrder(reading, member, model);
  if (sampled === undefined || sampled === wanted) return undefined;
  return sampled === "mixed"
    ? "not sorted by it in the samples"
    : `sorted ${sampled === "ascending" ? "oldest" : "newest"} first in the samples`;
}

/** A record may have been revised where its list is sorted by what was changed: one time with two names. */
const isOfChange = (name: string): boolean =>
  isChangeTime(name) || /(?:^|[^a-z])(?:revised|amended|altered|touched)(?:[^a-z]|$)/i.test(name);

/** Whether an order may be that of a member: `sort=updated` is `updated_at`'s, `sort=id` isn't, and what says neither may be. */
function isOrderedBy(by: string, member: string): boolean {
  if (by.toLowerCase().includes(member.toLowerCase())) return true;
  if (isOfChange(by) || isOfChange(member)) return isOfChange(by) === isOfChange(member);
  return !/^[-+]?(?:id|name|title|email|number)\b/i.test(by);
}
