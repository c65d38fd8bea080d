import type { Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type KindWritten, kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import type { RuleModule } from "../../checks.ts";

const textArithmetic = defineRule<{ key: string; text: string; command: string }>({
  id: "polling/text-arithmetic",
  severity: "warning",
  summary: "The program calculates with a date string as if it were a number",
  why: "A date string must first be converted to a number of seconds. Subtracting from a string fails, so every cycle of every customer ends with an error.",
  guards: ["polling.polling_state", "polling.pre_poll", "polling.request", "D23", "D33"],
  message: ({ key, text, command }) =>
    `\`${text}\` fails, because \`${command}\` sets \`${key}\` to a string.`,
  because: ({ key, command, text }) => [
    `\`${command}\` sets \`${key}\` to a date string`,
    `\`${text}\` calculates with a string and a number`,
  ],
  help: () => "Convert it to a number and back: `fromdate - 300 | todate`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate)}}"}',
      },
      bad: '{"!jq": "${polling_state} as $state | {polling_state: {page: 1, since: («$state.since - 300» | tostring)}}"}',
      good: '{"!jq": "${polling_state} as $state | {polling_state: {page: 1, since: ($state.since | fromdate - 300 | todate)}}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [textArithmetic],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const dates = new Map(datesSet(intake, model).map((written) => [written.key, written]));
      if (dates.size === 0) return;
      for (const program of programsOf(intake, model))
        for (const { key, node } of reckoned(program, new Set(dates.keys()))) {
          const { command, value, program: setter } = dates.get(key) as KindWritten;
          const text = program.node.value.slice(node.start, node.end);
          const at = { node: program.node, from: node.start, to: node.end };
          const set = { node: setter.node, from: value.start, to: value.end };
          report(textArithmetic, at, { key, text, command }, [{ message: "a date here", at: set }]);
        }
    },
  },
};
export default module;

/** What `initial_setup` certainly writes as a date, and nothing else as a number. */
function datesSet(intake: IntakeSymbol, model: Model): readonly KindWritten[] {
  const written = kindsWritten(intake, model);
  return written.filter(
    ({ key, command, kind }) =>
      command === "initial_setup" &&
      kind === "date" &&
      written.every((other) => other.key !== key || other.kind === "date" || other.kind === "text"),
  );
}

function programsOf(intake: IntakeSymbol, model: Model): readonly JqProgram[] {
  return partOfUnit(intake, model).programs.filter(
    ({ command, diagnostics }) =>
      diagnostics.length === 0 &&
      command.unit === intake &&
      outermostCommand(command) !== intake.commands.get("initial_setup"),
  );
}

/** Keys that are subtracted from, multiplied or divided. */
function reckoned(
  program: JqProgram,
  keys: ReadonlySet<string>,
): readonly { readonly key: string; readonly node: Node }[] {
  return nodesOfKind(program, "Arithmetic").flatMap((node) => {
    if (node.rest[0] === undefined || typeof constantOf(node.rest[0].operand) !== "number") return [];
    const key = keptKey(node.first, program);
    return key !== undefined && keys.has(key) ? [{ key, node }] : [];
  });
}
