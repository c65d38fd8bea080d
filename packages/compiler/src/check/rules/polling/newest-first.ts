import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import type { RuleModule } from "../../checks.ts";
import { cyclesOf, inEach, isBound, movesWithPages, valueIn } from "./cycles.ts";
import { nameOf } from "./found.ts";

const newestFirst = defineRule<{ name: string }>({
  id: "polling/newest-first",
  severity: "warning",
  summary: "After a cycle that was cut, the next one begins behind what wasn't read",
  why: "A cycle ends at 1,000 results. Of a list that has the newest first, the latest time is already on the first page: the next cycle asks from there on, and what stood behind the cut is never asked for.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ name }) =>
    `The list comes newest first, and \`${name}\` already moves with its first page: after a cycle that is cut, older records are never asked for.`,
  because: ({ name }) => [
    "page 1 has the newest records, and the cycle is cut behind it",
    `the next cycle asks with \`${name}\` later than all of page 2`,
  ],
  help: () => "Ask for the oldest first, or move the watermark only after the last page.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), newest: (now - 86400 | todate)}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.newest}, newest: ${polling_state.newest}}}"}',
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, newest: ([${polling_state.newest}, .items[].created_at] | max)}}"',
      },
      bad: '{"page": "${polling_state.page}", "created_since": "«${polling_state.since}»", "sort": "-created_at"}',
      good: '{"page": "${polling_state.page}", "created_since": "${polling_state.since}", "sort": "created_at"}',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [newestFirst],
  checks: {
    intake(intake, report, model) {
      const cycles = cyclesOf(intake, model);
      if (cycles?.order !== "descending") return;
      const [bound, ...others] = leavesOf(cycles.first.pages[0]).filter(isBound);
      if (bound === undefined || others.length > 0) return;
      if (inEach(cycles, (each) => movesWithPages(bound, each))) return;
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const { node, syntax } = bound.expansion;
      if (inEach(cycles, (each) => leavesBehind(bound, each)))
        report(newestFirst, { node, from: syntax.start, to: syntax.end }, { name: nameOf(bound) });
    },
  },
};
export default module;

function leavesBehind(bound: Leaf, { resumed, unread }: Cycle): boolean {
  const after = resumed === undefined ? undefined : valueIn(resumed, bound);
  if (after === undefined || unread === undefined || typeof after !== typeof unread) return false;
  return (after as string | number) > unread;
}
