import { type Type, types } from "@configc/jq";
import type { Command, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { type Course, isThere, type Request, type Sent } from "../../../flow/machine/pipeline.ts";
import { memberOf, resolved, type Value } from "../../../flow/machine/value.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { reachableCases } from "../../../flow/protocol/reachable-cases.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, excerpt } from "../../message-text.ts";
import { reversedIn } from "../command/reversed-lookup.ts";
import { oneAsNoneIn } from "../jq/one-as-none.ts";
import { usedEmpty } from "../jq/used-where-empty.ts";
import { isSegment, lookupsWithout, lostObject, requestText, targetCourses, written } from "./courses.ts";
import { lostRecords } from "./found-or-made.ts";
import { isOfOtherCase } from "./other-case.ts";

const nothingFound = defineRule<{ expansion: string; lookups: readonly string[]; isMissing: boolean }>({
  id: "pipeline/nothing-found",
  severity: "warning",
  summary: "Where a lookup finds nothing, a request is sent to a record without an id",
  why: "A pipeline looks a record up, and a `!switch` decides what to do if there is none. Here the way for “none” names the record by the id that the lookup would have given: the segment of the path is null, the request is refused, and every record that isn't there yet fails.",
  guards: ["command.!switch", "command.!http", "data_pipeline.target", "D18", "D26"],
  message: ({ expansion, lookups, isMissing }) =>
    `Where ${allNames(lookups)} finds nothing, \`${expansion}\` ${isMissing ? "isn't there" : "is null here"}, and the request can't be sent.`,
  because: ({ expansion, lookups, isMissing }) => [
    `${allNames(lookups)} finds nothing`,
    "the `!switch` takes this case",
    isMissing
      ? `\`${expansion}\` has no value here, and no default`
      : `\`${expansion}\` is null: the path has an empty segment`,
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
      also: ["unused/step-output"],
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 1 else 0 end", "cases": [{"!jq": "{id: .id}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.2.email}"}}}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person": "«${piped_content.2.id}»"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 1 else 0 end", "cases": [{"!jq": "{id: .id}"}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.2.email}"}}}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person": "${piped_content.3.id}"}}}]}',
    },
  ],
});

