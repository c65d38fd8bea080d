import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { comparedIn } from "../../../flow/compared-constants.ts";
import { type DocumentedWords, documentedWords, hasComments } from "../../../flow/documented-words.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { registeredEvents } from "../../../flow/registered-events.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const leftOutEvent = defineRule<{ event: string; word: string; events: readonly string[] }>({
  id: "intake/left-out-event",
  severity: "warning",
  summary:
    "`create` registers all events that a comment lists but one, and a pipeline asks for what that one tells",
  why: "The service sends only the events that are registered. What happens without one isn't told to the app: contacts stay as they were before, and no error says so.",
  guards: ["webhook.create", "data_pipeline.source", "D32"],
  message: ({ event, word }) =>
    `A comment lists the event \`${event}\`, which isn't registered, and the pipeline asks for \`${word}\`.`,
  because: ({ event, word, events }) => [
    `\`create\` registers ${allNames(events)}`,
    `no payload comes for \`${event}\`: nothing tells when a record is \`${word}\``,
  ],
  help: ({ event }) => `Register \`${event}\` too, in \`create\` and \`update\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http/body",
      with: {
        "/data_intake/0/_comment":
          '"Payload: {event, email, stage}; events are enquiry.created, place.offered and place.accepted."',
        "/workflows/0/data_pipeline/source": '{"!jq": "{email: .email, family: (.stage == \\"accepted\\")}"}',
      },
      bad: '{"url": "${webhook.url}", "events": «["enquiry.created", "place.offered"]»}',
      good: '{"url": "${webhook.url}", "events": ["enquiry.created", "place.offered", "place.accepted"]}',
    },
  ],
});

const module: RuleModule = {
  rules: [leftOutEvent],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !hasComments(model) || !isReadable(intake, model)) return;
      const create = intake.commands.get("create");
      const registered = registeredEvents(intake, create === undefined ? [] : (allIn(create) ?? []));
      if (registered === undefined || registered.field !== undefined) return;
      const { events, at, name } = registered;
      if (events.length < 2 || events.some((event) => /[*#]|^all$/i.test(event))) return;
      const listed = ["event", "topic", name]
        .map((each) => documentedWords(each, intake.node, [intake.node]))
        .find((each) => each !== undefined);
      const event = listed === undefined ? undefined : leftOut(listed, events);
      if (listed === undefined || event === undefined) return;
      const word = wordOf(event);
      if (word === undefined || !asksFor(word, intake, model)) return;
      report(leftOutEvent, at, { event, word, events }, [{ message: "the comment", at: listed.comment }]);
    },
  },
};
export default module;

/** What a comment says of events that are left on purpose. */
const chosen =
  /\b(?:only|need|needs|ignored?|skip|skipped|not|never|without|want|wants|but|except|leave|left|another|other workflows?|elsewhere|itself|unasked|automatically|every hook|again|plans?|partners?|retired|old|deprecated|(?:the )?last (?:one )?(?:is|are|comes?|needs?)|instead|don't|doesn't|isn't|aren't|no)\b/i;

/** The one event of a list that isn't registered, where all others are and none of them tells it as well. */
function leftOut({ words, comment }: DocumentedWords, events: readonly string[]): string | undefined {
  const [event, ...others] = words.filter((word) => !events.includes(word));
  if (event === undefined || others.length > 0 || chosen.test(comment.value)) return undefined;
  if (!events.every((each) => words.includes(each))) return undefined;
  const isTold = events.some(
    (each) =>
      wordOf(each) === wordOf(event) ||
      (subjectOf(each) === subjectOf(event) &&
        /^(?:updated?|changed?|modified|edited|saved)$/i.test(wordOf(each) ?? "")),
  );
  return isTold ? undefined : event;
}

/** `accepted` of `place.accepted` */
const wordOf = (event: string): string | undefined =>
  /^[\w-]+[._/:](?:[\w-]+[._/:])*([a-z][\w-]*)$/i.exec(event)?.[1];
const subjectOf = (event: string): string | undefined => /^([\w-]+)[._/:]/.exec(event)?.[1];

/** Whether a pipeline that gets the events asks whether a record is in the state that one of them tells. */
const asksFor = (word: string, intake: IntakeSymbol, model: Model): boolean =>
  usersOf(intake).some((workflow) =>
    partOfUnit(workflow, model).programs.some(
      (program) =>
        program.command.place.name === "data_pipeline.source" &&
        program.diagnostics.length === 0 &&
        program.node.value.includes(word) &&
        [...comparedIn(program)].some(({ values, order }) => order === undefined && values.includes(word)),
    ),
  );
