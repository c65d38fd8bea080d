import { types } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { reachableCases } from "../../../flow/protocol/reachable-cases.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const readBeforeSave = defineRule<{ key: string; scope: string; command: string }>({
  id: "intake/read-before-save",
  severity: "error",
  summary: "The first command of an intake reads a saved value that only its own later `!save` writes",
  why: "`create` or `initial_setup` runs when a customer first activates the workflow. It reads this value before its own `!save` writes it, so the read fails: the webhook is never registered, and no poll begins.",
  guards: ["webhook.create", "polling.initial_setup", "expansion.data", "D24", "D32"],
  message: ({ key, scope, command }) =>
    `\`${key}\` isn't saved in the scope \`${scope}\` yet when \`${command}\` first runs. Only a later step saves it.`,
  because: ({ key, scope, command }) => [
    `\`${command}\` runs first: \`data.${scope}\` has no \`${key}\``,
    "the step fails, and the later `!save` never runs",
  ],
  help: ({ key, scope }) =>
    `Read it from an earlier step as \`\${piped_content.N}\`, or with a default: \`\${data.${scope}.${key} | default}\`.`,
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http/path",
      bad: '"/forms/${custom_data.form.value}/hooks/${data.workflow.«hook_id»}"',
      good: '"/forms/${custom_data.form.value}/hooks"',
    },
  ],
});

const sometimesSaved = defineRule<{
  key: string;
  scope: string;
  command: string;
  cases: readonly string[];
}>({
  id: "intake/sometimes-saved",
  severity: "warning",
  summary: "A value that is saved in some cases only is read without a default",
  why: "If another case of a `!switch` or an `if` applied when the customer activated the workflow, the value was never saved. Reading it fails, often in `delete`, and the registration stays.",
  guards: ["webhook.create", "polling.initial_setup", "expansion.data", "D24"],
  message: ({ key, scope, command, cases }) =>
    cases.length === 0
      ? `\`${command}\` doesn't always save \`${key}\` in the scope \`${scope}\`: the object that its \`!save\` gets may lack it.`
      : `\`${command}\` doesn't save \`${key}\` in the scope \`${scope}\` if ${cases.length === 1 ? `case ${cases[0]}` : `one of the cases ${cases.join(", ")}`} of its \`!switch\` runs.`,
  because: ({ key, cases }) => [
    cases.length === 0
      ? `the workflow is activated where the object has no \`${key}\`: it isn't saved`
      : `case ${cases[0]} runs when the workflow is activated: \`${key}\` isn't saved`,
    `later, reading \`${key}\` fails`,
  ],
  help: ({ key, scope }) =>
    `Save it in each case, or read it with a default: \`\${data.${scope}.${key} | default}\`.`,
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      with: {
        "/data_intake/0/create":
          '{"!switch": {"jq": "if .custom_data.form.value == \\"x\\" then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}, {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}]}}',
        "/data_intake/0/update": undefined,
      },
      bad: '"/hooks/${data.workflow.«hook_id»}"',
      good: '"/hooks/${data.workflow.hook_id | default:none}"',
    },
    {
      title: "D24: `update` saves it anew",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"path": "/hooks"}}, {"!jq": "{old: ([.hooks[] | select(.name == \\"crm\\")] | first)}"}, {"!switch": {"jq": "if .old == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"name": "crm", "url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}, {"!http": {"method": "PUT", "path": "/hooks/${piped_content.2.old.id}", "body": {"name": "crm", "url": "${webhook.url}"}}}]}}]}',
        "/data_intake/0/update":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks/renew", "body": {"name": "crm", "url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
      },
      bad: '"/hooks/${data.workflow.«hook_id»}"',
      good: '"/hooks/${data.workflow.hook_id | default:none}"',
    },
    {
      title: "D24: by an `if`",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      with: {
        "/data_intake/0/create/!pipe/1":
          '{"!jq": "{created: .created_at} + (if ${custom_data.form.value} == \\"x\\" then {hook_id: .id} else {} end)"}',
        "/data_intake/0/update": undefined,
      },
      bad: '"/hooks/${data.workflow.«hook_id»}"',
      good: '"/hooks/${data.workflow.hook_id | default:none}"',
    },
    {
      title: "D24: a poll that finds again what it made before",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http",
      with: {
        "/data_intake/0/initial_setup":
          '{"!pipe": [{"!http": {"path": "/feeds", "params": {"list": "${custom_data.list.value}"}}}, {"!switch": {"jq": "if (.feeds | length) == 0 then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/feeds", "body": {"list": "${custom_data.list.value}"}}}, {"!jq": "{feed_id: .id}"}, {"!save": {"scope": "workflow"}}]}, {"!jq": "{feed_id: .feeds[0].id}"}]}}, {"!jq": "{polling_state: {page: 1}}"}]}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1)}}"',
      },
      bad: '{"path": "/feeds/${data.workflow.«feed_id»}/customers", "params": {"page": "${polling_state.page}"}}',
      good: '{"path": "/feeds/${data.workflow.feed_id | default:none}/customers", "params": {"page": "${polling_state.page}"}}',
    },
  ],
});

