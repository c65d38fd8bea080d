import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { jobWays } from "../../../flow/protocol/job-ways.ts";
import { isKept, keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf, sentByName } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const ordered = {
  "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {since: (now - 86400 | floor), job: null}}"}',
  "/data_intake/0/pre_poll":
    '{"!switch": {"jq": "if ${polling_state.job} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"from": "${polling_state.since}"}}}, {"!jq": "{polling_state: (${polling_state} + {job: .id})}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
  "/data_intake/0/request/!pipe/0/!http": '{"path": "/exports/${polling_state.job}"}',
  "/data_intake/0/post_poll": undefined,
} as const;
const done =
  'if .state == \\"done\\" then {results: .rows, iterate: false, polling_state: {since: .until, job: null}}';
const forgotten = "{results: [], iterate: false, polling_state: (${polling_state} + {job: null})}";
const kept = "{results: [], iterate: false, polling_state: ${polling_state}}";

const failedJob = defineRule<{ key: string; word: string }>({
  id: "polling/failed-job",
  severity: "warning",
  summary: "A job that failed stays in the state, so it is asked for again and again",
  why: "A job that failed never becomes ready. If its id stays in the state, `pre_poll` orders no other one: each cycle asks for the failed one, and after a single failure nothing arrives any more.",
  guards: ["polling.pre_poll", "polling.request", "polling.polling_state", "D33"],
  message: ({ key, word }) =>
    `If the job is \`${word}\`, \`${key}\` stays in the state, and \`pre_poll\` never orders another one.`,
  because: ({ key, word }) => [
    `cycle 1: the job is \`${word}\`, and the state stays as it is`,
    `cycle 2: \`${key}\` is there, so \`pre_poll\` orders nothing, and the job is still \`${word}\``,
  ],
  help: ({ key }) => `Set \`${key}\` back to \`null\` there.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: ordered,
      bad: `"${done} elif .state == \\"failed\\" then ${kept.replace("${polling_state}", "«${polling_state}»")} else ${kept} end"`,
      good: `"${done} elif .state == \\"failed\\" then ${forgotten} else ${kept} end"`,
    },
  ],
});

const droppedJob = defineRule<{ key: string }>({
  id: "polling/dropped-job",
  severity: "warning",
  summary: "A job that isn't ready yet is dropped from the state",
  why: "A service works on an export for a while. If the id of a job that isn't ready is dropped, the next cycle orders a new one, which isn't ready either: nothing is ever fetched, and the service gets a new job with each cycle.",
  guards: ["polling.pre_poll", "polling.request", "polling.polling_state", "D33"],
  message: ({ key }) =>
    `While the job isn't ready, \`${key}\` is set to \`null\`, so the next cycle orders another one.`,
  because: ({ key }) => [
    `cycle 1: \`pre_poll\` orders a job, which isn't ready yet, and \`${key}\` is dropped`,
    "cycle 2: `pre_poll` orders another one, and so on: none is ever read",
  ],
  help: () => "Leave the state as it is there: `polling_state: ${polling_state}`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: ordered,
      bad: `"${done} elif .state == \\"failed\\" then ${forgotten} else ${forgotten.replace("job: null", "job: «null»")} end"`,
      good: `"${done} elif .state == \\"failed\\" then ${forgotten} else ${kept} end"`,
    },
  ],
});

const failedMove = defineRule<{ key: string; word: string; text: string }>({
  id: "polling/failed-move",
  severity: "warning",
  summary: "A job that failed moves the start of the next one",
  why: "What a job that failed should have had is in no other job, unless the next one is ordered from the same time on.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, word, text }) =>
    `If the job is \`${word}\`, \`${key}\` still becomes \`${text}\`. What it should have had is in no other job.`,
  because: ({ key, word }) => [
    `cycle 1: the job is \`${word}\`, and nothing is read`,
    `cycle 2: the next one begins at the new \`${key}\``,
  ],
  help: ({ key }) => `Keep it: \`\${polling_state.${key}}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: ordered,
      bad: `"${done} elif .state == \\"failed\\" then {results: [], iterate: false, polling_state: {since: «.until», job: null}} else ${kept} end"`,
      good: `"${done} elif .state == \\"failed\\" then ${forgotten} else ${kept} end"`,
      fixed: `"${done} elif .state == \\"failed\\" then {results: [], iterate: false, polling_state: {since: \${polling_state.since}, job: null}} else ${kept} end"`,
    },
  ],
  fixes: ({ at, args: { key } }, { document }) =>
    "from" in at && isReferable(key)
      ? [
          {
            title: `Keep \`${key}\``,
            safe: false,
            edits: [replaceInString(document, at.node, at.from, at.to, `\${polling_state.${key}}`)],
          },
        ]
      : [],
});

