import { escapedPattern } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../../../bind/derived.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart, distinct } from "../../by-part.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { isSigningSecret } from "../security/signing-secret.ts";
import { readsIn } from "../state/reads.ts";
import { allIn } from "../workflow/commands.ts";
import { keysSavedBy, unnamedDelete } from "./delete-unnamed.ts";
import { isSaid } from "./said-of-intake.ts";
import { secretsAsIds } from "./secret-as-id.ts";

const unreadRegistration = defineRule<{ member: string; keys: readonly string[]; scope: string }>({
  id: "intake/unread-registration",
  severity: "hint",
  summary: "`delete` doesn't use what `create` saved",
  why: "`create` saves the id of the registration so that `delete` can name it. A `delete` that doesn't read it removes something else, or nothing, and the webhook stays in the customer's account.",
  guards: ["webhook.delete", "D32"],
  message: ({ member, keys }) => `\`${member}\` doesn't read what \`create\` saved (${allNames(keys)}).`,
  because: ({ keys }) => [
    `\`create\` saves \`${keys[0]}\``,
    "`delete` doesn't name it: the registration stays",
  ],
  help: ({ keys, scope }) => `Read the saved id as \`\${data.${scope}.${keys[0]}}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/update":
          '{"!http": {"method": "POST", "path": "/hooks/change", "body": {"id": "${data.workflow.hook_id}", "url": "${webhook.url}"}}}',
      },
      bad: '{«"!http"»: {"method": "POST", "path": "/app/disconnect"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
  ],
});

const deleteAll = defineRule<{ path: string; keys: readonly string[]; scope: string }>({
  id: "intake/delete-all",
  severity: "warning",
  summary: "`delete` removes every registration, not just the one that `create` made",
  why: "`create` posts to a list of registrations, and `delete` removes that whole list. If the API allows it, the customer's other apps lose their webhooks. If not, this one stays forever.",
  guards: ["webhook.delete", "D32"],
  message: ({ path }) =>
    `This is the list \`${path}\` that \`create\` posts to, not the registration that it made.`,
  because: ({ path }) => [
    `\`create\`: POST \`${path}\` makes one registration`,
    `\`delete\`: DELETE \`${path}\` names no registration`,
  ],
  help: ({ path, keys, scope }) => `Name the saved one: \`${path}/\${data.${scope}.${keys[0]}}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/create/!pipe/0/!http":
          '{"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}',
      },
      bad: '{«"!http"»: {"method": "DELETE", "path": "/hooks"}}',
      good: '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
    },
  ],
});

const deleteOther = defineRule<{ key: string; other: string }>({
  id: "intake/delete-other",
  severity: "warning",
  summary: "`delete` and `update` name the registration by different saved values",
  why: "Both requests go to the same path of the API, where a registration has one id. If `delete` sends a different one, the registration stays, and the service keeps sending to a URL that no longer exists.",
  guards: ["webhook.delete", "webhook.update", "D24", "D32"],
  message: ({ key, other }) =>
    `\`update\` names the registration by \`${other}\`, but this names it by \`${key}\`.`,
  because: ({ other }) => [
    `the registration is \`${other}\``,
    "`delete` names a different one: 404 counts as success, and it stays",
  ],
  help: ({ other }) => `Name it by \`${other}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, key: .key}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "key": "${data.workflow.key}"}}}',
      },
      bad: '"/hooks/${data.workflow.«key»}"',
      good: '"/hooks/${data.workflow.hook_id}"',
    },
  ],
});

const otherRegistration = defineRule<{ text: string; key: string; own: string; other: string }>({
  id: "intake/registration-by-choice",
  severity: "warning",
  summary:
    "`update` or `delete` names the registration by what the customer chose, the other by the saved id",
  why: "Both requests go to the same path of the API, where a registration has one id. What a customer chose is the id of something else: the API answers 404 or changes another registration, and this one keeps the old URL, or stays for ever.",
  guards: ["webhook.delete", "webhook.update", "expansion.custom_data", "D24", "D32"],
  message: ({ text, key, other }) =>
    `\`${other}\` names the registration by the saved \`${key}\`, but this names it by \`${text}\`, which the customer chose.`,
  because: ({ key, own, other }) => [
    `\`${other}\`: the registration \`${key}\``,
    `\`${own}\`: the one that has the customer's choice as its id, which is none`,
  ],
  help: ({ key }) => `Name it by \`${key}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/path",
      with: {
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      },
      bad: '"/hooks/«${custom_data.form.value}»"',
      good: '"/hooks/${data.workflow.hook_id}"',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadRegistration, deleteAll, deleteOther, otherRegistration],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      const { scope, type } = intake;
      const create = intake.commands.get("create");
      const remove = intake.commands.get("delete");
      if (type !== "webhook" || scope === undefined || create === undefined || remove === undefined) return;
      const [own, updated] = [remove, intake.commands.get("update")].map((command) =>
        registrationIn(command, model),
      );
      if (
        own !== undefined &&
        updated !== undefined &&
        own.before === updated.before &&
        own.key !== updated.key &&
        // Of a secret and an id it is known which one is wrong.
        secretsAsIds(intake, model).length === 0
      )
        report(deleteOther, own.at, { key: own.key, other: updated.key });
      tellChoice("update", "delete", intake, model, report);
      tellChoice("delete", "update", intake, model, report);
      const all = allIn(remove);
      const found = all === undefined ? undefined : collectionRemoved(create, all);
      // A parameter, or a member of its body, may name the one.
      const isMeant =
        found !== undefined &&
        (namesBeside(found, intake, model) ||
          // With a path of its own, the one is removed by that; and nobody saves an id that nothing names it by.
          (isSaid(isOnlyOne, intake, model) &&
            !usesSaved(intake, keysSavedBy(create, scope, model), model) &&
            (isSaid(isNoOther, intake, model) ||
              !savesDeadId(keysSavedBy(create, scope, model), scope, model))) ||
          isSaid(ofList(textOf(found.argument, "path") ?? ""), intake, model));
      const whole = isMeant ? undefined : found;
      const saved = whole === undefined ? [] : keysSavedBy(create, scope, model);
      if (readers(model).has(intake)) {
        // Another case of it, or `update`, names the one that was made.
        const isList = !/\bdata\./.test(textOf(whole?.argument, "path") ?? "");
        if (whole !== undefined && isList && saved.length > 0 && usesSaved(intake, saved, model))
          report(deleteAll, whole.member.key, {
            path: textOf(whole.argument, "path") ?? "",
            keys: saved,
            scope,
          });
        return;
      }
      if (mayBeIncomplete(model.document, intake.node)) return;
      if (all === undefined || !all.some(({ key }) => key === "!http")) return;
      const keys = keysSavedBy(create, scope, model);
      if (keys.length > 0 && whole !== undefined) {
        report(deleteAll, whole.member.key, { path: textOf(whole.argument, "path") ?? "", keys, scope });
        return;
      }
      if (unnamedDelete(intake, model) !== undefined) return;
      const ids = keys.filter((key) => !signsWith(intake, key, model));
      // A key that nothing at all reads is reported where it is saved.
      if (ids.some((key) => readKeys(model).has(`${scope}\n${key}`)))
        report(unreadRegistration, remove.member.key, { member: "delete", keys: ids, scope });
    },
  },
};
export default module;

/** `DELETE /hooks removes the hooks of this connection`; `DELETE /hooks/ID` is another request. */
const ofList = (path: string): RegExp =>
  new RegExp(`\\bDELETE ${escapedPattern(path)} (?:removes|deletes|clears)\\b`);

/** `A form has one hook only` */
const isOnlyOne =
  /\bone (?:\w+ )?(?:hook|webhook|listener|subscription|registration|callback)s? (?:only|per|for each|at a time)\b|\b(?:has|have|is) (?:only |just )?(?:one|a single) (?:hook|webhook|listener|subscription|registration|callback)\b/i;

/** The same said outright: not only whose hook it is, as in `One hook per account; it tells of all branches`. */
const isNoOther = /\b(?:one|single) (?:\w+ ){1,2}(?:only|at a time)\b|\b(?:only|just|a) (?:one|single)\b/i;

/** `It is named by the form` */
const byChoice = (field: string): RegExp =>
  new RegExp(
    `\\b(?:named|addressed|known|keyed|found|numbered) by (?:its|the|their) ${escapedPattern(field)}\\b`,
    "i",
  );

/** Whether a saved key is the secret by which signatures are checked: it names no registration. */
function signsWith(intake: IntakeSymbol, key: string, model: Model): boolean {
  return partOfUnit(intake, model).expansions.some(
    ({ root, syntax, command }) => root === "data" && command?.key === "!sha" && syntax.path[2]?.text === key,
  );
}

/** Whether an id is among what is saved, and nothing at all reads it. */
function savesDeadId(keys: readonly string[], scope: SaveScope, model: Model): boolean {
  return keys.some(
    (key) =>
      isIdName(key) &&
      savedKeys(model).get(scope)?.complete === true &&
      !readKeys(model).has(`${scope}\n${key}`),
  );
}

/** Whether a path of `update` or `delete` has one of these keys in it. */
function usesSaved(intake: IntakeSymbol, keys: readonly string[], model: Model): boolean {
  return partOfUnit(intake, model).expansions.some(
    ({ root, position, syntax, command }) =>
      root === "data" &&
      position === "path" &&
      /^intake\.(?:update|delete)$/.test(command?.place.name ?? "") &&
      keys.includes(syntax.path[2]?.text ?? ""),
  );
}

/** Tells where one command names the registration by a form field and the other, at the same place of the same path, by a saved key. */
function tellChoice(
  own: "update" | "delete",
  other: "update" | "delete",
  intake: IntakeSymbol,
  model: Model,
  report: Report,
): void {
  const named = registrationIn(intake.commands.get(other), model);
  const root = intake.commands.get(own);
  const requests = (root === undefined ? undefined : allIn(root))?.filter(({ key }) => key === "!http") ?? [];
  const [request] = requests;
  if (named === undefined || request === undefined || requests.length > 1) return;
  const path = textOf(request.argument, "path");
  for (const { command, root: from, rootExact, syntax, node } of partOfUnit(intake, model).expansions) {
    const isLast = command === request && node.value === path && syntax.end === path.length;
    if (!isLast || from !== "custom_data" || !rootExact || syntax.problem !== undefined) continue;
    const before = node.value.slice(0, syntax.start);
    if (before !== named.before || !before.endsWith("/")) continue;
    if (isSaid(byChoice(syntax.path[1]?.text ?? ""), intake, model)) continue;
    report(
      otherRegistration,
      { node, from: syntax.start, to: syntax.end },
      { text: node.value.slice(syntax.start, syntax.end), key: named.key, own, other },
      [{ message: `\`${other}\` names it`, at: named.at }],
    );
  }
}

