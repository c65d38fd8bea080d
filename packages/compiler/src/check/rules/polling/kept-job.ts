import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName } from "../../../flow/id-names.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { LifecycleAnswer } from "../../../flow/machine/lifecycle-answer.ts";
import { areEqual, isKind, isTrue, memberOf } from "../../../flow/machine/value.ts";
import { bare, partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { isKept, keepsWhileGoingOn, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keysSent, paramOf, sentByName } from "../../../flow/protocol/request-reads.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { areAlike, cyclesOf } from "./cycles.ts";
import { type ArgsOf, type Found, inAll } from "./found.ts";
import { jobKey } from "./job-states.ts";

const keptJob = defineRule<{ key: string; moved: string }>({
  id: "polling/kept-job",
  severity: "warning",
  summary: "What `pre_poll` orders once is never ordered again",
  why: "An export or a job has what there was when it was ordered. If its id stays in the state behind the last page, `pre_poll` takes it for one that isn't read yet: each later cycle reads the old one again, and nothing that changes later ever arrives.",
  guards: ["polling.pre_poll", "polling.request", "polling.polling_state", "D33"],
  message: ({ key, moved }) =>
    `Behind the last page \`${key}\` is still there, so \`pre_poll\` never orders another one, and \`${moved}\`, which moves, is never sent again.`,
  because: ({ key }) => [
    `cycle 1: \`pre_poll\` gets \`${key}\`, and all pages are read`,
    `cycle 2: \`${key}\` is there, so \`pre_poll\` sends nothing`,
    "its first request is that of cycle 1 again",
  ],
  help: ({ key }) => `Set \`${key}\` back to \`null\` behind the last page.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {since: (now - 86400 | floor), export: null, until: null, page: 1}}"}',
        "/data_intake/0/pre_poll":
          '{"!switch": {"jq": "if ${polling_state.export} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"from": "${polling_state.since}"}}}, {"!jq": "{polling_state: {since: ${polling_state.since}, export: .id, until: .until, page: 1}}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/exports/${polling_state.export}/pages/${polling_state.page}"}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"{results: .items, iterate: .has_more, polling_state: (if .has_more then ${polling_state} + {page: (${polling_state.page} + 1)} else {since: ${polling_state.until}, export: «${polling_state.export}», until: null, page: 1} end)}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (if .has_more then ${polling_state} + {page: (${polling_state.page} + 1)} else {since: ${polling_state.until}, export: null, until: null, page: 1} end)}"',
    },
  ],
});

const module: RuleModule = {
  rules: [keptJob],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !intake.commands.has("pre_poll")) return;
      // An import of what was before runs once.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const cycles = cyclesOf(intake, model);
      if (cycles === undefined) {
        const kept = isReadable(intake, model) ? keptByForm(intake, model) : undefined;
        if (kept !== undefined) report(keptJob, kept.at, kept.args);
        return;
      }
      const sent = keysSent(intake, model);
      const ordered = new Set(
        (writesIn(intake, "pre_poll", model) ?? []).flatMap(({ keys, program }) =>
          [...keys].flatMap(([key, value]) => (keptKey(value, program) === undefined ? [key] : [])),
        ),
      );
      const found = inAll(cycles, (cycle) => jobOf(cycle, ordered, sent));
      if (found !== undefined) report(keptJob, keptAt(found, intake, model), found.args);
    },
  },
};
export default module;

/**
 * What the first request of the next cycle has of an answer that `pre_poll` got once, where that request is the one of this cycle again, although
 * something else moved that is sent where the job is ordered.
 */
function jobOf(
  { pages, next }: Cycle,
  ordered: ReadonlySet<string>,
  sent: ReadonlySet<string>,
): Found<ArgsOf<typeof keptJob>> | undefined {
  const [first, , last] = pages;
  if (isTrue(last.iterate) !== false || next.prepared.length > 0 || !areAlike(first, next)) return undefined;
  const asked = leavesOf(first);
  const job = asked.find(
    ({ given, expansion }) =>
      expansion.root === "polling_state" &&
      ordered.has(expansion.syntax.path[1]?.text ?? "") &&
      isKind(given, "part") &&
      given.source instanceof LifecycleAnswer,
  );
  const own = new Set(asked.map(({ expansion }) => expansion.syntax.path[1]?.text));
  const moved = [...sent].find(
    (key) => !own.has(key) && !areEqual(memberOf(first.before, key), memberOf(next.before, key)),
  );
  if (job === undefined || moved === undefined) return undefined;
  return { leaf: job, args: { key: job.expansion.syntax.path[1]!.text, moved } };
}

/**
 * The same as the programs are written, where no list is read: the last way moves what the job is ordered with, and the job stays, by its own id in
 * the answer.
 */
function keptByForm(intake: IntakeSymbol, model: Model) {
  const key = jobKey(intake, model);
  if (key === undefined) return undefined;
  const bounds = sentByName(intake, model).flatMap((read) =>
    boundName(paramOf(read) ?? read.key)?.end === "lower" ? [read.key] : [],
  );
  for (const write of writesIn(intake, "request", model) ?? []) {
    const { keys, program } = write;
    const value = keys.get(key);
    if (mayGoOn(write) || value === undefined || !isOwnId(bare(value), key, program)) continue;
    const moved = bounds.find((bound) => {
      const next = keys.get(bound);
      return next !== undefined && constantOf(bare(next)) === undefined && !isKept(next, bound, program);
    });
    if (moved !== undefined) return { at: partAt(program, value), args: { key, moved } };
  }
  return undefined;
}

/** `${polling_state.job}`, or `$job.id` of the answer about it. */
const isOwnId = (value: Expression, key: string, program: JqProgram): boolean =>
  isKept(value, key, program) || (value.kind === "Postfix" && isIdName(lastName(value) ?? ""));

/** Where `request` keeps it behind the last page. */
function keptAt(
  { leaf, args: { key } }: { leaf: Leaf; args: { key: string } },
  intake: IntakeSymbol,
  model: Model,
): Location {
  const { node, syntax } = leaf.expansion;
  for (const write of writesIn(intake, "request", model) ?? []) {
    const value = write.keys.get(key);
    if (value !== undefined && keepsWhileGoingOn(write, key) && !mayGoOn(write))
      return partAt(write.program, value);
  }
  return partAt({ node }, syntax);
}
