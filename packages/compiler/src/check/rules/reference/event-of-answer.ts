import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { eventLookups, eventsOf } from "../../../flow/event-lookups.ts";
import { flowOf } from "../../../flow/flow.ts";
import { partAt, textAt } from "../../../flow/nodes.ts";
import { type Origin, trailsOf } from "../../../flow/origin.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isOwnInput, isSaidOfAnswer } from "../unused/own-input.ts";

const eventOfAnswer = defineRule<{ text: string; name: string; path: string }>({
  id: "reference/event-of-answer",
  severity: "warning",
  summary: "The event that came is read from the answer about a record",
  why: "A webhook sends the name of its event in the payload. Behind a request, `.` is the answer with the record, which knows nothing of the event: it is null there. No table has null, so a record gets no state and no tag, or the program fails.",
  guards: ["command.!jq", "expansion.piped_content", "D14"],
  message: ({ text, name, path }) =>
    `\`${text}\` is read from the answer of \`${path}\`, and taken for one of the events that \`create\` registers. The payload has \`${name}\`.`,
  because: ({ text, name }) => [`the payload has \`${name}\``, `\`${text}\` is of the record: null`],
  help: ({ name }) => `Read it from the payload, such as \`\${piped_content.0.${name}}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["person.new", "person.gone"]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .email, state: ({\\"person.new\\": \\"New\\", \\"person.gone\\": \\"Gone\\"}[«.event»])}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .email, state: ({\\"person.new\\": \\"New\\", \\"person.gone\\": \\"Gone\\"}[${piped_content.0.event}])}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [eventOfAnswer],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const users = usersOf(intake);
      const registered = users.length === 0 ? undefined : eventsOf(intake);
      if (registered === undefined) return;
      const programs = new Set(users.flatMap((user) => partOfUnit(user, model).programs));
      for (const program of programs) {
        const { command } = program;
        if (command.place.name !== "data_pipeline.source" || command.pipe === undefined) continue;
        for (const { value, name } of eventLookups(program, registered)) {
          const trails = trailsOf(flowOf(model), program, value);
          const paths = trails.map(({ origin }) => pathOf(origin, name, program));
          const [path] = paths;
          if (path === undefined || paths.includes(undefined)) continue;
          // What another step reads from the payload is told by that.
          if (value.kind === "Hole" && isOwnInput(program.holes[value.hole], model)) continue;
          report(eventOfAnswer, partAt(program, value), { text: textAt(value, program), name, path });
        }
      }
    },
  },
};
export default module;

/** The path of a request for a record, whose answer has no event, where a value is that member of it. */
function pathOf(origin: Origin, name: string, { command: reader }: JqProgram): string | undefined {
  if (origin.kind !== "response" || origin.path.at(-1) !== name) return undefined;
  const { argument, node } = origin.command;
  const path = textOf(argument, "path");
  const method = textOf(argument, "method") ?? "GET";
  if (path === undefined || !/^get$/i.test(method) || ofEvents.test(path)) return undefined;
  const comments = [...commentsAround(node, []), ...commentsAround(reader.node, [])];
  return isSaidOfAnswer(
    name,
    comments.map(({ value }) => value),
  )
    ? undefined
    : path;
}

/** What is asked for may be the event itself, `/events/12`, or a list of what happened. */
const ofEvents =
  /event|deliver|notif|hook|message|log|activit|change|trigger|topic|callback|update|audit|feed|histor|journal|occurrence|action|webhook/i;
