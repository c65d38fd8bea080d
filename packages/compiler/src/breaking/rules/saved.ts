import { printType } from "@configc/jq";
import type { Command, Expansion } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { outermostCommand } from "../../bind/outermost-command.ts";
import { ownerOf } from "../../check/locate.ts";
import { oneOfNames } from "../../check/message-text.ts";
import { defineRule } from "../../findings/rule.ts";
import { flowOf, savedKeys } from "../../flow/flow.ts";
import type { SaveScope } from "../../language/commands/save.ts";
import { saveScopes } from "../../language/commands/save.ts";
import type { StringPart } from "../../parse/document.ts";
import { comparison } from "../comparison.ts";
import { mismatchOf } from "../mismatch.ts";
import type { Versions } from "../versions.ts";

const missing = defineRule<{ key: string; scope: string; before: readonly string[] }>({
  id: "breaking/saved-key-missing",
  severity: "error",
  concerns: ["registrations", "state"],
  summary: "A command reads a saved value that the published version never saved",
  why: "`create` and the setup commands ran once for each customer, in the published version, and don't run again for an update. Only new customers have what the new version saves. For the others the command fails, and a failed `delete` leaves the webhook registered forever.",
  guards: ["expansion.data", "command.!save", "D24", "D32", "D40"],
  message: ({ key, scope }) =>
    `The published version saved no \`${key}\` in the scope \`${scope}\`. Existing customers have no \`\${data.${scope}.${key}}\`, so this command fails for them.`,
  help: ({ key, scope, before }) =>
    before.length === 0
      ? `Read it with a default: \`\${data.${scope}.${key} | default}\`.`
      : `Keep saving and reading ${oneOfNames(before)}, or read the new key with a default: \`\${data.${scope}.${key} | default}\`.`,
  examples: [
    {
      title: "D40: saved under another name",
      in: "inbound-webhook",
      at: "/data_intake/0",
      published: intake('{"!jq": "{hook_id: .id}"}', "hook_id"),
      bad: intake('{"!jq": "{id: .id}"}', "«id»"),
      good: intake('{"!jq": "{hook_id: .id, secret: .secret}"}', "hook_id"),
    },
  ],
});

const dropped = defineRule<{ key: string; scope: string; intake: string; reader: string }>({
  id: "breaking/saved-key-dropped",
  severity: "warning",
  concerns: ["registrations"],
  summary: "A saved value that registrations are updated or deleted by is no longer written",
  why: "The published `create` saved the value, and `update` or `delete` found the registration with it. The new commands also handle existing registrations. If they look for a different value, they find none, and the webhooks stay at the service.",
  guards: ["command.!save", "webhook.delete", "D24", "D32", "D40"],
  message: ({ key, scope, intake, reader }) =>
    `\`${intake}\` no longer saves \`${key}\`, which the published \`${reader}\` read as \`\${data.${scope}.${key}}\`. Existing registrations can't be found by what is saved now.`,
  help: ({ key }) => `Keep saving \`${key}\`, and use it in \`update\` and \`delete\`.`,
  examples: [
    {
      title: "D40",
      in: "inbound-webhook",
      at: "/data_intake/0",
      published: intake('{"!jq": "{hook_id: .id}"}', "hook_id"),
      bad: '{"type": "webhook", "name": «"submission.created"», "scope": "workflow", "create": {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, "delete": {"!http": {"method": "DELETE", "path": "/hooks"}}}',
      good: intake('{"!jq": "{hook_id: .id, created: .created_at}"}', "hook_id"),
    },
  ],
});

const type = defineRule<{
  key: string;
  scope: string;
  path: readonly string[];
  kept: string;
  wanted: string;
  lacks: boolean;
}>({
  id: "breaking/saved-value-type",
  severity: "error",
  concerns: ["registrations", "state"],
  summary: "A saved value has a different type than in the published version",
  why: "Existing customers keep the value that the published version saved, but the new commands expect the new type. Reading a member of a string fails, and an object used as a string puts nonsense into a request.",
  guards: ["expansion.data", "command.!save", "D24", "D40"],
  message: ({ key, scope, path, kept, wanted, lacks }) => {
    const name = [`data.${scope}.${key}`, ...path].join(".").replaceAll(".[]", "[]");
    return lacks
      ? `\`\${${name}}\` is \`${wanted}\` in this version. The published one didn't save it, so existing customers don't have it.`
      : `\`\${${name}}\` is \`${wanted}\` in this version. The published one saved \`${kept}\`, which existing customers keep.`;
  },
  help: ({ key }) =>
    `Save the new value under another key than \`${key}\`, and read the old one if the new one is missing.`,
  examples: [
    {
      title: "D40",
      in: "inbound-webhook",
      at: "/data_intake/0",
      published: intake('{"!jq": "{hook: \\"\\\\(.id)\\"}"}', "hook"),
      bad: intake('{"!jq": "{hook: {id: \\"\\\\(.id)\\"}}"}', "«hook».id"),
      good: intake('{"!jq": "{hook: (.id | tostring)}"}', "hook"),
    },
  ],
});