/** A `DELETE` to the very path to which `create` posts: of all registrations instead of one. */
function collectionRemoved(create: Command, remove: readonly Command[]): Command | undefined {
  const paths = new Set(
    (allIn(create) ?? []).flatMap(({ key, argument }) =>
      key === "!http" && textOf(argument, "method") === "POST" ? [textOf(argument, "path")] : [],
    ),
  );
  return remove.find(
    ({ argument }) => textOf(argument, "method") === "DELETE" && paths.has(textOf(argument, "path") ?? ""),
  );
}

/** Whether a request has something saved, or the address, beside its path. */
function namesBeside(request: Command, intake: IntakeSymbol, model: Model): boolean {
  return partOfUnit(intake, model).expansions.some(
    ({ command, root, node }) =>
      command === request &&
      (root === "data" || root === "webhook") &&
      node.value !== textOf(request.argument, "path"),
  );
}

/** What may be done with one thing: `/replace`, `/renew`; a list of other things would end in s. */
const deed = /^(?:\/[a-z][a-z_-]*(?<!s))?$/;

/** The saved key by which the one request of a command names what it is about, as the last segment of its path, or the one before what is done. */
function registrationIn(command: Command | undefined, model: Model) {
  const [request, ...others] =
    (command === undefined ? undefined : allIn(command))?.filter(({ key }) => key === "!http") ?? [];
  const path = others.length > 0 ? undefined : request?.argument;
  if (request?.unit?.kind !== "intake") return undefined;
  const [read, ...more] = partOfUnit(request.unit, model).expansions.filter(
    ({ command: by, root, node }) => by === request && root === "data" && textOf(path, "path") === node.value,
  );
  const [, , segment, ...below] = read?.syntax.path ?? [];
  if (read === undefined || segment === undefined || more.length > 0 || below.length > 0) return undefined;
  const isSaved = scopesSaved(model).some((keys) => keys.has(segment.text));
  if (read.syntax.problem !== undefined || !isSaved || !deed.test(read.node.value.slice(read.syntax.end)))
    return undefined;
  // The secret of a signature is told as that.
  if (isSigningSecret(read, model)) return undefined;
  const at = { node: read.node, from: segment.start, to: segment.end };
  return { before: read.node.value.slice(0, read.syntax.start), key: segment.text, at };
}

