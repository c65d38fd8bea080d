import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { textAround } from "../../../flow/registered-events.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { readsOf } from "../state/reads.ts";
import { allIn } from "../workflow/commands.ts";
import { type EventList, eventLists, isSameList } from "./event-lists.ts";
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
      const pair = differing(eventLists(create), eventLists(update));
      if (pair !== undefined) tellEvents(pair, intake, model, report);
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

/** What `create` and `update` register, where that differs. */
interface Differing {
  readonly made: EventList;
  readonly changed: EventList;
  /** Whether another way of the same command registers what the other command does. */
  readonly isOneOfWays: boolean;
}

/** The one list of `create` and the one of `update` that have no equal in the other. */
function differing(
  made: readonly EventList[] | undefined,
  changed: readonly EventList[] | undefined,
): Differing | undefined {
  if (made === undefined || changed === undefined) return undefined;
  const isIn = (all: readonly EventList[], list: EventList): boolean =>
    all.some((each) => isSameList(each, list));
  const [first, ...others] = made.filter((list) => !isIn(changed, list));
  const [second, ...more] = changed.filter((list) => !isIn(made, list));
  const [alone] = made;
  // One way of `update` isn't what all others and `create` do.
  if (first === undefined && second !== undefined && more.length === 0 && alone !== undefined)
    return made.length === 1 && changed.length === 2
      ? { made: alone, changed: second, isOneOfWays: true }
      : undefined;
  if (first === undefined || others.length > 0 || more.length > 0) return undefined;
  if (second !== undefined)
    return made.length === changed.length ? { made: first, changed: second, isOneOfWays: false } : undefined;
  // One way of `create` isn't what all others and `update` do.
  const [only] = changed;
  return made.length === 2 && changed.length === 1 && only !== undefined
    ? { made: first, changed: only, isOneOfWays: true }
    : undefined;
}

function tellEvents(
  { made, changed, isOneOfWays }: Differing,
  intake: IntakeSymbol,
  model: Model,
  report: Report,
): void {
  const [event, ...others] = [...changed.events].filter(([text]) => !made.events.has(text));
  const missing = [...made.events].filter(([text]) => !changed.events.has(text));
  const [lost] = missing;
  if (event !== undefined && others.length === 0 && lost !== undefined && missing.length === 1) {
    if (made.events.size > 1 || isStranger(event[0], lost[0], textAround(intake, model)))
      report(otherEvents, event[1], { member: changed.member, event: event[0], missing: lost[0] });
  } else if (event === undefined && lost !== undefined) {
    // Of several ways, one may register more than `update` can.
    if (isOneOfWays) return;
    // `PUT adds to the events that are registered`
    if (!isSaid(adds, intake, model))
      report(otherEvents, changed.list, { member: made.member, event: undefined, missing: lost[0] });
  } else if (missing.length === 0 && event !== undefined)
    report(otherEvents, made.list, {
      member: changed.member,
      event: undefined,
      missing: event[0],
      isCreate: true,
    });
}

const adds = /\b(?:PUT|PATCH|updates?|changes?)\b[^.;]{0,30}\b(?:adds?|merges?|merged)\b/i;

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