function intake(program: string, key: string): string {
  return `{"type": "webhook", "name": "submission.created", "scope": "workflow", "create": {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}"}}}, ${program}, {"!save": {"scope": "workflow"}}]}, "delete": {"!http": {"method": "DELETE", "path": "/hooks/\${data.workflow.${key}}"}}}`;
}

export const savedRules = comparison([missing, dropped, type], (versions, report) => {
  const { previous, current, intakes } = versions;
  const before = savedKeys(previous);
  const now = savedKeys(current);
  const told = new Set<string>();
  const replaced = new Set<Command["unit"]>();
  for (const { command, scope, key, at } of readsOf(current)) {
    const name = `${scope}.${key}`;
    const known = before.get(scope)!;
    const saves = now.get(scope)!.keys.get(key) ?? [];
    if (told.has(name) || !hasCustomers(command, versions) || saves.length === 0) continue;
    if (saves.some((save) => isRepeated(save) || outermostCommand(save) === outermostCommand(command)))
      continue;
    if (!known.keys.has(key)) {
      if (!known.complete) continue;
      told.add(name);
      replaced.add(command.unit);
      report(missing, at, { key, scope, before: [...known.keys.keys()] });
      continue;
    }
    const found = mismatchOf(flowOf(previous).saved(scope, key), flowOf(current).saved(scope, key));
    if (found === undefined) continue;
    told.add(name);
    const { path, lacks } = found;
    report(type, at, {
      key,
      scope,
      path,
      lacks,
      kept: printType(found.kept),
      wanted: printType(found.wanted),
    });
  }
  for (const { previous: old, current: intake, name } of intakes.pairs) {
    if (replaced.has(intake) || intake.type !== "webhook" || old.scope !== intake.scope) continue;
    for (const [reader, command] of old.commands) {
      if (reader !== "update" && reader !== "delete") continue;
      for (const { scope, key } of readsOf(previous).filter(
        (read) => outermostCommand(read.command) === command,
      )) {
        const id = `${name}\n${scope}.${key}`;
        if (!before.get(scope)!.keys.has(key) || told.has(id)) continue;
        if (now.get(scope)!.keys.has(key) || !now.get(scope)!.complete) continue;
        told.add(id);
        report(dropped, ownerOf(intake.node), { key, scope, intake: name, reader });
      }
    }
  }
});

interface Read {
  readonly command: Command;
  readonly scope: SaveScope;
  readonly key: string;
  readonly at: StringPart;
}

/** Expansions `${data.SCOPE.KEY}` without a default: they fail where the key isn't there (D9). */
const readsOf = derived((model: Model): readonly Read[] =>
  model.expansions.flatMap((expansion) => readOf(expansion) ?? []),
);

function readOf({ root, rootExact, syntax, command, node }: Expansion): Read | undefined {
  const [, scopeSegment, keySegment] = syntax.path;
  const scope = saveScopes.find((name) => name === scopeSegment?.text);
  if (root !== "data" || !rootExact || syntax.problem !== undefined || syntax.filters.length > 0)
    return undefined;
  if (scope === undefined || keySegment === undefined || command === undefined) return undefined;
  const { text: key, start, end } = keySegment;
  return { command, scope, key, at: { node, from: start, to: end } };
}

/** Whether the commands around it may run for somebody who was set up with the published version. */
function hasCustomers({ unit }: Command, { intakes, workflows }: Versions): boolean {
  return (
    // In another scope all of it is new, which is a finding.
    intakes.pairs.some(({ previous, current }) => current === unit && previous.scope === current.scope) ||
    workflows.pairs.some(({ current }) => current === unit)
  );
}

/** Whether a `!save` runs again for customers who are set up, so that they get what the new version saves. */
function isRepeated(save: Command): boolean {
  return /^intake\.(pre_poll|request|post_poll|resource_id|account_id|verification|delivery_id)$|^data_pipeline\./.test(
    save.place.name,
  );
}
