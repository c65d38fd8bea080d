import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { singular } from "../../../flow/nouns.ts";
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
  why: "`create` saves what the service gave: the id of the registration, and perhaps of what it belongs to. What the customer chose is the id of something else, or of another one by now. The API answers 404, the platform takes that as deleted, and events keep coming.",
  guards: ["webhook.delete", "expansion.custom_data", "D24", "D32"],
  message: ({ text, key }) =>
    `\`${text}\` is what the customer chose, and may be another one by now. \`create\` saves \`${key}\`, which nothing reads.`,
  ...named,
  examples: [
    {
      title: "D32: what the registration belongs to",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/update": undefined,
        "/data_intake/0/create/!pipe/0/!http/path": '"/forms/${custom_data.form.value}/hooks"',
        "/data_intake/0/create/!pipe/1/!jq": '"{hook_id: .hook.id, form_id: .hook.form_id}"',
      },
      bad: '{"!http": {"method": "DELETE", "path": "/forms/«${custom_data.form.value}»/hooks/${data.workflow.hook_id}"}}',
      good: '{"!http": {"method": "DELETE", "path": "/forms/${data.workflow.form_id}/hooks/${data.workflow.hook_id}"}}',
      fixed:
        '{"!http": {"method": "DELETE", "path": "/forms/${data.workflow.form_id}/hooks/${data.workflow.hook_id}"}}',
    },
    {
      title: "D32: the registration itself",
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
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      for (const { at, text, owner } of namedByChoice(intake, model)) {
        const key = unreadId(intake, owner, model);
        if (key !== undefined)
          report(chosenRegistration, at, { text, key, scope: intake.scope ?? "workflow" });
      }
    },
  },
};
export default module;

/** A field's value in the path of `delete`. */
interface Chosen {
  readonly at: StringPart;
  readonly text: string;
  /** What the segment before is called, in the singular, where others follow: `form` in `/forms/ID/hooks/ID`. */
  readonly owner: string | undefined;
}

/** Fields' values that are segments of the path of the one request of `delete`. */
function namedByChoice(intake: IntakeSymbol, model: Model): readonly Chosen[] {
  const remove = intake.commands.get("delete");
  const requests =
    (remove === undefined ? undefined : allIn(remove))?.filter(({ key }) => key === "!http") ?? [];
  const [request, ...others] = requests;
  if (request === undefined || others.length > 0 || textOf(request.argument, "method") !== "DELETE")
    return [];
  const path = textOf(request.argument, "path");
  return partOfUnit(intake, model).expansions.flatMap(
    ({ command, root, rootExact, syntax, node }): readonly Chosen[] => {
      if (command !== request || node.value !== path) return [];
      if (root !== "custom_data" || !rootExact || syntax.problem !== undefined) return [];
      const { start: from, end: to } = syntax;
      const [, list] = /([\w-]*)\/$/.exec(node.value.slice(0, from)) ?? [];
      if (list === undefined || !/^(?:\/|$)/.test(node.value.slice(to))) return [];
      const isLast = to === node.value.length;
      return [
        {
          at: { node, from, to },
          text: node.value.slice(from, to),
          owner: isLast ? undefined : singular(list),
        },
      ];
    },
  );
}

/** The id that `create` saves in the intake's own scope, where nothing in the document reads it: the registration's, or its owner's. */
function unreadId(intake: IntakeSymbol, owner: string | undefined, model: Model): string | undefined {
  const create = intake.commands.get("create");
  const own = new Set(create === undefined ? [] : (allIn(create) ?? []));
  const saved = savedKeys(model).get(intake.scope as "workflow");
  if (saved === undefined || !saved.complete) return undefined;
  const reads = readsOf(model, "data");
  if (reads.some(({ path }) => path.length < 2)) return undefined;
  const isRead = (key: string): boolean =>
    reads.some(({ path }) => path[0]?.text === intake.scope && path[1]?.text === key);
  const plain = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();
  // `form_id`, `form`, `hook_form_id`.
  const isWanted = (key: string): boolean =>
    owner === undefined
      ? /(?:^|[_-])(?:uu)?id$|Id$/.test(key)
      : new RegExp(`(?:^|[_-])${escapedPattern(plain(owner))}(?:id|key|code|slug|uuid)?$`).test(
          key.replaceAll(/[_-](?=(?:id|key|code|slug|uuid)$)/g, "").toLowerCase(),
        ) || plain(key) === `${plain(owner)}id`;
  return [...saved.keys].find(
    ([key, by]) => isWanted(key) && by.every((save) => own.has(save)) && !isRead(key),
  )?.[0];
}
