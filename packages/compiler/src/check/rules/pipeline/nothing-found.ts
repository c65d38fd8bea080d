import { type Type, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { type Course, isThere, type Request, type Sent } from "../../../flow/machine/pipeline.ts";
import { memberOf, resolved } from "../../../flow/machine/value.ts";
import { reachableCases } from "../../../flow/protocol/reachable-cases.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, excerpt } from "../../message-text.ts";
import { reversedIn } from "../command/reversed-lookup.ts";
import { isSegment, lookupsWithout, targetCourses, written } from "./courses.ts";

const nothingFound = defineRule<{ expansion: string; lookups: readonly string[] }>({
  id: "pipeline/nothing-found",
  severity: "warning",
  summary: "Where a lookup finds nothing, a request is sent to a record without an id",
  why: "A pipeline looks a record up, and a `!switch` decides what to do if there is none. Here the way for “none” names the record by the id that the lookup would have given: the segment of the path is null, the request is refused, and every record that isn't there yet fails.",
  guards: ["command.!switch", "command.!http", "data_pipeline.target", "D18", "D26"],
  message: ({ expansion, lookups }) =>
    `Where ${allNames(lookups)} finds nothing, \`${expansion}\` is null here, and the request can't be sent.`,
  because: ({ expansion, lookups }) => [
    `${allNames(lookups)} finds nothing`,
    "the `!switch` takes this case",
    `\`${expansion}\` is null: the path has an empty segment`,
  ],
  help: () => "Exchange the cases, or take the id from the step that makes the record.",
  examples: [
    {
      title: "The cases are exchanged",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{count: (.people | length), id: .people[0].id}"}, {"!switch": {"jq": "if .count > 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/«${piped_content.2.id}»"}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{count: (.people | length), id: .people[0].id}"}, {"!switch": {"jq": "if .count > 0 then 1 else 0 end", "cases": [{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.id}"}}]}}]}',
    },
  ],
});

const earlierStep = defineRule<{
  expansion: string;
  lookups: readonly string[];
  instead: number;
  name: string;
}>({
  id: "pipeline/earlier-step",
  severity: "warning",
  summary: "An expansion reads what a lookup found, where a later step has it in every case",
  why: "A pipeline looks a record up and makes it if there is none; the step behind has the id in either case. The lookup's own answer has none for a new record: the parameter is left out, or null is sent, and the request is about nobody or about somebody else.",
  guards: ["expansion.piped_content", "data_pipeline.target", "D14", "D17"],
  message: ({ expansion, lookups, instead, name }) =>
    `Where ${allNames(lookups)} finds nothing, \`${expansion}\` is null; \`piped_content.${instead}.${name}\` is there in this case too.`,
  because: ({ expansion, lookups, instead, name }) => [
    `${allNames(lookups)} finds nothing`,
    `step ${instead} gives a \`${name}\` all the same`,
    `\`${expansion}\` is null`,
  ],
  help: ({ instead, name }) => `Read \`\${piped_content.${instead}.${name}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 1 else 0 end", "cases": [{"!jq": "{id: .id}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.2.email}"}}}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person": "«${piped_content.2.id}»"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 1 else 0 end", "cases": [{"!jq": "{id: .id}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.2.email}"}}}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person": "${piped_content.3.id}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [nothingFound, earlierStep],
  checks: {
    workflow(workflow, report, model) {
      const told = new Set<unknown>();
      for (const course of targetCourses(workflow, model)) {
        const { texts: lookups, related } = lookupsWithout(course);
        if (lookups.length === 0) continue;
        if ([...course.cases.keys()].some((each) => isTold(each, model))) continue;
        for (const { sent, instead, name } of missesIn(course, model)) {
          if (told.has(sent.expansion)) continue;
          told.add(sent.expansion);
          const { node, syntax } = sent.expansion;
          const at = { node, from: syntax.start, to: syntax.end };
          const expansion = excerpt(written(sent));
          if (instead !== undefined) report(earlierStep, at, { expansion, lookups, instead, name }, related);
          else report(nothingFound, at, { expansion, lookups }, related);
        }
      }
    },
  },
};
export default module;

/** Cases the wrong way round, or that nothing leads to, are told as that. */
function isTold(command: Command, model: Model): boolean {
  const reached = reachableCases(command, flowOf(model));
  return (
    reversedIn(command, model) !== undefined ||
    (reached !== undefined && reached.size < command.children.length)
  );
}

interface Miss {
  readonly sent: Sent;
  /** The step that has what is null here. */
  readonly instead: number | undefined;
  readonly name: string;
}

/** What is null in the requests of a course, until one can't be sent. */
function missesIn(course: Course, model: Model): readonly Miss[] {
  const misses: Miss[] = [];
  for (const request of course.requests) {
    const nulls = request.sent.filter(({ value }) => resolved(value) === null);
    for (const sent of nulls) {
      const name = sent.expansion.syntax.path.at(-1)?.text ?? "";
      const instead = stepWith(name, sent, request);
      const isAlways = types.partsOf(flowOf(model).expansion(sent.expansion)).every(isNull);
      if (isAlways) continue;
      if (instead !== undefined) misses.push({ sent, instead, name });
      else if (isSegment(sent) && course.cases.size > 0 && request.isCertain)
        misses.push({ sent, instead, name });
    }
    // It isn't sent, and nothing behind it runs.
    if (request.isCertain && nulls.some(isSegment)) break;
  }
  return misses;
}

/** Another step whose output certainly has a member of that name. */
function stepWith(name: string, { expansion }: Sent, { outputs }: Request): number | undefined {
  const { root, syntax } = expansion;
  const index = Number(syntax.path[1]?.text);
  if (root !== "piped_content" || syntax.path.length !== 3) return undefined;
  const found = outputs.findLastIndex(
    (output, at) => at > 0 && at !== index && isThere(memberOf(output, name)),
  );
  return found < 0 ? undefined : found;
}

const isNull = ({ kind }: Type): boolean => kind === "null";
