import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { partAt } from "../../../flow/nodes.ts";
import { keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const halfReadAgain = defineRule<{ key: string; list: string; to: string }>({
  id: "polling/half-read-again",
  severity: "warning",
  summary: "A list that is kept for the next cycle is read from its beginning again",
  why: "A list that is too long for one cycle is kept, so that the next cycle reads on. If the place in it is set back, each cycle reads the same first records, and what stands behind them never arrives.",
  guards: ["polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, list, to }) =>
    `\`post_poll\` keeps \`${list}\` for the next cycle here, but sets \`${key}\` back to ${to}.`,
  because: ({ key, list, to }) => [
    `a cycle ends at 1,000 results in the middle of \`${list}\``,
    `the next one reads the same \`${list}\` with \`${key}\` ${to}: the same records again`,
  ],
  help: ({ key }) => `Keep \`${key}\`, too.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {from: (now - 86400 | todate), taken: null, job: null, offset: 0, done: true}}"}',
        "/data_intake/0/pre_poll":
          '{"!switch": {"jq": "if ${polling_state.job} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"from": "${polling_state.from}"}}}, {"!jq": "{polling_state: (${polling_state} + {job: .id, taken: .taken_at, offset: 0, done: false})}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
        "/data_intake/0/request":
          '{"!pipe": [{"!http": {"path": "/exports/${polling_state.job}/rows", "params": {"offset": "${polling_state.offset}", "limit": 100}}}, {"!jq": "(${polling_state.offset} + (.rows | length)) as $next | ($next >= .total) as $done | {results: .rows, iterate: ($done | not), polling_state: (${polling_state} + {offset: $next, done: $done})}"}]}',
      },
      bad: '{"!switch": {"jq": "if ${polling_state.done} then 1 else 0 end", "cases": [{"!jq": "{polling_state: (${polling_state} + {offset: «0»})}"}, {"!jq": "{polling_state: {from: ${polling_state.taken}, taken: null, job: null, offset: 0, done: true}}"}]}}',
      good: '{"!switch": {"jq": "if ${polling_state.done} then 1 else 0 end", "cases": [{"!jq": "{polling_state: ${polling_state}}"}, {"!jq": "{polling_state: {from: ${polling_state.taken}, taken: null, job: null, offset: 0, done: true}}"}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [halfReadAgain],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !intake.commands.has("post_poll") || !isReadable(intake, model))
        return;
      const writes = writesIn(intake, "post_poll", model) ?? [];
      // What one program decides is run through, and `polling/cut-cycle` tells it.
      if (new Set(writes.map(({ program }) => program)).size < 2) return;
      const reads = askedBy(intake, model)?.reads ?? [];
      const lists = new Set(reads.filter(({ at }) => isPath(at.node.parent)).map(({ key }) => key));
      const places = new Set(reads.map(({ key }) => key).filter((key) => isCounted(key, intake, model)));
      for (const list of lists) {
        // A list that each cycle asks for anew begins at its beginning.
        if (!mayStay(list, intake, model) || writes.every((write) => keepsKey(write, list))) continue;
        for (const write of writes.filter((each) => keepsKey(each, list)))
          for (const key of places) {
            const value = write.keys.get(key);
            const to = key === list || value === undefined ? undefined : constantOf(value);
            if (value === undefined || typeof to !== "number") continue;
            report(halfReadAgain, partAt(write.program, value), { key, list, to: `${to}` });
            return;
          }
      }
    },
  },
};
export default module;

/** Whether a text is the path of a request. */
const isPath = (member: { readonly kind: string; readonly name?: string } | undefined): boolean =>
  member?.kind === "member" && (member.name === "path" || member.name === "url");

/** Whether the request counts a key on from what it was. */
const isCounted = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  (writesIn(intake, "request", model) ?? []).some(({ keys, program }: StateWrite) => {
    const value = keys.get(key);
    return value !== undefined && !keepsKeyAlone(value) && stateDependence(program, [value]).keys.has(key);
  });

const keepsKeyAlone = ({ kind }: { readonly kind: string }): boolean => kind === "Hole";

/** Whether `pre_poll` leaves a key as it was in some case. */
function mayStay(key: string, intake: IntakeSymbol, model: Model): boolean {
  if (!intake.commands.has("pre_poll")) return true;
  return (writesIn(intake, "pre_poll", model) ?? []).some((write) => keepsKey(write, key));
}