/** Whether an expansion can name a key. */
const isReferable = (key: string): boolean => /^[\w-]+$/.test(key);

const module: RuleModule = {
  rules: [failedJob, droppedJob, failedMove],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !intake.commands.has("pre_poll") || !isReadable(intake, model)) return;
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const key = jobKey(intake, model);
      if (key === undefined) return;
      const clauses = hasComments(model) ? documentedClauses(intake.node) : [];
      const isTriedAgain = clauses.some(({ text }) => triedAgain.test(text));
      const isSame = clauses.some(({ text }) => givenAgain.test(text));
      const bounds = new Set(
        sentByName(intake, model).flatMap((read) =>
          boundName(paramOf(read) ?? read.key)?.end === "lower" ? [read.key] : [],
        ),
      );
      for (const { write, state, words } of jobWays(intake, model)) {
        for (const bound of state === "failed" ? bounds : []) {
          const moved = movedByFailed(write, bound, key);
          if (moved === undefined) continue;
          const text = excerpt(textAt(moved, write.program), 60);
          report(failedMove, partAt(write.program, moved), { key: bound, word: words[0] ?? "", text });
        }
        if (write.iterate !== undefined && constantOf(bare(write.iterate)) !== false) continue;
        const value = write.keys.get(key);
        if (
          state === "failed" &&
          !isTriedAgain &&
          keepsKey(write, key) &&
          keepsAll(write, writesIn(intake, "pre_poll", model) ?? [])
        ) {
          const at = partAt(write.program, write.node);
          report(failedJob, at, { key, word: words[0] ?? "" });
        } else if (state === "waiting" && !isSame && value !== undefined && isNothing(value))
          report(droppedJob, partAt(write.program, value), { key });
      }
    },
  },
};
export default module;

/** `A failed export is tried again by the service`: it isn't over. */
const triedAgain =
  /\b(?:fail(?:s|ed|ure)?|error)\b.{0,60}\b(?:(?:is|are|gets?) (?:tried|made|started|run) (?:again|once more)|(?:is|are) (?:retried|repeated|restarted))\b.{0,20}\bby (?:itself|the service)\b|\bthe service (?:retries|repeats|restarts|tries)\b.{0,40}\bfail/i;
/** `POST /exports gives the export that is being made`: what is dropped is found again. */
const givenAgain =
  /\b(?:gives?|returns?|answers with) (?:back )?the (?:same )?\w+ (?:that is (?:being|still)|as long as|while|until)\b|\bgives? the same \w+ again\b/i;

/** What a bound becomes where a job has failed, and another one is ordered behind it. */
function movedByFailed(write: StateWrite, bound: string, job: string): Expression | undefined {
  const [value, dropped] = [write.keys.get(bound), write.keys.get(job)];
  if (value === undefined || dropped === undefined || !isNothing(dropped)) return undefined;
  return constantOf(bare(value)) !== undefined || isKept(value, bound, write.program)
    ? undefined
    : bare(value);
}

/** The key of a job that `pre_poll` orders where there is none, and that `request` asks for. */
export function jobKey(intake: IntakeSymbol, model: Model): string | undefined {
  const orders = writesIn(intake, "pre_poll", model) ?? [];
  const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
  const behind = writesIn(intake, "post_poll", model);
  return [...sent].find(
    (key) =>
      orders.some((write) => isOrdered(write, key)) &&
      orders.some((write) => keepsKey(write, key)) &&
      behind?.every((write) => keepsKey(write, key)) === true,
  );
}

/** Whether a key becomes what an answer has. */
function isOrdered({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  return value !== undefined && stateDependence(program, [value]).input;
}

/**
 * Whether no key is set to anything new, other than what the order of a job sets it to, too: another one may say that the job is to be ordered
 * again.
 */
const keepsAll = (write: StateWrite, orders: readonly StateWrite[]): boolean =>
  [...write.keys].every(([key, value]) => {
    const constant = constantOf(value);
    const begins = orders.some(({ keys }) => {
      const begun = keys.get(key);
      return constant !== undefined && begun !== undefined && constantOf(begun) === constant;
    });
    return begins || keepsKey(write, key);
  });

const isNothing = (value: Parameters<typeof constantOf>[0]): boolean => {
  const given = constantOf(value);
  return given === null || given === "";
};
