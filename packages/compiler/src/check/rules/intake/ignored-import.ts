import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { removeFix } from "../workflow/remove.ts";
import { mayBeAboutObjects } from "./custom-objects.ts";

const ignoredImport = defineRule<{ member: string; historical: boolean }>({
  id: "intake/ignored-import-setting",
  severity: "hint",
  tag: "unnecessary",
  summary: "`frequency` or `import_option` of an intake that no custom-object workflow uses",
  why: "The customer chooses in the `schedule` step how often a standard import runs, or whether it runs once. The intake's `frequency` and `import_option` count only in custom-object workflows: in an app with `objects`, where a group of the mapping has a `schemaId`.",
  guards: ["polling.frequency", "polling.import_option", "limit.frequency", "D42"],
  message: ({ member, historical }) =>
    historical
      ? `\`${member}\` is ignored. A historical import runs once, before the webhook takes over.`
      : `\`${member}\` is ignored. Only custom-object workflows read it from the intake.`,
  help: ({ historical }) =>
    historical ? "Remove it." : "Remove it. The customer chooses in the `schedule` step of the workflow.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0",
      bad: polling(', «"frequency"»: 3600'),
      good: polling(""),
      fixed: polling(""),
    },
    {
      title: "a historical import",
      in: "historical-sync",
      at: "/data_intake/1",
      with: { "/data_intake/1/name": '"past-orders"' },
      bad: polling(', «"import_option"»: "single"', "past-orders"),
      good: polling("", "past-orders"),
      fixed: polling("", "past-orders"),
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const module: RuleModule = {
  rules: [ignoredImport],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      const members = [intake.node.member("frequency"), intake.node.member("import_option")];
      const users = usersOf(intake);
      if (users.length === 0 || members.every((member) => member === undefined)) return;
      if (users.some((workflow) => mayBeAboutObjects(workflow, model))) return;
      const historical = intake.references.every(({ member }) => member === "historical_data_intake");
      for (const member of members) {
        if (member !== undefined) report(ignoredImport, keyOf(member), { member: member.name, historical });
      }
    },
  },
};
export default module;

function polling(more: string, name = "customers"): string {
  return `{"type": "polling", "name": "${name}", "request": {"!pipe": [{"!http": {"path": "/records"}}, {"!jq": "{results: .items, iterate: false, polling_state: {}}"}]}${more}}`;
}
