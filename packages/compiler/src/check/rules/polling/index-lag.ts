import { defineRule } from "../../../findings/rule.ts";
import { type ListReading, listReadingOf } from "../../../flow/protocol/list-reading.ts";
import type { Watermark } from "../../../flow/protocol/watermarks.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const indexLag = defineRule<{ since: string; reason: string; isNow: boolean }>({
  id: "polling/index-lag",
  severity: "hint",
  summary: "The next cycle starts where this one ended, but lists may show changes late",
  why: 'Many services answer from a search index or a copy of their database, which shows a change some seconds late. If a change isn\'t shown yet when its window is read, it is older than the next window and is never read. Start each window a few minutes before the end of the last one, or end it a few minutes ago; records that arrive twice are recognised by their key. If the service shows changes at once, say so in `NAME.world.json` beside the config: `"lag": 0`.',
  guards: ["polling.pre_poll", "polling.request", "polling.polling_state", "D33", "D50"],
  message: ({ since, reason, isNow }) =>
    isNow
      ? `The next window starts exactly at the current time (\`${since}\`). ${reason}, so a change shown late is never read.`
      : `The next window starts exactly at the latest time that was read (\`${since}\`). ${reason}, so a change shown late is never read.`,
  because: ({ since, isNow }) => [
    "r1 changes at 12:00:10; the list shows it from 12:00:50",
    isNow
      ? "the list is read at 12:00:30, without r1"
      : "r2 changes at 12:00:30, is shown at once and is the latest",
    `the next cycle's \`${since}\` is 12:00:30: r1 is never read`,
  ],
  help: ({ isNow }) =>
    isNow
      ? "Subtract a few minutes: `now - 300`."
      : "Subtract a few minutes from the latest time before the next cycle uses it.",
  examples: [
    {
      title: "From now on",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {cursor: null, since: (now - 86400 | todate), until: null}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"cursor": "${polling_state.cursor}", "from": "${polling_state.since}", "to": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {cursor: .next_cursor, since: ${polling_state.since}, until: ${polling_state.until}}}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {cursor: null, since: ${polling_state.until}, until: null}}"}',
      },
      bad: '{"!jq": "{polling_state: {cursor: null, since: ${polling_state.since}, until: («now | todate»)}}"}',
      good: '{"!jq": "{polling_state: {cursor: null, since: ${polling_state.since}, until: (now - 300 | todate)}}"}',
      fixed:
        '{"!jq": "{polling_state: {cursor: null, since: ${polling_state.since}, until: (now - 300 | todate)}}"}',
      samples: { world: { intakes: {} } },
    },
    {
      title: "A search",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {cursor: null, since: \\"2000-01-01T00:00:00Z\\"}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {cursor: .next_cursor, since: (if .has_more then ${polling_state.since} else ([.items[].updated_at, ${polling_state.since}] | max) end)}}"',
      },
      bad: '{"path": "/customers/search", "params": {"cursor": "${polling_state.cursor}", "updated_after": «"${polling_state.since}"»}}',
      good: '{"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}", "updated_after": "${polling_state.since}"}}',
      samples: { world: { intakes: {} } },
    },
  ],
  fixes: ({ at }, { document }) => {
    const { start, end } = spanOf(document, at);
    const text = document.text.slice(start, end);
    const instead = text.replace(/^now\b(?= \||$)/, "now - 300");
    if (instead === text) return [];
    return [{ title: "Subtract five minutes", safe: false, edits: [{ start, end, newText: instead }] }];
  },
});

const module: RuleModule = {
  rules: [indexLag],
  checks: {
    intake(intake, report, model) {
      const reading = listReadingOf(intake, model);
      const found = reading === undefined ? undefined : withoutRoom(reading);
      const reason = reading === undefined || found === undefined ? undefined : lateBecause(reading, found);
      if (reading?.since === undefined || found === undefined || reason === undefined) return;
      const isNow = found.from === "clock";
      const { node, program } = found;
      const at = isNow ? { node: program.node, from: node.start, to: node.end } : reading.since.node;
      report(indexLag, at, { since: reading.since.name, reason, isNow });
    },
  },
};
export default module;

/** The one way in which the lower bound moves on, where nothing is taken off it: to the latest time, or to the end of a window. */
function withoutRoom({ since }: ListReading): Watermark | undefined {
  const [watermark, ...others] = since?.watermarks ?? [];
  if (watermark === undefined || others.length > 0 || watermark.hasMargin) return undefined;
  // The clock in `request` or `post_poll` is told of as such.
  if (watermark.from === "clock") return watermark.command === "pre_poll" ? watermark : undefined;
  return watermark.from === "last" || watermark.from === "greatest" ? watermark : undefined;
}

/** A second sign, beside the missing room, that lists show changes late; a service of which it is known may have none. */
function lateBecause({ request, known }: ListReading, { from }: Watermark): string | undefined {
  if (known.lag !== undefined)
    return known.lag > 0 ? `According to the world file its lists are up to ${known.lag} s late` : undefined;
  if (/(?:^|\/)_?(?:search|query|find)(?:[/?:]|$)/i.test(request.path))
    return "A search often shows changes some seconds late";
  return from === "clock"
    ? "This clock isn't the service's, and lists often show changes some seconds late"
    : undefined;
}