function scopesSaved(model: Model) {
  return [...savedKeys(model).values()].map(({ keys }) => keys);
}

/** Intakes whose `delete` reads something saved or the webhook's address, or may. */
const readers = derived(
  ({ parts }): ReadonlySet<IntakeSymbol> => new Set(parts.flatMap((part) => [...readersIn(part)])),
);

const readersIn = derivedInPart(({ expansions, programs }): ReadonlySet<IntakeSymbol> => {
  const found = new Set<IntakeSymbol>();
  const add = ({ unit }: Command): void => {
    if (unit?.kind === "intake") found.add(unit);
  };
  for (const { root, syntax, command } of expansions) {
    if (command?.place.name !== "intake.delete") continue;
    if (root !== "custom_data" || syntax.problem !== undefined) add(command);
  }
  for (const { node, command } of programs) {
    if (command.place.name === "intake.delete" && /data|webhook/.test(node.value)) add(command);
  }
  return found;
});

const readKeys = derived((model: Model): ReadonlySet<string> => new Set(keysRead(model)));

const keysRead = derivedByPart(
  (part, model) =>
    readsIn(part, model, "data").flatMap(({ path: [scope, key] }) =>
      scope === undefined || key === undefined ? [] : [`${scope.text as SaveScope}\n${key.text}`],
    ),
  "near",
  distinct,
);
