import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { areAlike, registeredEvents, textAround } from "../../../flow/registered-events.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const otherEvent = defineRule<{ name: string; events: readonly string[]; ending?: string }>({
  id: "intake/other-event",
  severity: "warning",
  summary: "`create` registers another event than the one that the intake is called by and the app expects",
  why: "Nothing else is sent to the webhook than what `create` registers. If that is another event than the programs know, what customers wait for never comes, and something else is taken for it.",
  guards: ["webhook.name", "webhook.create", "D32"],
  message: ({ name, events, ending }) =>
    ending !== undefined
      ? `The intake is called \`${name}\`, but \`create\` registers \`${ending}\`, which stands nowhere else.`
      : `The intake is called \`${name}\`, and a program has that event, too. \`create\` registers ${allNames(events)}.`,
  because: ({ name, events }) => [
    `the webhook gets ${allNames(events)}`,
    `\`${name}\` isn't registered: none comes`,
  ],
  help: ({ name }) => `Register \`${name}\`.`,
  examples: [
    {
      title: "A historical import",
      in: "historical-sync",
      at: "/data_intake/0/create/!pipe/0/!http/body",
      with: {
        "/data_intake/0/name": '"task.completed"',
        "/workflows/0/data_intake": '"task.completed"',
        "/data_intake/1/request/!pipe/1/!jq":
          '"{results: [.items[] | . + {event: \\"task.completed\\"}], iterate: false, polling_state: ${polling_state}}"',
      },
      bad: '{"url": "${webhook.url}", "event": «"task.inspected"»}',
      good: '{"url": "${webhook.url}", "event": "task.completed"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherEvent],
  checks: {
    // What programs of its workflows and of their history expect.
    reach: "linked",
    intake(intake, report, model) {
      const { name, type } = intake;
      if (type !== "webhook" || name === undefined || !/^\w+[._/:-]\w/.test(name)) return;
      const create = intake.commands.get("create");
      const found = registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? []));
      if (found === undefined || found.field !== undefined) return;
      const { events, at } = found;
      if (
        events.includes(name) ||
        !areAlike([name, ...events]) ||
        events.some((each) => /[*#]|(?:^|[._/:-])(?:all|any|changes)$/i.test(each))
      )
        return;
      // The same word with another ending: `order.update` where the intake is called `order.updated`.
      const misspelled = events.filter((each) => isOtherEnding(each, name));
      if (misspelled.length === 1 && events.length > 1 && isOnce(misspelled[0]!, textAround(intake, model))) {
        report(otherEvent, at, { name, events, ending: misspelled[0]! });
        return;
      }
      const programs = programsAround(intake, model);
      const known = new Set(programs.flatMap(textsIn));
      // `.reason == "order.paid"`: why `order.updated` comes.
      if (programs.some((program) => isOfReason(name, program))) return;
      if (known.has(name) && !events.some((each) => known.has(each)))
        report(otherEvent, at, { name, events });
    },
  },
};
export default module;

/** As a value or in a program; another word may begin with it. */
const isOnce = (event: string, text: string): boolean =>
  text.split(`"${event}"`).length === 2 && !text.includes(`"${event}\\"`);

const isOtherEnding = (event: string, name: string): boolean =>
  /^e?d$/.test(name.slice(event.length)) && name.startsWith(event);

/** Whether a program compares a text with a member that says why something is, and not what. */
const isOfReason = (event: string, program: JqProgram): boolean =>
  program.node.value.includes(event) &&
  nodesOfKind(program, "Comparison").some(({ left, right }) =>
    [
      [left, right],
      [right, left],
    ].some(
      ([text, read]) => constantOf(bare(text!)) === event && ofReason.test(nameOfValue(bare(read!)) ?? ""),
    ),
  );
const ofReason = /^(?:cause|reason|because|caused_?by|triggered_?by|sub_?(?:type|event)|detail|change)$/i;

const programsAround = (intake: IntakeSymbol, model: Model): readonly JqProgram[] => {
  const users = usersOf(intake);
  const histories = users.flatMap(({ historicalIntake }) => historicalIntake?.target ?? []);
  return [...new Set([...users, ...histories])].flatMap((unit) => partOfUnit(unit, model).programs);
};

/** The constant texts of a program, keys of its tables too. */
const textsIn = (program: JqProgram): readonly string[] =>
  nodesOfKind(program, "String").flatMap((node) => {
    const text = constantOf(node);
    return typeof text === "string" ? [text] : [];
  });
