import type { Command } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { areAlike, eventTexts, textAround } from "../../../flow/registered-events.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { readsOf } from "../state/reads.ts";
import { allIn } from "../workflow/commands.ts";
import { onlyBody } from "./commands-of.ts";
import { isSaid } from "./said-of-intake.ts";

const otherEvents = defineRule<{
  member: string;
  event: string | undefined;
  missing: string;
  isCreate?: true;
}>({
  id: "intake/other-events",
  severity: "warning",
  summary: "`update` registers different events than `create`",
  why: "The service sends only the events that were registered last. After a customer edits the workflow, an event that `update` leaves out never arrives again.",
  guards: ["webhook.create", "webhook.update", "D32"],
  message: ({ event, missing, isCreate }) =>
    isCreate
      ? `\`update\` registers \`${missing}\`, which \`create\` leaves out.`
      : event === undefined
        ? `\`create\` registers \`${missing}\`, which \`update\` leaves out.`
        : `\`update\` registers \`${event}\` where \`create\` registers \`${missing}\`.`,
  because: ({ event, missing, isCreate }) =>
    isCreate
      ? [
          `\`create\` doesn't register \`${missing}\`: it never arrives`,
          `after the first change of the setup, \`update\` registers \`${missing}\`: now it does`,
        ]
      : [
          `\`create\` registers \`${missing}\``,
          event === undefined
            ? `after an edit, \`${missing}\` isn't registered: it never arrives again`
            : `after an edit, \`${event}\` is registered instead: \`${missing}\` never arrives again`,
        ],
  help: () => "Register the same events in both.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
      },
      bad: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "events": ["submission.created", «"submission.opened"»]}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}}}',
    },
    {
      title: "An event is left out",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
      },
      bad: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "events": «["submission.created"]»}}}',
      good: '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}}}',
    },
    {
      title: "`create` leaves one out",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http/body",
      with: {
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}}}',
      },
      bad: '{"url": "${webhook.url}", "events": «["submission.created"]»}',
      good: '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
    },
  ],
});

