import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { comparedIn } from "../../../flow/compared-constants.ts";
import { commentsBelow, documentedWords, hasComments } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import {
  areAlike,
  isEventName,
  type Registered,
  registeredEvents,
  textAround,
} from "../../../flow/registered-events.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { tellsEventOtherwise } from "./said-of-intake.ts";

const historyEvent = defineRule<{ event: string; events: readonly string[] }>({
  id: "intake/history-event",
  severity: "warning",
  summary: "The historical import gives an event that `create` doesn't register",
  why: "The import gives its items the form of deliveries, so that one pipeline does for both. If it gives an event that isn't registered, customers see such items once, from before they set up the workflow, and never again.",
  guards: ["webhook.create", "workflow.historical_data_intake", "D32", "D34"],
  message: ({ event, events }) =>
    `The import gives \`${event}\`, but \`create\` registers only ${allNames(events)}.`,
  because: ({ event }) => [
    `the import: items with \`${event}\``,
    `\`${event}\` isn't registered: afterwards none comes`,
  ],
  help: ({ event }) => `Give it the name of a registered event, or register \`${event}\` too.`,
  examples: [
    {
      in: "historical-sync",
      at: "/data_intake/0/create/!pipe/0/!http/body",
      with: {
        "/data_intake/1/request/!pipe/1/!jq":
          '"{results: [.items[] | . + {event: (if .deleted then \\"item.deleted\\" else \\"item.created\\" end)}], iterate: false, polling_state: ${polling_state}}"',
      },
      bad: '{"url": "${webhook.url}", "events": «["item.created"]»}',
      good: '{"url": "${webhook.url}", "events": ["item.created", "item.deleted"]}',
    },
  ],
});

const module: RuleModule = {
  rules: [historyEvent],
  checks: {
    // The history is another intake, and comments show deliveries.
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const create = intake.commands.get("create");
      const found = registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? []));
      if (found === undefined) return;
      const { events, at, name, field } = found;
      for (const history of new Set(
        usersOf(intake).flatMap(({ historicalIntake }) => historicalIntake?.target ?? []),
      )) {
        const request = history.commands.get("request");
        const programs = (request === undefined ? undefined : allIn(request))?.flatMap(
          ({ program }) => program ?? [],
        );
        for (const program of programs ?? []) {
          const given = program.diagnostics.length > 0 ? [] : textsIn(program);
          // Names of its own are no deliveries': it has to give one that is, or to be looked up as one is.
          if (!given.some((text) => events.includes(text))) {
            const tail = tailGiven(program, found, usersOf(intake), model);
            if (tail !== undefined) {
              report(historyEvent, partAt(program, tail.node), { event: tail.event, events }, [
                { message: "registered here", at },
              ]);
              return;
            }
            const shown = shownDelivered(given, events, intake, model);
            if (shown !== undefined) {
              report(historyEvent, at, { event: shown, events }, [
                { message: "given here", at: program.node },
              ]);
              return;
            }
            const unknown = unlisted(program, events, usersOf(intake), model);
            if (unknown === undefined || textAround(intake, model).split(unknown.event).length !== 2)
              continue;
            report(historyEvent, partAt(program, unknown.node), { event: unknown.event, events }, [
              { message: "registered here", at },
            ]);
            return;
          }
          const event = given.find(
            (text) => !events.includes(text) && !ofImport.test(text) && areAlike([text, ...events]),
          );
          const missing = events.filter((each) => !given.includes(each));
          const text = textAround(intake, model);
          const isUnknown = (one: string): boolean =>
            text.split(one).length === 2 && missing.some((each) => text.includes(`\\"${each}\\"`));
          const isMisnamed = event === undefined || isUnknown(event);
          // What customers may choose among needn't be all that an import has.
          if (!isMisnamed && field !== undefined) continue;
          if (!isMisnamed) {
            report(historyEvent, at, { event, events }, [{ message: "given here", at: program.node }]);
            return;
          }
          // Nothing else knows the event, and the pipeline knows one that isn't given: it is misnamed here.
          const misnamed =
            event ??
            shortened(program, name, missing) ??
            given.find(
              (one) =>
                !events.includes(one) &&
                !ofImport.test(one) &&
                missing.some((each) => areAlike([one, each])) &&
                isUnknown(one),
            );
          if (misnamed === undefined) continue;
          const node = nodesOfKind(program, "String").find((each) => constantOf(each) === misnamed);
          report(
            historyEvent,
            node === undefined ? program.node : partAt(program, node),
            { event: misnamed, events },
            [{ message: field === undefined ? "registered here" : `chosen in \`${field}\``, at }],
          );
          return;
        }
      }
    },
  },
};
export default module;