const recordMade = defineRule<{ expansion: string; lookups: readonly string[]; made: string; step: number }>({
  id: "pipeline/record-made",
  severity: "warning",
  summary: "After a record is made, its id is read from the lookup that didn't find it",
  why: "A pipeline looks a record up and makes it if there is none. The lookup's answer is the one from before: for a new record it has no id, so what follows fails or is left out for everybody who wasn't there yet.",
  guards: ["expansion.piped_content", "command.!switch", "data_pipeline.target", "D14", "D18"],
  message: ({ expansion, lookups, made, step }) =>
    `Where ${allNames(lookups)} finds nothing, \`${expansion}\` has no value, although step ${step} makes the record with \`${made}\`.`,
  because: ({ expansion, lookups, made }) => [
    `${allNames(lookups)} finds nothing`,
    `\`${made}\` makes the record, and answers with its id`,
    `\`${expansion}\` is what was found before: nothing`,
  ],
  help: ({ step }) => `Read the id from the answer: \`\${piped_content.${step}…}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people[0].id}", "body": {"name": "${piped_content.0.name | default}"}}}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}]}}, {"!switch": {"jq": "if ${custom_data.list.value} == \\"none\\" then 0 else 1 end", "cases": [{"!jq": "."}, {"!http": {"method": "POST", "path": "/people/«${piped_content.1.people[0].id}»/lists", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people[0].id}", "body": {"name": "${piped_content.0.name | default}"}}}, {"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}]}}, {"!switch": {"jq": "if ${custom_data.list.value} == \\"none\\" then 0 else 1 end", "cases": [{"!jq": "."}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.person.id}/lists", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
    },
  ],
});

const noObject = defineRule<{ text: string; lookups: readonly string[]; step: number; name: string }>({
  id: "pipeline/no-object",
  severity: "warning",
  summary: "Where a lookup finds nothing, a program gives no object at all",
  why: "In jq, an object has as many outputs as its members have. A member that reads `.people[].id` of an empty list has none, so there is no object: the step gives null, and what its other members have is lost, for every record that isn't there yet.",
  guards: ["command.!jq", "data_pipeline.target", "D23"],
  message: ({ text, lookups, step, name }) =>
    `Where ${allNames(lookups)} finds nothing, \`${text}\` gives no value, so the whole object is null, and so is \`piped_content.${step}.${name}\`.`,
  because: ({ text, lookups }) => [
    `${allNames(lookups)} finds nothing`,
    `\`${text}\` reads an empty list, and gives no value`,
    "an object with a member that has no value isn't made: the step gives null",
  ],
  help: () => "Read the first record with `[0]`, or collect all of them with `[…]`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: «.people[].id», email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.2.email}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.2.id}", "body": {"email": "${piped_content.2.email}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, email: ${piped_content.0.email}}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.2.email}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.2.id}", "body": {"email": "${piped_content.2.email}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [nothingFound, earlierStep, recordMade, noObject],
  checks: {
    workflow(workflow, report, model) {
      const told = new Set<unknown>();
      for (const course of targetCourses(workflow, model)) {
        const { texts: lookups, related } = lookupsWithout(course);
        if (lookups.length === 0) continue;
        if ([...course.cases.keys()].some((each) => isTold(each, model))) continue;
        // One that is taken for none is told where it is asked for.
        const asking = [...course.cases.keys(), ...course.programs.map(({ command }) => command)];
        if (asking.some(({ program }) => program !== undefined && oneAsNoneIn(program, model).length > 0))
          continue;
        const lost = lostObject(course);
        if (lost !== undefined) {
          const { program, node, ...step } = lost;
          if (told.has(node)) continue;
          told.add(node);
          const text = excerpt(textAt(node, program));
          const at = { node: program.node, from: node.start, to: node.end };
          report(noObject, at, { text, lookups, ...step }, related);
          continue;
        }
        for (const { sent, instead, name } of missesIn(course, model)) {
          if (told.has(sent.expansion) || isOfOtherCase(sent.expansion)) continue;
          told.add(sent.expansion);
          const { node, syntax } = sent.expansion;
          const at = { node, from: syntax.start, to: syntax.end };
          const expansion = excerpt(written(sent));
          if (instead !== undefined) report(earlierStep, at, { expansion, lookups, instead, name }, related);
          else report(nothingFound, at, { expansion, lookups, isMissing: sent.isMissing }, related);
        }
        for (const { sent, made } of lostIds(course, workflow, model)) {
          if (told.has(sent.expansion)) continue;
          told.add(sent.expansion);
          const { node, syntax } = sent.expansion;
          report(
            recordMade,
            { node, from: syntax.start, to: syntax.end },
            { expansion: excerpt(written(sent)), lookups, ...made },
            related,
          );
        }
      }
      for (const { expansion, at, text, lookup, made, step } of lostRecords(partOfUnit(workflow, model))) {
        if (told.has(expansion) || isOfOtherCase(expansion)) continue;
        told.add(expansion);
        const related = [{ message: "finds nothing", at: lookup.member.key }];
        report(
          recordMade,
          at,
          { expansion: excerpt(text), lookups: [requestText(lookup)], made, step },
          related,
        );
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
    usesEmptyCase(command, model) ||
    (reached !== undefined && reached.size < command.children.length)
  );
}

/** Whether the cases of a `!switch` are told as exchanged. */
function usesEmptyCase({ program }: Command, model: Model): boolean {
  const body = program === undefined || program.diagnostics.length > 0 ? undefined : plainBody(program);
  return body?.kind === "If" && usedEmpty(body, program!, model) !== undefined;
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
    const nulls = request.sent.filter(({ value, isMissing }) => isMissing || resolved(value) === null);
    for (const sent of nulls) {
      const name = tailOf(sent).join(".");
      const instead = stepWith(name, sent, request);
      const isAlways = types.partsOf(flowOf(model).expansion(sent.expansion)).every(isNull);
      if (isAlways) continue;
      if (instead !== undefined) misses.push({ sent, instead, name });
      else if ((sent.isMissing || isSegment(sent)) && course.cases.size > 0 && request.isCertain)
        misses.push({ sent, instead, name });
    }
    // It isn't sent, and nothing behind it runs.
    if (request.isCertain && nulls.some((sent) => sent.isMissing || isSegment(sent))) return misses;
  }
  return [...misses, ...course.programs.flatMap((program) => missesOf(program))];
}

/** What is null where a program makes an id of it, and another step has it. */
function missesOf(program: Request): readonly Miss[] {
  if (!program.isCertain) return [];
  return program.sent.flatMap((sent): readonly Miss[] => {
    const { syntax } = sent.expansion;
    if (resolved(sent.value) !== null || syntax.filters.length > 0 || !isMadeAnId(sent, program)) return [];
    const name = tailOf(sent).join(".");
    const instead = stepWith(name, sent, program);
    return instead === undefined ? [] : [{ sent, instead, name }];
  });
}

/** What is null of a record that was made in between: in a path that depends on nothing but a choice, or in an object that a path reads. */
function lostIds(course: Course, workflow: WorkflowSymbol, model: Model) {
  const makers = course.requests.filter(({ command, isCertain }) => isCertain && makesRecord(command));
  return [...course.requests, ...course.programs].flatMap((request) => {
    const { command, sent } = request;
    const maker = makers.find((each) => comesBefore(each.command, command));
    if (maker === undefined) return [];
    const step = stepOf(maker.command, command.pipe);
    if (step === undefined) return [];
    return sent.flatMap((each) => {
      const value = resolved(each.value);
      const isNone = each.isMissing || value === null || value === "" || isOfList(each, maker, model);
      const [, index] = each.expansion.syntax.path;
      if (each.expansion.root !== "piped_content" || !isNone || !isOfLookup(each, course, model)) return [];
      if (Number(index?.text) >= step) return [];
      const isLost =
        command.key === "!http"
          ? isSegment(each) && isByChoice(command, course)
          : isTakenByPath(each, request, workflow, model) ||
            (isMadeAnId(each, request) && isSentWhole(request, workflow, model));
      return isLost ? [{ sent: each, made: { made: requestText(maker.command), step } }] : [];
    });
  });
}

const makesRecord = ({ argument, parent }: Command): boolean =>
  parent?.key === "!switch" && /^(?:POST|PUT)$/i.test(textOf(argument, "method") ?? "");

const comesBefore = (a: Command, b: Command): boolean => a.node.end < b.node.start;

/** The step of a pipe, or of one around it, that a command is in. */
function stepOf(command: Command, pipe: Command | undefined): number | undefined {
  for (let at: Command | undefined = command; at !== undefined; at = at.parent)
    if (at.parent?.key === "!pipe" && at.parent === pipe) return at.stepsRun + 1;
  return undefined;
}

/** Whether an expansion reads the answer of a lookup that found nothing. */
const isOfLookup = ({ expansion }: Sent, { found }: Course, model: Model): boolean =>
  expansionTrails(flowOf(model), expansion).some(
    ({ origin }) => origin.kind === "response" && found.get(origin.command) === false,
  );

/** Whether an expansion reads the first record of a list by which it was decided to make one: `people[0].id`. */
const isOfList = ({ expansion }: Sent, { command: { parent } }: Request, model: Model): boolean =>
  expansionTrails(flowOf(model), expansion).some(({ origin }) => {
    const list = origin.kind === "response" ? origin.path[origin.path.indexOf("[]") - 1] : undefined;
    return list !== undefined && parent?.program?.node.value.includes(`.${list}`) === true;
  });

/** Whether all that isn't decided around a command depends on what the customer chose. */
function isByChoice(command: Command, { cases }: Course): boolean {
  for (let at = command.parent; at !== undefined; at = at.parent) {
    if (at.key !== "!switch" || cases.has(at)) continue;
    const { program } = at;
    const reads = program === undefined ? undefined : inputReads(program);
    if (program === undefined || reads?.whole !== false || reads.members.size > 0) return false;
    if (!program.holes.every(({ root }) => root === "custom_data")) return false;
  }
  return true;
}

/** Whether an expansion is all of a member of an object, whose id a later path has. */
function isTakenByPath(
  { expansion }: Sent,
  { command }: Request,
  workflow: WorkflowSymbol,
  model: Model,
): boolean {
  const { program, pipe, stepsRun } = command;
  const hole = program?.holes.indexOf(expansion as JqProgram["holes"][number]) ?? -1;
  if (program === undefined || command.parent !== pipe) return false;
  const names = nodesOfKind(program, "Object").flatMap(({ entries }) =>
    entries.flatMap(({ key, value }) =>
      key.kind === "Name" && value?.kind === "Hole" && value.hole === hole ? key.text : [],
    ),
  );
  return partOfUnit(workflow, model).expansions.some(
    ({ root, position, command: reader, syntax: { path } }) =>
      root === "piped_content" &&
      position === "path" &&
      reader?.pipe === pipe &&
      path[1]?.text === `${stepsRun + 1}` &&
      names.includes(path[2]?.text ?? "") &&
      isIdName(path.at(-1)?.text ?? ""),
  );
}

/** Whether the object that a step makes is the body of a later request of its pipe. */
function isSentWhole(
  { command: { pipe, stepsRun } }: Request,
  workflow: WorkflowSymbol,
  model: Model,
): boolean {
  return partOfUnit(workflow, model).expansions.some(
    ({ root, command, node, syntax: { path } }) =>
      root === "piped_content" &&
      path.length === 2 &&
      path[1]?.text === `${stepsRun + 1}` &&
      command?.pipe === pipe &&
      command?.key === "!http" &&
      node.parent?.kind === "member" &&
      node.parent.name === "body",
  );
}

/** Whether an expansion is all that a member `person_id` of an object gets. */
function isMadeAnId({ expansion }: Sent, { command: { program } }: Request): boolean {
  if (program === undefined) return false;
  const index = program.holes.indexOf(expansion as (typeof program.holes)[number]);
  return nodesOfKind(program, "Object").some(({ entries }) =>
    entries.some(
      ({ key, value }) =>
        key.kind === "Name" && isIdName(key.text) && value?.kind === "Hole" && value.hole === index,
    ),
  );
}

const tailOf = ({ expansion: { syntax } }: Sent): readonly string[] =>
  syntax.path.slice(2).map(({ text }) => text);

/** Another step whose output certainly has that member, or member of a member. */
function stepWith(name: string, sent: Sent, { outputs }: Request): number | undefined {
  const { root, syntax } = sent.expansion;
  const index = Number(syntax.path[1]?.text);
  const tail = tailOf(sent);
  if (root !== "piped_content" || tail.length === 0 || tail.join(".") !== name) return undefined;
  const found = outputs.findLastIndex(
    (output, at) => at > 0 && at !== index && isThere(tail.reduce<Value>(memberOf, output)),
  );
  return found < 0 ? undefined : found;
}

const isNull = ({ kind }: Type): boolean => kind === "null";
