import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { readsOf } from "../state/reads.ts";
import { allIn } from "../workflow/commands.ts";
import { named } from "./saved-id.ts";

const chosenRegistration = defineRule<{ text: string; key: string; scope: string }>({
  id: "intake/deleted-by-choice",
  severity: "warning",
  summary: "`delete` names the registration by what the customer chose instead of the saved id",
  why: "`create` saves the id that the service gave. What the customer chose is the id of something else, and may be another one by now. The API answers 404, the platform takes that as deleted, and events keep coming.",
  guards: ["webhook.delete", "expansion.custom_data", "D24", "D32"],
  message: ({ text, key }) =>
    `\`${text}\` is what the customer chose. \`create\` saves the registration's id as \`${key}\`, which nothing reads.`,
  ...named,
  examples: [
    {
      title: "D32",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: { "/data_intake/0/update": undefined },
      bad: '{"!http": {"method": "DELETE", "path": "/hooks/«${custom_data.form.value}»"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      fixed: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
  ],
});

const module: RuleModule = {
  rules: [chosenRegistration],
  checks: {
    // Other parts may read what is saved.
    looksFar: true,
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const chosen = namedByChoice(intake, model);
      const key = chosen === undefined ? undefined : unreadId(intake, model);
      if (chosen !== undefined && key !== undefined)
        report(chosenRegistration, chosen.at, {
          text: chosen.text,
          key,
          scope: intake.scope ?? "workflow",
        });
    },
  },
};
export default module;

/** A field's value as the last segment of the path of the one request of `delete`. */
function namedByChoice(
  intake: IntakeSymbol,
  model: Model,
): { readonly at: StringPart; readonly text: string } | undefined {
  const remove = intake.commands.get("delete");
  const requests =
    (remove === undefined ? undefined : allIn(remove))?.filter(({ key }) => key === "!http") ?? [];
  const [request, ...others] = requests;
  if (request === undefined || others.length > 0 || textOf(request.argument, "method") !== "DELETE")
    return undefined;
  const path = textOf(request.argument, "path");
  for (const { command, root, rootExact, syntax, node } of partOfUnit(intake, model).expansions) {
    const isPath = command === request && node.value === path && syntax.end === path.length;
    if (!isPath || root !== "custom_data" || !rootExact || syntax.problem !== undefined) continue;
    if (node.value.charAt(syntax.start - 1) !== "/") continue;
    const { start: from, end: to } = syntax;
    return { at: { node, from, to }, text: node.value.slice(from, to) };
  }
  return undefined;
}

/** The id that `create` saves in the intake's own scope, where nothing in the document reads it. */
function unreadId(intake: IntakeSymbol, model: Model): string | undefined {
  const create = intake.commands.get("create");
  const own = new Set(create === undefined ? [] : (allIn(create) ?? []));
  const saved = savedKeys(model).get(intake.scope as "workflow");
  if (saved === undefined || !saved.complete) return undefined;
  const reads = readsOf(model, "data");
  if (reads.some(({ path }) => path.length < 2)) return undefined;
  const isRead = (key: string): boolean =>
    reads.some(({ path }) => path[0]?.text === intake.scope && path[1]?.text === key);
  return [...saved.keys].find(
    ([key, by]) => /(?:^|[_-])(?:uu)?id$|Id$/.test(key) && by.every((save) => own.has(save)) && !isRead(key),
  )?.[0];
}
