import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { bare, partAt } from "../../../flow/nodes.ts";
import { isKept, keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keysSent } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const restartedJob = defineRule<{ key: string; job: string; to: string }>({
  id: "polling/restarted-job",
  severity: "warning",
  summary: "A list that was read in part is begun again, although a comment says that reading goes on",
  why: "A cycle ends at 100 requests or 1,000 results. If the next one begins the same list at its first page, it ends at the same place: what is behind that never comes, and nothing moves on.",
  guards: ["polling.pre_poll", "polling.polling_state", "D33"],
  message: ({ key, job, to }) =>
    `This keeps \`${job}\` and sets \`${key}\` back to \`${to}\`, as for a new list. A comment says that reading goes on with it.`,
  because: ({ key, to }) => [
    `a cycle ends in the midst of a list, and \`${key}\` says where`,
    `the next cycle asks for \`${to}\` again, and ends at the same place`,
  ],
  help: ({ key }) => `Keep it: \`\${polling_state.${key}}\`.`,
  examples: [
    {
      also: ["polling/cut-cycle"],
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll/!switch/cases/1",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {export: null, page: 1}}"}',
        "/data_intake/0/pre_poll":
          '{"_comment": "Goes on with an export that the last cycle left unfinished.", "!switch": {"jq": "if ${polling_state.export} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"kind": "people"}}}, {"!jq": "{polling_state: {export: .id, page: 1}}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/exports/${polling_state.export}/rows", "params": {"page": "${polling_state.page}"}}}, {"!jq": "(${polling_state.page} < .pages) as $more | {results: .rows, iterate: $more, polling_state: {export: (if $more then ${polling_state.export} else null end), page: (${polling_state.page} + 1)}}"}]',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!jq": "{polling_state: (${polling_state} + {page: «1»})}"}',
      good: '{"!jq": "{polling_state: ${polling_state}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [restartedJob],
  checks: {
    // The comments around an intake count.
    reach: "saved",
    intake(intake, report, model) {
      const prepare = intake.type === "polling" ? intake.commands.get("pre_poll") : undefined;
      if (prepare === undefined || !hasComments(model) || !isReadable(intake, model)) return;
      const writes = writesIn(intake, "pre_poll", model) ?? [];
      if (writes.length < 2) return;
      for (const write of writes) {
        const found = restartIn(write, writes, intake, model);
        if (found === undefined) continue;
        const comments = [...commentsBelow(prepare.node), ...commentsAround(prepare.node, [])];
        const comment = comments.find(({ value }) => goesOn.test(value));
        if (comment === undefined || comments.some(({ value }) => anew.test(value))) return;
        const { key, job, to } = found;
        return report(restartedJob, partAt(write.program, write.keys.get(key)!), { key, job, to }, [
          { message: "the comment", at: comment },
        ]);
      }
    },
  },
};
export default module;

const goesOn =
  /\b(?:goes? on|going on|continues?|resumes?|carr(?:y|ies) on|picks? up)\b.{0,60}\b(?:cycle|export|job|list|report|run|snapshot|unfinished|left)\b/i;
const anew =
  /\b(?:anew|afresh|from the (?:start|beginning|first|top)|restarts?|begins? again|at page 1 again|(?:is|are) (?:gone|removed|taken off|left out)|first page has the next)\b/i;

/** The place in a list that a write sets back while it keeps the list, where another one makes a new list and begins with the same place. */
function restartIn(write: StateWrite, writes: readonly StateWrite[], intake: IntakeSymbol, model: Model) {
  const sent = new Set(keysSent(intake, model));
  for (const [key, value] of write.keys) {
    const to = constantOf(bare(value));
    if (to === undefined || to === null || !sent.has(key) || !isMoved(key, intake, model)) continue;
    for (const job of sent) {
      if (job === key || !keepsKey(write, job)) continue;
      const isBegun = writes.some(({ keys, program }) => {
        const [made, place] = [keys.get(job), keys.get(key)];
        return (
          made !== undefined &&
          constantOf(bare(made)) === undefined &&
          !isKept(made, job, program) &&
          place !== undefined &&
          constantOf(bare(place)) === to
        );
      });
      if (isBegun) return { key, job, to: JSON.stringify(to) };
    }
  }
  return undefined;
}

/** Whether each request moves a key on from where it was. */
const isMoved = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  (writesIn(intake, "request", model) ?? []).some(({ keys, program }) => {
    const value = keys.get(key);
    return (
      value !== undefined && !isKept(value, key, program) && stateDependence(program, [value]).keys.has(key)
    );
  });
