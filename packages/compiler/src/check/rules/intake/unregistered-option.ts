import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Option, staticOptions } from "../../../flow/chosen.ts";
import { chosenComparisons } from "../../../flow/chosen-comparisons.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { isEventName, registeredEvents, textAround } from "../../../flow/registered-events.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { type MadeEvent, madeEvent } from "./made-events.ts";

const unregisteredOption = defineRule<{ event: string; display: string; events: readonly string[] }>({
  id: "intake/unregistered-option",
  severity: "warning",
  summary: "A customer can choose an event that `create` doesn't register",
  why: "The service sends only the events that are registered. Customers who choose another one get none of what they chose, and nothing tells them.",
  guards: ["webhook.create", "field.options", "D12", "D32"],
  message: ({ event, display }) =>
    `\`${display}\` stands for the event \`${event}\`, which \`create\` doesn't register. Whoever chooses it gets nothing.`,
  because: ({ event, events }) => [
    `\`create\` registers ${allNames(events)}`,
    `no payload has \`${event}\`, so nothing comes for this option`,
  ],
  help: ({ event }) => `Register \`${event}\` in \`create\` and \`update\`, or take the option away.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if .event == ${custom_data.changes.value} then {email: .email} else null end"}',
      },
      bad: '{"label": "Changes", "id": "changes", "type": "dropdown", "options": [{"display": "New ones", "value": "submission.created"}, {"display": "Edited ones", "value": «"submission.edited"»}]}',
      good: '{"label": "Changes", "id": "changes", "type": "dropdown", "options": [{"display": "New ones", "value": "submission.created"}, {"display": "Deleted ones", "value": "submission.deleted"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unregisteredOption],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const create = intake.commands.get("create");
      const registered = registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? []));
      if (registered === undefined || registered.field !== undefined) return;
      const { events, name } = registered;
      if (events.some((event) => /[*#]|^all$/i.test(event))) return;
      const made = madeEvent(intake, name);
      for (const workflow of usersOf(intake))
        for (const field of workflow.fields) {
          const left = made === undefined ? undefined : leftOut(field, made, events, model);
          if (left !== undefined) {
            report(unregisteredOption, left.at, { event: left.event, display: left.display, events });
            continue;
          }
          const options = staticOptions(field);
          const others = options.filter(({ value }) => !events.includes(value));
          const known = options.length - others.length;
          if (others.length === 0) continue;
          // Written otherwise than events, and compared with them as they are.
          const isCompared = others.some(({ value }) => !isAlike(value, events))
            ? comparesEvent(field, name, model)
            : false;
          const text = isCompared ? textAround(intake, model) : "";
          // Payloads might have the short form, until a program knows them by the long one.
          const isLong = isCompared && events.some((event) => text.includes(`\\"${event}\\"`));
          // All of them are what stands behind the dot, and a program makes or takes apart the whole name: `"signup.\(.state)"`.
          const isTails =
            isCompared &&
            known === 0 &&
            options.length > 1 &&
            options.every(({ value }) => isTail(value, events)) &&
            isPrefixWritten(options, events, text);
          if (known === 0 && !isLong && !isTails) continue;
          for (const option of others) {
            const { value, display } = option;
            // `order.any` stands for all of them.
            if (/(?:^|[._/:-])(?:any|all|every|both)$/i.test(value)) continue;
            const item = objectItems(field.node.get("options")).find(
              (each) =>
                each.get("value")?.kind === "string" &&
                each.get("value") !== undefined &&
                textIs(each.get("value"), value),
            );
            const at = item?.get("value");
            if (at === undefined) continue;
            const isMeant =
              isAlike(value, events) ||
              isTails ||
              (isCompared && standsOnce(option, text) && (known > 1 || (isLong && isTail(value, events))));
            if (isMeant) report(unregisteredOption, at, { event: value, display, events });
            if (isTails) break;
          }
        }
    },
  },
};
export default module;

/**
 * The one option whose event isn't registered, where the options are the words of which a history makes the events, and each registered event is
 * made of one of them: the history has what is never delivered.
 */
function leftOut(field: FieldSymbol, made: MadeEvent, events: readonly string[], model: Model) {
  const options = objectItems(field.node.get("options"));
  const known = staticOptions(field);
  const [one, ...others] = known.filter(({ value }) => !events.includes(made.prefix + value));
  if (one === undefined || others.length > 0 || options.length !== known.length || known.length < 3)
    return undefined;
  if (events.length !== known.length - 1 || /^(?:any|all|every|both|other|none)$/i.test(one.value))
    return undefined;
  const isCompared = partOfUnit(field.workflow, model).programs.some(
    (program) =>
      program.diagnostics.length === 0 &&
      program.holes.some(({ fields }) => fields.includes(field)) &&
      chosenComparisons(program).some(
        ({ chosen, name }) => chosen.fieldExact && chosen.fields.includes(field) && name === made.member,
      ),
  );
  const at = options[known.indexOf(one)]?.get("value");
  return isCompared && at !== undefined
    ? { at, event: made.prefix + one.value, display: one.display }
    : undefined;
}

/** Whether the pipeline compares what a customer chose with the event that came. */
function comparesEvent(field: FieldSymbol, registeredAs: string, model: Model): boolean {
  return partOfUnit(field.workflow, model).programs.some(
    (program) =>
      program.diagnostics.length === 0 &&
      program.holes.some(({ fields }) => fields.includes(field)) &&
      chosenComparisons(program).some(
        ({ chosen, name }) =>
          chosen.fieldExact && chosen.fields.includes(field) && isEventName(name, registeredAs),
      ),
  );
}

/** Whether a text is what stands behind the dot of an event: `completed` of `order.completed`. */
const isTail = (text: string, events: readonly string[]): boolean =>
  events.some((event) => /[._/:-]/.test(event[event.length - text.length - 1] ?? "") && event.endsWith(text));

/** Whether what stands before the options' values in the events is a text of a program, and no program cuts it off. */
function isPrefixWritten(options: readonly Option[], events: readonly string[], text: string): boolean {
  const prefixes = options.map(({ value }) => {
    const event = events.find((each) => isTail(value, [each]));
    return event?.slice(0, event.length - value.length);
  });
  const [prefix] = prefixes;
  return (
    prefix !== undefined &&
    prefixes.every((each) => each === prefix) &&
    text.includes(`\\"${prefix}`) &&
    !/\b(?:ltrimstr|split|sub|capture|startswith|endswith|test)\(|\[\d+:/.test(text)
  );
}

/** Whether nothing but the option has a text: programs may know one that is no event. */
const standsOnce = ({ value, display }: Option, text: string): boolean =>
  text.split(`"${value}"`).length === (display === value ? 3 : 2) && !text.includes(`"${value}\\"`);

const textIs = (
  node: { readonly kind: string; readonly value?: unknown } | undefined,
  text: string,
): boolean => node?.kind === "string" && node.value === text;

/** Whether a text is written as the events are: `order.` before what happened, as in one of them. */
function isAlike(text: string, events: readonly string[]): boolean {
  const [, subject] = /^(.+)[._/:-][^._/:-]+$/.exec(text) ?? [];
  return (
    subject !== undefined && events.some((event) => /^(.+)[._/:-][^._/:-]+$/.exec(event)?.[1] === subject)
  );
}
