import type { Expression, Postfix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { evaluateAlone } from "../../../flow/machine/evaluate.ts";
import { bare, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { isEventName, registeredEvents } from "../../../flow/registered-events.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { tellsEventOtherwise } from "./said-of-intake.ts";

const everyEvent = defineRule<{ text: string; events: readonly string[]; always: boolean }>({
  id: "intake/every-event",
  severity: "warning",
  summary: "A condition on the event has the same outcome for each event that the webhook is registered for",
  why: "A condition on the part that all events share, as `order.`, tells none of them apart. Each record gets the same value, and the other one is for nobody.",
  guards: ["command.!jq", "webhook.create", "D23"],
  message: ({ text, events, always }) =>
    `\`${text}\` is ${always} for each event that is registered: ${events.map((each) => `\`${each}\``).join(", ")}.`,
  because: ({ text, events, always }) => [
    `${events.map((each) => `\`${each}\``).join(" or ")} comes`,
    `\`${text}\` is ${always} for each of them`,
  ],
  help: () => "Compare the whole event, or the part in which they differ.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["order.paid", "order.refunded"]}',
      },
      bad: '{"!jq": "{email: .email, state: (if (.event | «startswith(\\"order.\\")») then \\"refunded\\" else \\"paid\\" end)}"}',
      good: '{"!jq": "{email: .email, state: (if .event == \\"order.refunded\\" then \\"refunded\\" else \\"paid\\" end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [everyEvent],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "webhook") return;
      const users = usersOf(intake);
      const programs = users
        .flatMap((unit) => partOfUnit(unit, model).programs)
        .filter((program) => program.diagnostics.length === 0 && mayAsk.test(program.node.value));
      if (programs.length === 0) return;
      const create = intake.commands.get("create");
      const list = registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? []));
      const events = list?.events ?? [];
      if (list === undefined || events.length < 2 || events.some((each) => /[*#]|^all$/i.test(each))) return;
      const made = madeEvents(intake, list.name, model);
      if (made === undefined) return;
      for (const program of programs)
        for (const { condition, ways } of decisionsIn(program)) {
          // What leaves a record out may keep out what comes unasked, as a test of the address.
          if (!ways.every(isWritten)) continue;
          const asked = askedOf(condition, list.name, program);
          if (asked === undefined) continue;
          const outcomes = new Set([...events, ...made].map((event) => asked.outcome(event)));
          const [always] = outcomes;
          if (outcomes.size !== 1 || typeof always !== "boolean") continue;
          const text = excerpt(textAt(asked.node, program), 50);
          // `refund.* events come to every hook`
          if (!always && isTold(asked.node, program, intake, model)) continue;
          report(everyEvent, partAt(program, asked.node), { text, events, always });
        }
    },
  },
};
export default module;

/** Whether a comment of the intake tells of an event that a condition asks for, and why it comes. */
function isTold(node: Expression, program: JqProgram, intake: IntakeSymbol, model: Model): boolean {
  if (!hasComments(model)) return false;
  const comments = commentsBelow(intake.node).map(({ value }) => value);
  return nodesOfKind(program, "String").some((each) => {
    const text = each.start >= node.start && each.end <= node.end ? constantOf(each) : undefined;
    return typeof text === "string" && text.length > 2 && tellsEventOtherwise(text, comments);
  });
}

const mayAsk = /\b(?:startswith|endswith|contains|test|split|ltrimstr)\b|\[\s*-?\d*\s*:/;

/** The events that the historical polls of an intake's workflows write; undefined where one isn't known. */
function madeEvents(intake: IntakeSymbol, name: string, model: Model): readonly string[] | undefined {
  const found: string[] = [];
  for (const history of usersOf(intake).flatMap(({ historicalIntake }) => historicalIntake?.target ?? []))
    for (const program of partOfUnit(history, model).programs)
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          if (!isEventName(nameOf(key), name)) continue;
          const event = value === undefined ? undefined : constantOf(value);
          if (typeof event !== "string") return undefined;
          found.push(event);
        }
  return found;
}

/** The conditions of a program, with what it gives then and otherwise. */
function decisionsIn(program: JqProgram) {
  return nodesOfKind(program, "If").flatMap(({ branches, otherwise }) => {
    const [branch, ...others] = branches;
    return branch === undefined || others.length > 0 || otherwise === undefined
      ? []
      : [{ condition: branch.condition, ways: [branch.body, otherwise] }];
  });
}

/** A text, a number or a list that a program writes down, and not nothing. */
function isWritten(given: Expression): boolean {
  const value = constantOf(bare(given));
  if (value === undefined || value === null || value === "" || typeof value === "boolean") return false;
  return typeof value === "object" || typeof value === "string";
}

/** The text of `endswith("TEXT")`, of which evaluating says nothing: its texts may stand for others. */
function endAsked([call, ...others]: readonly unknown[]): string | undefined {
  const node = others.length === 0 ? (call as Expression) : undefined;
  const [end] = node?.kind === "Call" && node.name.text === "endswith" ? node.arguments : [];
  const text = end === undefined ? undefined : constantOf(end);
  return typeof text === "string" ? text : undefined;
}

/** What a slice is taken of: `.event` of `.event[:5]`. */
const withoutLast = (value: Postfix): Expression =>
  value.suffixes.length === 1
    ? (value.head as Expression)
    : { ...value, suffixes: value.suffixes.slice(0, -1), end: value.suffixes.at(-2)!.end };

/** What a condition asks of the event alone. */
function askedOf(
  given: Expression,
  registeredAs: string,
  program: JqProgram,
): { readonly node: Expression; outcome(event: string): boolean | undefined } | undefined {
  const condition = bare(given);
  const isEvent = (node: Expression): boolean =>
    isEventName(nameRead(valueBehind(node, program), program), registeredAs);
  const behind = (node: Expression): ((event: string) => unknown) | undefined => {
    const value = bare(node);
    if (value.kind === "Postfix") {
      const slice = value.suffixes.at(-1);
      if (slice?.kind !== "Slice" || !isEvent(withoutLast(value))) return undefined;
      const [from = 0, to] = [slice.from, slice.to].map((each) =>
        each === undefined ? undefined : constantOf(each),
      );
      return (event) =>
        typeof from === "number" && (to === undefined || typeof to === "number")
          ? event.slice(from, to)
          : undefined;
    }
    const [first, ...rest] = value.kind === "Pipeline" ? value.stages : [];
    if (first === undefined || rest.length === 0 || !isExpression(first) || !isEvent(first)) return undefined;
    if (!rest.every(isExpression)) return undefined;
    const end = endAsked(rest);
    if (end !== undefined) return (event) => event.endsWith(end);
    return (event) =>
      rest.reduce<ReturnType<typeof evaluateAlone>>(
        (input, stage) => evaluateAlone(program, stage as Expression, input),
        event,
      );
  };
  if (condition.kind === "Comparison") {
    const wanted = constantOf(condition.right);
    const left = behind(condition.left);
    if (left === undefined || typeof wanted !== "string" || !/^[!=]=$/.test(condition.operator))
      return undefined;
    return {
      node: condition,
      outcome: (event) => {
        const value = left(event);
        return typeof value === "string" ? (value === wanted) === (condition.operator === "==") : undefined;
      },
    };
  }
  const test = behind(condition);
  if (test === undefined || condition.kind !== "Pipeline") return undefined;
  return {
    node: condition.stages.at(-1) as Expression,
    outcome: (event) => {
      const value = test(event);
      return typeof value === "boolean" ? value : undefined;
    },
  };
}
