import type { Expression } from "@configc/jq";
import { types } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keepsWholeState } from "../../../flow/protocol/state-paths.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const overwrittenKey = defineRule<{ key: string; left: string; right: string }>({
  id: "polling/overwritten-key",
  severity: "warning",
  summary: "A new value of the state is overwritten by the old one",
  why: "In `a + b` the members of `b` win. With the state on the right, what was just found is thrown away, and the state stays as it was at the setup: each cycle asks for the same again, and what is new never comes.",
  guards: ["polling.polling_state", "D23", "D33"],
  message: ({ key, right }) => `\`${right}\` has \`${key}\` too, and what stands on the right wins.`,
  because: ({ key }) => [
    `\`${key}\` is 7 in the state, and 8 is found`,
    `8 is put in, and the state’s 7 over it`,
  ],
  help: ({ left, right }) => `Write \`${right} + ${left}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: ({«page»: (${polling_state.page} + 1)} + ${polling_state})}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      fixed:
        '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      also: ["polling/same-request"],
    },
  ],
  fixes: ({ at }, { document, model }) => {
    if (!("from" in at)) return [];
    const program = model.programs.find(({ node }) => node === at.node);
    const sum =
      program === undefined
        ? undefined
        : nodesOfKind(program, "Arithmetic").find(({ start, end }) => start <= at.from && at.to <= end);
    const right = sum?.rest[0]?.operand;
    if (sum === undefined || right === undefined) return [];
    const text = ({ start, end }: Expression): string => at.node.value.slice(start, end).trim();
    const swapped = `${text(right)} + ${text(sum.first)}`;
    const edits = [replaceInString(document, at.node, sum.start, sum.end, swapped)];
    return [{ title: "Swap them", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [overwrittenKey],
  checks: {
    program(program, report, model) {
      const { command, node } = program;
      const intake = command.unit?.kind === "intake" ? command.unit : undefined;
      if (intake?.type !== "polling" || !node.value.includes("polling_state") || !node.value.includes("+"))
        return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
        const [step, ...others] = rest;
        const made = bare(first);
        if (step?.operator !== "+" || others.length > 0 || made.kind !== "Object") continue;
        if (!keepsWholeState(step.operand, program)) continue;
        for (const [key, value] of literalMembers(made) ?? []) {
          if (value === undefined || !isNew(value, program) || !hasKey(intake, key, program, model)) continue;
          const entry = made.entries.find(({ value: own }) => own === value);
          if (entry === undefined) continue;
          const text = (each: Expression): string =>
            excerpt(node.value.slice(each.start, each.end).trim(), 50);
          const at = { node, from: entry.key.start, to: entry.key.end };
          report(overwrittenKey, at, { key, left: text(made), right: text(step.operand) });
        }
      }
    },
  },
};
export default module;

/** Whether a value follows what happens, and isn't what a state is given that hasn't got the key yet. */
function isNew(value: Expression, program: JqProgram): boolean {
  const { input, clock, keys } = stateDependence(program, [value]);
  return input || clock || keys.size > 0;
}

/** Whether the state certainly has a key when the program's command runs. */
function hasKey(intake: IntakeSymbol, key: string, { command }: JqProgram, model: Model): boolean {
  const states = types.partsOf(flowOf(model).stateAt(command, intake));
  return (
    states.length > 0 &&
    states.every((state) => state.kind === "object" && state.members.get(key)?.optional === false)
  );
}
