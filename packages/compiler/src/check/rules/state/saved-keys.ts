import { keyText, nearest } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { takesRoots } from "../../../bind/roots-input.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isSecretName } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { scopesOf } from "../../../flow/saved.ts";
import { madeBy } from "../../../flow/step-members.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { saveScopes } from "../../../language/commands/save.ts";
import { type Location, spanOf } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean, oneOfNames } from "../../message-text.ts";
import { obstacleTo } from "../expansion/obstacle.ts";
import { type Read, readsOf } from "./reads.ts";

/** A folder for a list that is made once, and again when the customer chooses another list. */
const remembered =
  '{"!pipe": [{"!switch": {"jq": "", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/folders", "body": {"list": "${custom_data.list.value}"}}}, {"!jq": "{folder_id: .id, folder_list: ${custom_data.list.value}}"}, {"!save": {"scope": "workflow"}}]}, {"!jq": "{folder_id: ${data.workflow.folder_id | default}}"}]}}, {"!http": {"method": "POST", "path": "/folders/${piped_content.1.folder_id}/people", "body": {"email": "${piped_content.0.email}"}}}]}';

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

const unreadSaved = defineRule<{ scope: string; key: string; isSecret: boolean }>({
  id: "state/unread-saved",
  severity: "warning",
  summary: "A secret, or what a customer chose, is saved beside an id, and nothing reads it",
  why: "A secret is saved for the check of deliveries, and a choice is saved to see later that the customer has changed it. If nothing reads it, deliveries are checked with another secret, or contacts go on into the old list after the setup names another one.",
  guards: ["command.!save", "expansion.data", "webhook.create", "D24"],
  message: ({ scope, key, isSecret }) =>
    isSecret
      ? `This saves the secret \`${key}\`, and \`verification\` doesn't read \`\${data.${scope}.${key}}\`.`
      : `This saves what the customer chose as \`${key}\`. Nothing compares \`\${data.${scope}.${key}}\` with a later choice.`,
  because: ({ isSecret }) =>
    isSecret
      ? [
          "the service signs with this secret",
          "deliveries are checked with another one, so genuine ones are refused",
        ]
      : ["a customer changes the setup", "what was saved for the choice before is used all the same"],
  help: ({ scope, key }) => `Read \`\${data.${scope}.${key}}\` where it decides, or don't save it.`,
  examples: [
    {
      title: "A choice",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!pipe/0/!switch/jq",
      with: {
        "/workflows/0/data_pipeline/target": remembered,
        "/workflows/0/setup/select/form_fields/0/required": "true",
      },
      bad: '"if ${data.workflow.folder_id | default} == \\"\\" then 0 else 1 end"',
      good: '"if ${data.workflow.folder_list | default} != ${custom_data.list.value} then 0 else 1 end"',
    },
    {
      title: "A secret",
      in: "inbound-webhook",
      at: "/data_intake/0/verification/!pipe/1/!sha/secret",
      with: {
        "/data_intake/0/create/!pipe/1/!jq": '"{hook_id: .id, signing_key: .signing_key}"',
        "/data_intake/0/verification":
          '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_KEY>"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature | default} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
      },
      bad: '"<SIGNING_KEY>"',
      good: '"${data.workflow.signing_key}"',
    },
  ],
});

const module: RuleModule = {
  rules: [unknownSavedKey, unusedSavedKey, unreadSaved],
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
          if (!read.has(`${scope}\n${key}`) && save !== undefined && scopesOf(save).length === 1) {
            if (isSecretOfIntake(save, key, model) || isChoiceBesideRead(save, key, read, scope))
              report(unreadSaved, save.member.key, { scope, key, isSecret: isSecretName(key) });
            else report(unusedSavedKey, save.member.key, { scope, key });
          }
        }
      }
    },
  },
};
export default module;

/** A secret that a webhook's registration saves, where its `verification` hashes or compares something. */
function isSecretOfIntake({ unit }: Command, key: string, model: Model): boolean {
  if (unit?.kind !== "intake" || unit.type !== "webhook" || !isSecretName(key)) return false;
  const { commands, expansions } = partOfUnit(unit, model);
  // Another saved value in its place is told there (`intake/id-as-secret`).
  const isOther = expansions.some(
    ({ command, root, syntax: { path } }) =>
      command?.key === "!sha" && root === "data" && !isSecretName(path[2]?.text ?? ""),
  );
  return !isOther && unit.commands.has("verification") && commands.some((command) => command.key === "!sha");
}

/** What a customer chose, saved beside a key that is read: it tells for which choice that one was made. */
function isChoiceBesideRead(save: Command, key: string, read: ReadonlySet<string>, scope: string): boolean {
  // A registration is made anew when the setup changes.
  if (save.unit?.kind === "intake") return false;
  const step = stepBefore(save);
  const ways = step === undefined ? undefined : madeBy(step);
  return (
    ways?.some((way) => {
      const made = way.find(({ name }) => name === key);
      const value = made?.entry.value === undefined ? undefined : bare(made.entry.value);
      const hole = value?.kind === "Hole" ? made?.program.holes[value.hole] : undefined;
      // How a choice is shown is saved for people to see.
      return (
        hole?.root === "custom_data" &&
        hole.syntax.path[2]?.text !== "display" &&
        way.some(({ name }) => read.has(`${scope}\n${name}`))
      );
    }) === true
  );
}

/** Whether some program mentions `data` in a way that isn't one of the known reads. */
function readsOtherwise(model: Model, reads: readonly Read[]): boolean {
  const known = new Set(reads.map(({ path }) => path[0]?.at.node));
  return programsWithData(model).some(({ node }) => !known.has(node));
}

const programsWithData = derivedByPart(({ programs }) =>
  // Behind the first step `.data` is a member of an answer.
  programs.filter(({ node, command }) => /\bdata\b/.test(node.value) && mayMeanRoot(command, node.value)),
);

const mayMeanRoot = (command: Command, text: string): boolean =>
  takesRoots(command) || /\$\{\s*data\b|\$<\s*data\b/.test(text);

function isScope(name: string): name is SaveScope {
  return (saveScopes as readonly string[]).includes(name);
}
