import { groupBy } from "@configc/jq/internal";
import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import { derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { registeredEvents } from "../../../flow/registered-events.ts";
import { objectItems, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isSlip, optionsMissed, wordsIn } from "../value/other-word.ts";
import { allIn } from "../workflow/commands.ts";

const misnamedOption = defineRule<{ value: string; display: string; other: string }>({
  id: "setup/misnamed-option",
  severity: "warning",
  summary: "The value of an option stands nowhere else, where the service's word for it is known",
  why: "What a customer chooses is compared with what the service sends, or sent to it. If the value of an option isn't the service's word, whoever chooses it gets nothing, and nobody notices.",
  guards: ["field.options", "field_option.value", "D12"],
  message: ({ value, display, other }) =>
    `“${display}” is \`${value}\`, which stands nowhere else. Elsewhere it is \`${other}\`.`,
  because: ({ value, other, display }) => [
    `the app knows \`${other}\``,
    `nothing is called \`${value}\`: who chooses “${display}” gets nothing`,
  ],
  help: ({ other }) => `Use the service's word, as in \`${other}\`.`,
  examples: [
    {
      title: "A table knows it by another word",
      also: ["jq/no-such-key"],
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if (.kind | IN(${custom_data.kinds.value}[])) then {email: .email, rate: {rent: 1, fee: 2, credit: 3}[.kind]} else null end"}',
      },
      bad: '{"label": "Kinds", "id": "kinds", "type": "multiselect", "options": [{"display": "Rent", "value": "rent"}, {"display": "Fee", "value": "fee"}, {"display": "Credit note", "value": «"credit_note"»}]}',
      good: '{"label": "Kinds", "id": "kinds", "type": "multiselect", "options": [{"display": "Rent", "value": "rent"}, {"display": "Fee", "value": "fee"}, {"display": "Credit note", "value": "credit"}]}',
    },
    {
      title: "The event says another state",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["booking.requested", "booking.confirmed", "booking.withdrawn"]}',
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if (.state | IN(${custom_data.states.value}[])) then {email: .email} else null end"}',
      },
      bad: '{"label": "States", "id": "states", "type": "multiselect", "options": [{"display": "Requested", "value": "REQUESTED"}, {"display": "Confirmed", "value": "CONFIRMED"}, {"display": "Withdrawn", "value": «"CANCELLED"»}]}',
      good: '{"label": "States", "id": "states", "type": "multiselect", "options": [{"display": "Requested", "value": "REQUESTED"}, {"display": "Confirmed", "value": "CONFIRMED"}, {"display": "Withdrawn", "value": "WITHDRAWN"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [misnamedOption],
  checks: {
    document(model, report) {
      if (!model.parts.some(haveEnough)) return;
      const found = [...misnamed(model), ...ofOtherEvent(model)];
      // Where the other word is told, which of the two is wrong is left to the author.
      const told = found.length === 0 ? undefined : optionsMissed(model);
      for (const { option, other, at } of found.filter((each) => told?.has(each.option.at) !== true))
        report(misnamedOption, option.at, { value: option.value, display: option.display, other }, [
          { message: "its word", at },
        ]);
    },
  },
};
export default module;

/** Longer lists, and more words than this, aren't compared. */
const MOST = 200;

/** Of fewer options, which one is odd isn't known. */
const hasEnough = ({ node }: FieldSymbol): boolean => objectItems(node.get("options")).length > 2;

const haveEnough = derivedInPart(({ workflows }) => workflows.some(({ fields }) => fields.some(hasEnough)));

interface Option {
  readonly value: string;
  readonly display: string;
  readonly at: StringNode;
}

function optionsOf({ node }: FieldSymbol): readonly Option[] {
  return objectItems(node.get("options")).flatMap((item) => {
    const value = item.get("value");
    return value?.kind === "string"
      ? [{ value: value.value, display: textOf(item, "display") ?? "", at: value }]
      : [];
  });
}

/** Options of which others are words of the same thing elsewhere, and which are nearly one themselves, or a part of one. */
function* misnamed(model: Model) {
  const words = wordsIn(model);
  const groups = groupBy(words, ({ subject }) => subject);
  const subjects = new Map(words.map(({ at, subject }) => [at.node, subject]));
  for (const { fields } of model.workflows)
    for (const field of fields) {
      const options = optionsOf(field);
      if (options.length < 3 || options.length > MOST) continue;
      const subject = options.map(({ at }) => subjects.get(at)).find((each) => each !== undefined);
      const own = new Set<unknown>(options.map(({ value }) => value));
      const elsewhere = new Map(
        (groups.get(subject ?? "") ?? []).flatMap((word) =>
          word.source === field.node || word.isCompared ? [] : [[word.text, word] as const],
        ),
      );
      const strangers = options.filter(({ value }) => !elsewhere.has(value));
      if (strangers.length === options.length || elsewhere.size > MOST) continue;
      for (const option of strangers) {
        const other = [...elsewhere.values()].find(
          ({ text, source }) =>
            !own.has(text) &&
            (isSlip(option.value, text) ||
              isLonger(option.value, text) ||
              (isTable(source) && isShown(option.display, text))),
        );
        if (other !== undefined && standsOnce(option.value, model))
          yield { option, other: other.text, at: other.at };
      }
    }
}

/** The one option that no registered event has at its end, where one event is left that the option shows. */
function* ofOtherEvent(model: Model) {
  for (const workflow of model.workflows) {
    const intake = workflow.intake?.target;
    const create = intake?.commands.get("create");
    const registered =
      intake === undefined || create === undefined
        ? undefined
        : registeredEvents(intake, allIn(create) ?? []);
    if (registered === undefined || registered.field !== undefined) continue;
    const { events, at } = registered;
    for (const field of workflow.fields) {
      const options = optionsOf(field);
      const isTail = (value: string) => (event: string) => {
        const [text, tail] = [event.toLowerCase(), value.toLowerCase()];
        return text === tail || (text.endsWith(tail) && /[._/:-]/.test(text.at(-tail.length - 1) ?? ""));
      };
      const others = options.filter(({ value }) => !events.some(isTail(value)));
      const left = events.filter((event) => !options.some(({ value }) => isTail(value)(event)));
      const [option, event] = [others[0], left[0]];
      if (options.length < 3 || options.length > MOST || others.length !== 1 || left.length !== 1) continue;
      const said = tailOf(event!);
      if (said.length > 3 && wordsOf(option!.display).includes(said) && standsOnce(option!.value, model))
        yield { option: option!, other: event!, at };
    }
  }
}

const tailOf = (event: string): string => /[^._/:-]+$/.exec(event.toLowerCase())?.[0] ?? "";

/** `credit_note` beside `credit`. */
function isLonger(text: string, other: string): boolean {
  const [long, short] = [wordsOf(text), wordsOf(other)];
  return long.length > short.length && short.every((word, at) => word.length > 3 && word === long[at]);
}

/** Whether a word is looked up: what a program makes is the app's own, and shown to people like the option. */
const isTable = (source: unknown): boolean => (source as { readonly kind?: string }).kind === "Object";

/** `WITHDRAWN` of “Withdrawn”. */
const isShown = (display: string, text: string): boolean =>
  text.length > 3 && wordsOf(display).join(" ") === wordsOf(text).join(" ");

/** Whether a text stands in the document as the value of one option alone. */
const standsOnce = (text: string, { document }: Model): boolean =>
  document.text.split(`"${text}"`).length === 2 && !document.text.includes(`"${text}\\"`);
