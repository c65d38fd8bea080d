import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { reachableCases } from "../../../flow/protocol/reachable-cases.ts";
import type { RuleModule } from "../../checks.ts";
import { decidesByConstant } from "../jq/constant-conditions.ts";

const unreachedCase = defineRule<{ index: number; chosen: readonly string[] }>({
  id: "command/unreached-case",
  severity: "warning",
  summary: "A `!switch` never picks this case",
  why: "The program of a `!switch` gives the number of the case that runs. A case whose number it never gives runs for no customer, so what it should send or answer is never sent.",
  guards: ["D26", "command.!switch"],
  message: ({ index, chosen }) =>
    `Case ${index} never runs: the program gives ${chosen.length === 1 ? `only ${chosen[0]}` : `${chosen.slice(0, -1).join(", ")} or ${chosen.at(-1)}`}.`,
  because: ({ index, chosen }) => [`every record: case ${chosen.join(" or ")}`, `none: case ${index}`],
  help: () => "Let the program give its number, or remove the case.",
  examples: [
    {
      title: "D26: every branch gives the same number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!switch": {"jq": "if .kind == \\"new\\" then 0 else 0 end", "cases": [{"!jq": "{email: .email}"}, {«"!jq"»: "{email: .mail}"}]}}',
      good: '{"!switch": {"jq": "if .kind == \\"new\\" then 0 else 1 end", "cases": [{"!jq": "{email: .email}"}, {"!jq": "{email: .mail}"}]}}',
    },
    {
      title: "D26: the number comes from the step before",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "if .kind == \\"new\\" then {case: 0} else {case: 2} end"}, {"!switch": {"jq": ".case", "cases": [{"!jq": "{email: \\"a\\"}"}, {«"!jq"»: "{email: \\"b\\"}"}, {"!jq": "{email: \\"c\\"}"}]}}]}',
      good: '{"!pipe": [{"!jq": "if .kind == \\"new\\" then {case: 0} else {case: 1} end"}, {"!switch": {"jq": ".case", "cases": [{"!jq": "{email: \\"a\\"}"}, {"!jq": "{email: \\"b\\"}"}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unreachedCase],
  checks: {
    command: {
      "!switch"(command, report, model) {
        const { children } = command;
        const least = command.program === undefined ? 0 : leastOf(command.program);
        const first = children[0];
        if (least > 0 && first !== undefined && children.length > 1) {
          report(unreachedCase, first.member.key, { index: 0, chosen: [`${least}`, "more"] });
          return;
        }
        const chosen = reachableCases(command, flowOf(model));
        if (chosen === undefined || chosen.size === 0) return;
        // A condition that is a constant is told as that.
        if (command.program !== undefined && decidesByConstant(command.program)) return;
        // A number without a case is the likelier slip, and told there.
        if ([...chosen].some((index) => children[index] === undefined)) return;
        for (const [index, child] of children.entries())
          if (child !== undefined && !chosen.has(index))
            report(unreachedCase, child.member.key, {
              index,
              chosen: [...chosen].sort((a, b) => a - b).map(String),
            });
      },
    },
  },
};
export default module;

/** The least number that `[(.tenants | length), 2] | max` gives. */
function leastOf(program: JqProgram): number {
  if (program.diagnostics.length > 0 || !/\bmax\b/.test(program.node.value)) return 0;
  const body = plainBody(program);
  const [list, call, ...others] = body.kind === "Pipeline" ? stagesOf(body) : [];
  if (list?.kind !== "Array" || call?.kind !== "Call" || call.name.text !== "max" || others.length > 0)
    return 0;
  const items = list.body?.kind === "Comma" ? list.body.items : [];
  const numbers = items.map(constantOf).filter((each): each is number => typeof each === "number");
  return numbers.length === 0 ? 0 : Math.max(...numbers);
}