const savedResponse = defineRule<Record<string, never>>({
  id: "intake/saved-response",
  severity: "warning",
  summary: "`!save` comes before the `!jq` whose output it should save",
  why: "`!save` stores its input, here the whole response, and passes it on. The object that the next step makes isn't saved, so its keys are missing later.",
  guards: ["webhook.create", "command.!save", "D24"],
  message: () => "This saves the whole response, not the output of the `!jq` after it.",
  because: () => [
    "`!save` stores the members of the response",
    "the object of the next step isn't saved, so its keys are missing later",
  ],
  help: () => "Move the `!save` after the `!jq`.",
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {«"!save"»: {"scope": "workflow"}}, {"!jq": "{hook_id: .id}"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [readBeforeSave, sometimesSaved, savedResponse],
  checks: {
    // Other intakes may save the same key.
    reach: "saved",
    intake(intake, report, model) {
      const name = intake.type === "webhook" ? "create" : "initial_setup";
      const first = intake.commands.get(name);
      if (first === undefined || !isReadable(intake, model)) return;
      const told = new Set<string>();
      for (const { key, scope, at, command } of savedReads(intake, model)) {
        const all = told.has(key) ? [] : (savesOf(scope, key, model) ?? []);
        const saves = all.filter((save) => outermostCommand(save) === first);
        const others = all.filter((save) => outermostCommand(save) !== first);
        if (saves.length === 0 || !others.every((save) => isLaterWithout(save, command, intake))) continue;
        if (outermostCommand(command) === first) {
          if (!saves.every((save) => runsLater(save, command))) continue;
          told.add(key);
          report(readBeforeSave, at, { key, scope, command: name }, saves.map(savedHere));
          continue;
        }
        const cases = asksForSaved(first, scope, key, intake, model)
          ? []
          : casesWithout(first, new Set(saves), model);
        if (cases.length === 0 && !saves.every((save) => mayLack(save, key, model))) continue;
        told.add(key);
        report(sometimesSaved, at, { key, scope, command: name, cases }, saves.map(savedHere));
      }
    },
    command: {
      "!save"(save, report, model) {
        const made = save.unit?.kind === "intake" ? stepBefore(save) : undefined;
        if (made === undefined || !resultsOf(made).every(({ key }) => key === "!http")) return;
        const root = outermostCommand(save);
        const { children } = flowOf(model).plainAt(root.node) ?? save;
        // In a case of a `!switch` the last step counts, too, where nothing takes what it makes.
        const steps = children.includes(save) || save.parent !== save.pipe ? children : save.pipe?.children;
        const [before, own, next] = steps?.slice(-3) ?? [];
        const isLast = before === made && own === save && next?.key === "!jq";
        if (isLast && resultsOf(root).includes(next))
          report(savedResponse, save.member.key, {}, [
            { message: "makes an object that isn't saved", at: next.member.key },
          ]);
      },
    },
  },
};
export default module;

function savedHere({ member }: Command) {
  return { message: "saved here", at: member.key };
}

interface SavedRead {
  readonly scope: SaveScope;
  readonly key: string;
  readonly at: StringPart;
  readonly command: Command;
}

/** Reads of saved values without a default in an intake and in the pipelines of its workflows, in document order. */
function* savedReads(intake: IntakeSymbol, model: Model): Generator<SavedRead> {
  for (const user of [intake, ...usersOf(intake)])
    for (const { root, rootExact, syntax, node, command, unit } of partOfUnit(user, model).expansions) {
      if (unit !== user || root !== "data" || !rootExact || command === undefined) continue;
      if (user !== intake && !outermostCommand(command).place.name.startsWith("data_pipeline.")) continue;
      const [, scope, key] = syntax.path;
      if (syntax.problem !== undefined || syntax.filters.length > 0 || key === undefined) continue;
      if (scope?.text === "workflow" || scope?.text === "connection" || scope?.text === "application")
        yield { scope: scope.text, key: key.text, at: { node, from: key.start, to: key.end }, command };
    }
}

/** Whether a command asks for what it saved when it ran before: it needn't save that again. */
const asksForSaved = (
  first: Command,
  scope: SaveScope,
  key: string,
  intake: IntakeSymbol,
  model: Model,
): boolean =>
  partOfUnit(intake, model).expansions.some(
    ({ root, syntax, command }) =>
      root === "data" &&
      command !== undefined &&
      outermostCommand(command) === first &&
      (syntax.path[1]?.text ?? scope) === scope &&
      (syntax.path[2]?.text ?? key) === key,
  );

/** The commands that save a key; undefined where others may. */
function savesOf(scope: SaveScope, key: string, model: Model): readonly Command[] | undefined {
  const known = savedKeys(model).get(scope);
  return known?.complete === true ? known.keys.get(key) : undefined;
}

/** Whether a command of the same outermost one certainly runs behind another, or not with it. */
function runsLater(save: Command, read: Command): boolean {
  return save.node.start > read.node.start;
}

/** Whether a save is of `update`, which may not have run, or not that far, when something is read. */
function isLaterWithout(save: Command, read: Command, { commands }: IntakeSymbol): boolean {
  const update = commands.get("update");
  if (update === undefined || outermostCommand(save) !== update) return false;
  return outermostCommand(read) !== update || runsLater(save, read);
}

/** The cases of the `!switch` in which a command saves, a pipe's or an inner one's, in which nothing saves. */
function casesWithout(command: Command, saves: ReadonlySet<Command>, model: Model): readonly string[] {
  if (alwaysSaves(command, saves, model)) return [];
  // Where two of them save, one may do so where the other one doesn't.
  const [inner, ...others] = command.children.filter(
    (child): child is Command => child !== undefined && [...saves].some((save) => isIn(save, child)),
  );
  if (inner === undefined) return [];
  if (command.key !== "!switch") return others.length > 0 ? [] : casesWithout(inner, saves, model);
  const chosen = reachableCases(command, flowOf(model));
  const without = command.children.flatMap((child, index) => {
    if (child === undefined || fails(child) || chosen?.has(index) === false) return [];
    return [...saves].some((save) => isIn(save, child)) ? [] : [`${index}`];
  });
  return without.length > 0
    ? without
    : [inner, ...others].flatMap((child) => casesWithout(child, saves, model));
}

/** Whether a command saves whichever way it takes. */
function alwaysSaves(command: Command, saves: ReadonlySet<Command>, model: Model): boolean {
  if (saves.has(command)) return true;
  const children = command.children.filter((child) => child !== undefined);
  if (command.key === "!pipe") return children.some((child) => alwaysSaves(child, saves, model));
  if (command.key !== "!switch" || children.length === 0) return false;
  const chosen = reachableCases(command, flowOf(model));
  return command.children.every(
    (child, index) =>
      child === undefined || fails(child) || chosen?.has(index) === false || alwaysSaves(child, saves, model),
  );
}

/** Whether programs make an object that has the key in some cases only; what `!extract` finds depends on the answer. */
function mayLack(save: Command, key: string, model: Model): boolean {
  const before = save.parent === save.pipe ? save.pipe?.children[save.stepsRun - 1] : undefined;
  if (before?.key !== "!jq" && before?.key !== "!switch") return false;
  const parts = types.partsOf(flowOf(model).input(save));
  return (
    parts.every(({ kind }) => kind === "object") &&
    parts.some(
      (part) =>
        part.kind === "object" && part.rest === undefined && part.members.get(key)?.optional !== false,
    )
  );
}

function isIn(command: Command, around: Command): boolean {
  for (let at: Command | undefined = command; at !== undefined; at = at.parent)
    if (at === around) return true;
  return false;
}

function fails({ key, children }: Command): boolean {
  return (
    key === "!error" || (key === "!pipe" && children.some((child) => child !== undefined && fails(child)))
  );
}
