import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { type Stages, stagesIn } from "../../../flow/machine/stages.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { reachableCases } from "../../../flow/protocol/reachable-cases.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { oneOfNames } from "../../message-text.ts";

/** An intake that orders a job in one cycle and reads it in a later one. */
const setUp = '{"!jq": "{polling_state: {phase: \\"idle\\", job: null}}"}';
const prePoll = (mark: string, ordered: string): string =>
  `{"!switch": {"jq": "if \${polling_state.phase} == \\"idle\\" then 0 elif \${polling_state.phase} == \\"waiting\\" then 1 else 2 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/jobs"}}, {"!jq": "{polling_state: {phase: \\"${ordered}\\", job: .id}}"}]}, {${mark}: [{"!http": {"path": "/jobs/\${polling_state.job}"}}, {"!jq": "{polling_state: {phase: (if .done then \\"ready\\" else \\"waiting\\" end), job: \${polling_state.job}}}"}]}, {"!jq": "{polling_state: \${polling_state}}"}]}}`;
const request = (read: string): string =>
  `{"!switch": {"jq": "if \${polling_state.phase} == \\"ready\\" then 1 else 0 end", "cases": [{"!jq": "{results: [], iterate: false, polling_state: \${polling_state}}"}, {"!pipe": [{"!http": {"path": "/jobs/\${polling_state.job}/rows"}}, {"!jq": "{results: .rows, iterate: false, polling_state: {phase: ${read}, job: \${polling_state.job}}}"}]}]}}`;

const unreachedStage = defineRule<{ key: string; is: readonly string[]; word: string | undefined }>({
  id: "polling/unreached-stage",
  severity: "warning",
  summary: "A polling state never reaches a stage that it waits for",
  why: "A key of the state says how far an intake is: an export is ordered, then waited for, then read. If no command sets the next stage, the commands for it never run, and what they should read never arrives.",
  guards: ["polling.polling_state", "polling.request", "command.!switch", "D33"],
  message: ({ key, is, word }) =>
    word === undefined
      ? `This case never runs: \`${key}\` is only ever ${oneOfNames(is)}.`
      : `\`${key}\` never becomes \`${word}\`: it is only ever ${oneOfNames(is)}.`,
  because: ({ key, is, word }) => [
    `\`${key}\` begins as set by \`initial_setup\``,
    `whatever the service answers, it is only ever ${oneOfNames(is)}`,
    word === undefined ? "this case is for another stage" : `this asks whether it is \`${word}\``,
  ],
  help: ({ key }) => `Give \`${key}\` the next stage's value where the stage before it ends.`,
  examples: [
    {
      title: "After the job is ordered",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": setUp,
        "/data_intake/0/request": request('\\"idle\\"'),
        "/data_intake/0/post_poll": undefined,
      },
      bad: prePoll('«"!pipe"»', "idle"),
      good: prePoll('"!pipe"', "waiting"),
    },
  ],
});

const lastStage = defineRule<{ key: string; word: string }>({
  id: "polling/last-stage",
  severity: "warning",
  summary: "A polling state gets stuck in a stage in which nothing is requested",
  why: "In such a stage each cycle does nothing and leaves the state as it is. The next records are never asked for, until the customer sets the workflow up again.",
  guards: ["polling.polling_state", "polling.request", "polling.pre_poll", "D33"],
  message: ({ key, word }) =>
    `Once \`${key}\` is \`${word}\`, no command sends a request or changes it, so no later cycle reads anything.`,
  because: ({ key, word }) => [
    `a cycle leaves \`${key}\` as \`${word}\``,
    `the next cycle requests nothing and leaves \`${key}\` as \`${word}\``,
  ],
  help: ({ key }) => `Set \`${key}\` back to the first stage's value in \`post_poll\` or \`pre_poll\`.`,
  examples: [
    {
      title: "After the job is read",
      in: "inbound-polling",
      at: "/data_intake/0/request",
      with: {
        "/data_intake/0/initial_setup": setUp,
        "/data_intake/0/pre_poll": prePoll('"!pipe"', "waiting"),
        "/data_intake/0/post_poll": undefined,
      },
      bad: request('«\\"done\\"»'),
      good: request('\\"idle\\"'),
    },
  ],
});

const module: RuleModule = {
  rules: [unreachedStage, lastStage],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const all = stagesIn(intake, model);
      if (all.length === 0) return;
      const told = new Set<Command>();
      for (const stages of all) {
        const { key, reached } = stages;
        const is = [...reached].map(String);
        if (asksForUnknown(stages, intake, model)) continue;
        const dead = deadCase(stages, intake, model);
        if (dead !== undefined) {
          if (told.has(dead)) continue;
          told.add(dead);
          report(unreachedStage, dead.member.key, { key, is, word: undefined });
          continue;
        }
        const asked = askedIn(stages, intake, model).find(({ word }) => !reached.has(word));
        if (asked !== undefined) report(unreachedStage, asked.at, { key, is, word: asked.word });
        else if (goesOn(intake))
          for (const { stage, node, program } of stages.written)
            if (stages.ends.has(stage) && stages.ran.has(program.command))
              report(lastStage, partAt(program, node), { key, word: String(stage) });
      }
    },
  },
};
export default module;

/** The first case that runs in none of the stages that are reached, but would in others. */
function deadCase({ ran, others }: Stages, intake: IntakeSymbol, model: Model): Command | undefined {
  const dead = partOfUnit(intake, model).commands.filter(
    (command) =>
      command.parent?.key === "!switch" &&
      ran.has(command.parent) &&
      !ran.has(command) &&
      others.has(command) &&
      // What no program gives is told as that.
      reachableCases(command.parent, flowOf(model))?.has(command.parent.children.indexOf(command)) !== false,
  );
  const [first] = stateCommands.flatMap((name) =>
    dead.filter((command) => outermostCommand(command) === intake.commands.get(name)),
  );
  return first;
}

interface Asked {
  readonly at: StringPart;
  readonly word: string;
}

/** Comparisons of a key with a word. */
function askedIn({ key }: Stages, intake: IntakeSymbol, model: Model): readonly Asked[] {
  return partOfUnit(intake, model).commands.flatMap(({ program }) =>
    (program === undefined ? [] : nodesOfKind(program, "Comparison")).flatMap((node) => {
      const word = constantOf(node.right);
      const isAsked = node.operator === "==" && keptKey(node.left, program!) === key;
      return isAsked && typeof word === "string" ? [{ at: partAt(program!, node), word }] : [];
    }),
  );
}

/** Whether a comparison is with a word that nothing writes: it is told as that. */
const asksForUnknown = (stages: Stages, intake: IntakeSymbol, model: Model): boolean =>
  askedIn(stages, intake, model).some(
    ({ word }) => !stages.reached.has(word) && !stages.written.some(({ stage }) => stage === word),
  );

/** Whether customers want what comes later too. */
const goesOn = (intake: IntakeSymbol): boolean =>
  usersOf(intake).some(({ node }) => {
    const setup = node.get("setup");
    const schedule = setup?.kind === "object" ? setup.get("schedule") : undefined;
    const options = schedule?.kind === "object" ? schedule.get("import_options") : undefined;
    return (
      options?.kind !== "array" || options.items.some((option) => textOf(option, "type") === "recurring")
    );
  });