/** An event that is given in the form of those that are registered, and that a comment of the intake shows in a delivery: `{"event": "visit.moved", …}`. */
function shownDelivered(
  given: readonly string[],
  events: readonly string[],
  intake: IntakeSymbol,
  model: Model,
): string | undefined {
  if (!hasComments(model)) return undefined;
  const alike = given.filter(
    (text) => !events.includes(text) && !ofImport.test(text) && areAlike([text, ...events]),
  );
  if (alike.length !== 1 || new Set(given.filter((text) => /^\w+[._/:-]\w/.test(text))).size > 1)
    return undefined;
  const [event = ""] = alike;
  const comments = commentsBelow(intake.node).map(({ value }) => value);
  const shows = comments.some((text) => text.includes(`"${event}"`) && /\{/.test(text));
  return shows && !tellsEventOtherwise(event, comments) ? event : undefined;
}

/** A text that is given as the event and is what stands behind the dot of one, or is one in other letters. */
function shortened(program: JqProgram, registeredAs: string, missing: readonly string[]): string | undefined {
  return nodesOfKind(program, "Object")
    .flatMap(({ entries }) =>
      entries.flatMap(({ key, value }) =>
        value !== undefined && key.kind === "Name" && isEventName(key.text, registeredAs)
          ? waysOf(value, program).flatMap(valuesIn)
          : [],
      ),
    )
    .map(constantOf)
    .filter((text) => typeof text === "string")
    .find((text) =>
      missing.some((event) => {
        const rest = event.slice(0, event.length - text.length);
        return event.toLowerCase().endsWith(text.toLowerCase()) && (rest === "" || /[._/:-]$/.test(rest));
      }),
    );
}

/**
 * An event that is given in the form of those that are registered, where the pipeline looks up that member in a table which has several of them,
 * but not this one.
 */
function unlisted(
  program: JqProgram,
  events: readonly string[],
  users: readonly WorkflowSymbol[],
  model: Model,
) {
  const made = nodesOfKind(program, "Entry").flatMap(({ key, value }) => {
    const [member, event] = [nameOf(key), value === undefined ? undefined : constantOf(bare(value))];
    const isEvent =
      typeof event === "string" &&
      !events.includes(event) &&
      !ofImport.test(event) &&
      events.some((each) => areAlike([event, each]));
    return member !== undefined && isEvent ? [{ member, event, node: value! }] : [];
  });
  if (made.length === 0) return undefined;
  const tables = users
    .map((user) => partOfUnit(user, model))
    .flatMap(({ programs }) => programs)
    .flatMap((each) => (each.command.place.name === "data_pipeline.source" ? tablesOf(each) : []));
  return made.find(({ member, event }) =>
    tables.some(
      ({ name, keys }) =>
        name === member && !keys.includes(event) && events.filter((each) => keys.includes(each)).length > 1,
    ),
  );
}

/**
 * What stands behind the dot of the events that are registered, given as the event as it is: `{event: .status}` of records that are asked for, or
 * said to be, with `completed` and `cancelled`, where deliveries have `visit.completed`, and the pipeline asks for that.
 */
function tailGiven(
  program: JqProgram,
  { events, name: registeredAs }: Registered,
  users: readonly WorkflowSymbol[],
  model: Model,
) {
  for (const { key, value } of nodesOfKind(program, "Entry")) {
    const member = nameOf(key);
    if (value === undefined || member === undefined || !isEventName(member, registeredAs)) continue;
    const read = bare(value);
    const name = read.kind === "Postfix" ? nameOfValue(read) : undefined;
    if (name === undefined || name === member) continue;
    const words = wordsOfMember(name, program);
    if (words.length === 0 || !words.every((word) => events.some((event) => isTailOf(word, event)))) continue;
    const isAsked = users
      .filter(({ historicalIntake }) => historicalIntake?.target === program.command.unit)
      .map((user) => partOfUnit(user, model))
      .flatMap(({ programs }) => programs)
      .some((each) =>
        [...comparedIn(each)].some(
          (one) => one.name === member && one.values.some((event) => events.includes(`${event}`)),
        ),
      );
    if (isAsked) return { event: words[0]!, node: read };
  }
  return undefined;
}

const isTailOf = (word: string, event: string): boolean =>
  event.endsWith(word) && /[._/:-]/.test(event[event.length - word.length - 1] ?? "");

/** The words that a member has by a comment, or that its request asks for: `"status": ["completed", "cancelled"]`. */
function wordsOfMember(name: string, { node, command }: JqProgram): readonly string[] {
  const said = documentedWords(name, node)?.words ?? [];
  if (said.length > 0) return said;
  const request = stepBefore(command)?.argument;
  const params = request?.kind === "object" ? request.get("params") : undefined;
  const asked = params?.kind === "object" ? params.get(name) : undefined;
  const values = asked?.kind === "array" ? asked.items : [asked];
  return values.flatMap((each) =>
    each?.kind === "string" && /^[A-Za-z][\w-]*$/.test(each.value) ? [each.value] : [],
  );
}

/** The tables of a program in which a member is looked up, by its name. */
const tablesOf = (program: JqProgram) =>
  nodesOfKind(program, "Postfix").flatMap(({ head, suffixes: [suffix] }) => {
    const made = head.kind === "Variable" ? boundTo(program, head) : head;
    const table = made === undefined ? undefined : bare(made as Expression);
    if (table?.kind !== "Object" || suffix?.kind !== "Index") return [];
    const name = nameRead(suffix.index, program);
    return [{ name, keys: table.entries.map(({ key }) => nameOf(key) ?? "") }];
  });

/** The values of a table in which something is looked up: `{open: "made"}[.state]`. */
function valuesIn(way: Expression): readonly Expression[] {
  const table = way.kind === "Postfix" && way.suffixes[0]?.kind === "Index" ? bare(way.head) : undefined;
  return table?.kind === "Object" ? table.entries.flatMap(({ value }) => value ?? []) : [way];
}

/** What an import may call its own items. */
const ofImport = /import|histor|sync|exist|backfill|snapshot|initial|load|past|old|archiv/i;

/** The constant texts of a program. */
const textsIn = derivedFromText((tree): readonly string[] =>
  [...nodesIn(tree)].flatMap((node) => {
    const text = node.kind === "String" ? constantOf(node) : undefined;
    return typeof text === "string" ? [text] : [];
  }),
);
