import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { ownerOf } from "../../locate.ts";
import { otherIntake, secondWorkflow, severalInbound } from "./example-workflow.ts";

const sharedIntake = defineRule<{ intake: string; workflows: readonly string[] }>({
  id: "reference/shared-intake",
  severity: "hint",
  summary: "An intake is used by several workflows",
  why: "This works: each workflow has its own registrations and polling state. But the intake's commands may only read form fields that all of these workflows have, and a field that is optional in one of them counts as optional.",
  guards: ["D12", "workflow.data_intake"],
  message: ({ intake, workflows }) =>
    `${workflows.length} workflows use the intake \`${intake}\`: ${workflows.map((name) => `\`${name}\``).join(", ")}.`,
  examples: [
    {
      title: "D12",
      in: "inbound-webhook",
      settings: severalInbound,
      at: "/workflows/1",
      with: { "/data_intake/1": otherIntake },
      bad: secondWorkflow("form", "submission.created"),
      good: secondWorkflow("form", "other.created"),
    },
  ],
});

const module: RuleModule = {
  rules: [sharedIntake],
  checks: {
    intake(intake, report) {
      const users = usersOf(intake);
      if (users.length < 2) return;
      const related = intake.references.map(({ node }) => ({ message: "used here", at: node }));
      report(
        sharedIntake,
        intake.nameNode ?? ownerOf(intake.node),
        {
          intake: intake.name ?? "",
          workflows: users.map(({ name, index }) => name ?? `number ${index + 1}`),
        },
        related,
      );
    },
  },
};
export default module;