const renamedSave = defineRule<{ key: string; other: string; scope: string }>({
  id: "intake/renamed-save",
  severity: "warning",
  summary: "`update` saves a value under a name that nothing reads, instead of the one that `create` uses",
  why: "What `update` saves under another name doesn't replace what `create` saved. After a customer edits the workflow, everything still reads the old id or secret.",
  guards: ["webhook.update", "command.!save", "D24"],
  message: ({ key, other }) =>
    `Nothing reads \`${key}\`. \`create\` saves \`${other}\`, and \`update\` leaves it as it was.`,
  because: ({ key, other }) => [
    `\`update\` saves \`${key}\`, which nothing reads`,
    `\`${other}\` still has the value from before the edit`,
  ],
  help: ({ other }) => `Save it as \`${other}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_key: .key}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/delete":
          '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}", "params": {"key": "${data.workflow.hook_key}"}}}',
      },
      also: ["unused/saved-key"],
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, key: .key}"}, {«"!save"»: {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_key: .key}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherEvents, renamedSave],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (create === undefined || update === undefined) return;
      const [made, changed] = [eventsOf(create), eventsOf(update)];
      const [event, ...others] = [...(changed ?? [])].filter(([text]) => made?.has(text) !== true);
      const missing = [...(made ?? [])].filter(([text]) => changed?.has(text) !== true);
      if (
        made?.size === changed?.size &&
        event !== undefined &&
        others.length === 0 &&
        missing.length === 1 &&
        (made?.size !== 1 || isStranger(event[0], missing[0]![0], textAround(intake, model)))
      )
        report(otherEvents, event[1].at, {
          member: event[1].member,
          event: event[0],
          missing: missing[0]![0],
        });
      else if (made !== undefined && changed !== undefined && event === undefined && missing.length > 0) {
        // `PUT adds to the events that are registered`
        if (
          !isSaid(
            /\b(?:PUT|PATCH|updates?|changes?)\b[^.;]{0,30}\b(?:adds?|merges?|merged)\b/i,
            intake,
            model,
          )
        )
          report(otherEvents, changed.values().next().value!.list, {
            member: missing[0]![1].member,
            event: undefined,
            missing: missing[0]![0],
          });
      } else if (made !== undefined && missing.length === 0 && event !== undefined)
        report(otherEvents, made.values().next().value!.list, {
          member: event[1].member,
          event: undefined,
          missing: event[0],
          isCreate: true,
        });
      const renamed = renamedIn(create, update, model);
      if (renamed !== undefined) {
        const { key, other, scope, save } = renamed;
        report(renamedSave, save.member.key, { key, other, scope });
      }
    },
  },
};
export default module;

/** Whether an event stands nowhere else, and the other one does besides in `create`: it is what the app is made for. */
function isStranger(event: string, other: string, text: string): boolean {
  const count = (word: string): number => text.split(`"${word}`).length - 1;
  return count(event) === 1 && count(other) > 1;
}

interface Event {
  readonly member: string;
  readonly at: JsonNode;
  /** The list that it stands in. */
  readonly list: JsonNode;
}

/** The events that the one request of a command registers in one list of constants. */
function eventsOf(command: Command): ReadonlyMap<string, Event> | undefined {
  const body = onlyBody(command);
  if (body === undefined) return undefined;
  const lists = body.members.flatMap(({ name, value }) => {
    if (value === undefined || (value.kind !== "array" && value.kind !== "string")) return [];
    const texts = eventTexts(value) ?? [];
    const isNamed = /event|topic|trigger/i.test(name);
    if (texts.length === 0 || (value.kind === "string" && texts.length === 1)) return [];
    if (!isNamed && !areAlike(texts)) return [];
    const at = (index: number): JsonNode => (value.kind === "array" ? value.items[index]! : value);
    const events = new Map(
      texts.map((text, index) => [text, { member: name, at: at(index), list: value }] as const),
    );
    return [{ isNamed, events }];
  });
  const named = lists.filter(({ isNamed }) => isNamed);
  const [list, ...others] = named.length > 0 ? named : lists;
  return others.length === 0 ? list?.events : undefined;
}

/** The one key that only `update` saves and nothing reads, where `update` leaves out one that `create` saves and something reads. */
function renamedIn(create: Command, update: Command, model: Model) {
  const [first, second] = [allIn(create) ?? [], allIn(update) ?? []];
  if (!second.some(({ key }) => key === "!save")) return undefined;
  for (const [scope, { keys, complete }] of savedKeys(model)) {
    if (!complete) continue;
    const read = readsOf(model, "data").filter(({ path }) => path.length === 0 || path[0]?.text === scope);
    // Whoever takes all that was saved may read any of it.
    if (read.some(({ path }) => path.length < 2) || mentionsAll(model)) continue;
    const isRead = (key: string): boolean => read.some(({ path }) => path[1]?.text === key);
    const own = [...keys].filter(([key, saves]) => !isRead(key) && saves.every((by) => second.includes(by)));
    const left = [...keys].filter(
      ([key, saves]) =>
        isRead(key) && saves.some((by) => first.includes(by)) && saves.every((by) => !second.includes(by)),
    );
    const both = [...keys.values()].some(
      (saves) => saves.some((by) => first.includes(by)) && saves.some((by) => second.includes(by)),
    );
    const [[key, saves] = [], [other] = []] = [own[0], left[0]];
    const save = saves?.[0];
    if (own.length === 1 && left.length === 1 && both && save !== undefined)
      return { key: key!, other: other!, scope, save };
  }
  return undefined;
}

/** Whether a program takes all roots together, or looks into what was saved by a name that isn't known. */
const mentionsAll = derived(({ programs }): boolean =>
  programs.some(({ diagnostics, node }) => diagnostics.length > 0 || /\.data\b(?!\.)/.test(node.value)),
);
