import { keyText, nearest } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { scopesOf } from "../../../flow/saved.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { saveScopes } from "../../../language/commands/save.ts";
import { type Location, spanOf } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean, oneOfNames } from "../../message-text.ts";
import { obstacleTo } from "../expansion/obstacle.ts";
import { type Read, readsOf } from "./reads.ts";

const unknownSavedKey = defineRule<{
  scope: string;
  key: string;
  known: readonly string[];
  suggestion: string | undefined;
  elsewhere: readonly string[];
}>({
  id: "reference/unknown-saved-key",
  severity: "error",
  summary: "Nothing saves this value",
  why: "`${data.SCOPE.KEY}` reads what a `!save` of that scope stored. If nothing stores it, the command fails at run time: a `DELETE /hooks/${data.workflow.hook_id}` leaves every customer's webhook behind.",
  guards: ["expansion.data", "command.!save", "D24", "D11"],
  message: ({ scope, key, known, suggestion, elsewhere }) => {
    const saved =
      known.length === 0
        ? `Nothing is saved in the scope \`${scope}\``
        : `No \`!save\` of the scope \`${scope}\` stores \`${key}\``;
    const hint =
      elsewhere.length > 0 ? ` It is saved in the scope ${oneOfNames(elsewhere)}.` : didYouMean(suggestion);
    return `${saved}.${hint}`;
  },
  help: ({ known, key }) =>
    known.length > 0
      ? `Saved: ${allNames(known)}.`
      : `Add a \`!jq\` that gives \`{${keyText(key)}: …}\` and a \`!save\` after it.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      bad: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.«hook_ids»}"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      fixed: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
    {
      title: "in a jq program",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      bad: '{"!pipe": [{"!jq": "{id: .data.workflow.«hookid»}"}, {"!http": {"method": "DELETE", "path": "/hooks/${piped_content.1.id}"}}]}',
      good: '{"!pipe": [{"!jq": "{id: .data.workflow.hook_id}"}, {"!http": {"method": "DELETE", "path": "/hooks/${piped_content.1.id}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{id: .data.workflow.hook_id}"}, {"!http": {"method": "DELETE", "path": "/hooks/${piped_content.1.id}"}}]}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const edit = (newText: string) => [{ ...spanOf(document, at), newText }];
    if (args.suggestion === undefined) return [];
    return [{ title: `Change to \`${args.suggestion}\``, safe: true, edits: edit(args.suggestion) }];
  },
});

const unusedSavedKey = defineRule<{ scope: string; key: string }>({
  id: "unused/saved-key",
  severity: "hint",
  tag: "unnecessary",
  summary: "Nothing reads this saved value",
  why: "A value that nothing reads needn't be saved. Often the command that should read it is missing: `delete` needs the saved id of a webhook to remove the registration.",
  guards: ["command.!save", "D24"],
  message: ({ scope, key }) =>
    `Nothing reads \`${key}\`, saved in the scope \`${scope}\`, as \`\${data.${scope}.${key}}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      bad: '"{hook_id: .id, created: .created_at}"',
      good: '"{hook_id: .id}"',
    },
  ],
});

const module: RuleModule = {
  rules: [unknownSavedKey, unusedSavedKey],
  checks: {
    document(model, report) {
      const reads = readsOf(model, "data");
      const saved = savedKeys(model);
      const unknown = new Map<string, Read["path"][number]["at"][]>();
      const read = new Set<string>();
      let openRead = false;
      for (const { command, path } of reads) {
        const [scope, key] = path;
        if (scope === undefined || key === undefined || !isScope(scope.text)) {
          openRead = true;
          continue;
        }
        const entry = saved.get(scope.text)!;
        const name = `${scope.text}\n${key.text}`;
        read.add(name);
        if (!entry.complete || entry.keys.has(key.text)) continue;
        // Where the scope can't be read at all, that is the mistake.
        if (obstacleTo("data", scope.text, command, command.unit, model) !== undefined) continue;
        unknown.set(name, [...(unknown.get(name) ?? []), key.at]);
      }
      for (const [name, places] of unknown) {
        const [scope, key] = name.split("\n") as [SaveScope, string];
        const known = [...saved.get(scope)!.keys.keys()];
        const elsewhere = saveScopes.filter((other) => other !== scope && saved.get(other)!.keys.has(key));
        const [first, ...others] = places as [Location, ...Location[]];
        const args = { scope, key, known, elsewhere, suggestion: nearest(key, known) };
        report(
          unknownSavedKey,
          first,
          args,
          others.map((at) => ({ message: "also read here", at })),
        );
      }
      // A whole-object read or an unresolved one may mean any of them.
      if (openRead || unknown.size > 0 || readsOtherwise(model, reads)) return;
      for (const [scope, { keys }] of saved) {
        for (const [key, [save]] of keys) {
          // What is saved in a wrong scope is read where it was meant.
          if (!read.has(`${scope}\n${key}`) && save !== undefined && scopesOf(save).length === 1)
            report(unusedSavedKey, save.member.key, { scope, key });
        }
      }
    },
  },
};
export default module;

/** Whether some program mentions `data` in a way that isn't one of the known reads. */
function readsOtherwise(model: Model, reads: readonly Read[]): boolean {
  const known = new Set(reads.map(({ path }) => path[0]?.at.node));
  return programsWithData(model).some(({ node }) => !known.has(node));
}

const programsWithData = derivedByPart(({ programs }) =>
  programs.filter(({ node }) => /\bdata\b/.test(node.value)),
);

function isScope(name: string): name is SaveScope {
  return (saveScopes as readonly string[]).includes(name);
}
