import { declaredDirection } from "../../../bind/direction.ts";
import { defineRule, type Related } from "../../../findings/rule.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const types = { inbound: "generic", outbound: "automations" } as const;

const wrongDirection = defineRule<{ found: string; expected: string }>({
  id: "workflow/wrong-direction",
  severity: "error",
  summary: "A workflow's `type` contradicts the rest of it",
  why: "`generic` is inbound: an intake brings data into the platform. `automations` is outbound: a contact of the platform goes to the service. If the rest of the workflow contradicts its type, it never runs as meant: an inbound workflow of type `automations` never sees what its intake receives.",
  guards: ["workflow.type", "service.2", "D43"],
  message: ({ found, expected }) =>
    expected === "generic"
      ? `\`${found}\` is for outbound workflows, but this one reads an intake and writes to the platform.`
      : `\`${found}\` is for inbound workflows, but this one has no intake and sends data from the platform.`,
  help: ({ expected }) => `Change its type to \`${expected}\`.`,
  examples: [
    {
      title: "an inbound workflow",
      in: "inbound-polling",
      at: "/workflows/0/type",
      bad: '«"automations"»',
      good: '"generic"',
      fixed: '"generic"',
    },
    {
      title: "an outbound workflow",
      in: "outbound",
      at: "/workflows/0/type",
      bad: '«"generic"»',
      good: '"automations"',
      fixed: '"automations"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    return [changeToString(document, at, args.expected, false)];
  },
});

const module: RuleModule = {
  rules: [wrongDirection],
  checks: {
    workflow({ node, direction }, report) {
      const type = node.get("type");
      if (direction === undefined || type?.kind !== "string" || declaredDirection(node) === direction) return;
      const related = ["data_intake", "data_pipeline"].flatMap((name): Related[] => {
        const member = node.member(name);
        return member === undefined ? [] : [{ message: `says that it is ${direction}`, at: member.key }];
      });
      report(wrongDirection, type, { found: type.value, expected: types[direction] }, related);
    },
  },
};
export default module;
