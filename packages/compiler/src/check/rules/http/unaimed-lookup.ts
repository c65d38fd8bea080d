import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { kindOfName } from "../../../flow/exchange/name-kind.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const unaimedLookup = defineRule<{ path: string }>({
  id: "http/unaimed-lookup",
  severity: "hint",
  summary: "A lookup takes the first record of an unfiltered list",
  why: "A pipeline runs once for each record. A request that names nothing of the record gets the same list each time, so its first item is always the same: every contact is matched with one and the same record of the service.",
  guards: ["data_pipeline.target", "data_pipeline.source", "command.!http"],
  message: ({ path }) =>
    `This request to \`${path}\` sends nothing of the record, and the next step takes the first item.`,
  because: ({ path }) => [`record 1: the first of \`${path}\``, `record 2: the same one`],
  help: () =>
    'Send what identifies the record, for example as a parameter: `"email": "${piped_content.0.email}"`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{«"!http"»: {"path": "/orders"}}, {"!jq": "{id: .orders[0].id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/${piped_content.2.id}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/orders", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .orders[0].id}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/${piped_content.2.id}"}}]}',
    },
  ],
});

const unaimedPerson = defineRule<{ path: string; noun: string }>({
  id: "http/unaimed-person",
  severity: "warning",
  summary: "A person is looked up without anything of the contact",
  why: "A pipeline runs once for each contact. A request for people that sends nothing of the contact gets the same list each time. Its first item is taken for the contact, so everything is written to one and the same stranger.",
  guards: ["data_pipeline.target", "command.!http", "D25"],
  message: ({ path, noun }) =>
    `This request to \`${path}\` sends nothing of the contact, and its first item is taken for the ${noun}.`,
  because: ({ path }) => [`contact 1: the first of \`${path}\``, "contact 2: the same one"],
  help: () =>
    'Send what identifies the contact, for example as a parameter: `"email": "${piped_content.0.email}"`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{«"!http"»: {"path": "/guests", "params": {"list": "${custom_data.list.value}", "limit": 1}}}, {"!jq": "{id: .guests[0].id, note: ${piped_content.0.email}}"}, {"!http": {"method": "POST", "path": "/guests/${piped_content.2.id}/notes", "body": {"note": "${piped_content.2.note}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/guests", "params": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}", "limit": 1}}}, {"!jq": "{id: .guests[0].id, note: ${piped_content.0.email}}"}, {"!http": {"method": "POST", "path": "/guests/${piped_content.2.id}/notes", "body": {"note": "${piped_content.2.note}"}}}]}',
    },
    {
      title: "In a case",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!switch": {"jq": "if (.email // \\"\\") == \\"\\" then 0 else 1 end", "cases": [{"!error": "No email address"}, {«"!http"»: {"path": "/people", "params": {"list": "${custom_data.list.value}", "per_page": 1}}}]}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people[0].id}", "body": {"email": "${piped_content.0.email}"}}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if (.email // \\"\\") == \\"\\" then 0 else 1 end", "cases": [{"!error": "No email address"}, {"!http": {"path": "/people", "params": {"list": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}]}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people[0].id}", "body": {"email": "${piped_content.0.email}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unaimedLookup, unaimedPerson],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { argument, pipe, place } = command;
        if (!place.name.startsWith("data_pipeline.") || pipe === undefined) return;
        const path = textOf(argument, "path");
        if (path === undefined || (textOf(argument, "method") ?? "GET").toUpperCase() !== "GET") return;
        const step = stepOf(command);
        if (step.parent !== pipe) return;
        const noun = place.name === "data_pipeline.target" ? personIn(path) : undefined;
        if (
          noun !== undefined &&
          takesOne(step, model) &&
          !isAimed(command, model, true) &&
          !isFixed(command)
        )
          report(unaimedPerson, command.member.key, { path, noun });
        else if (step === command && firstIsTaken(step) && !isAimed(command, model))
          report(unaimedLookup, command.member.key, { path });
      },
    },
  },
};
export default module;

/** The step of its pipe that a command is, or is a case of. */
function stepOf(command: Command): Command {
  let step = command;
  while (step.parent?.key === "!switch") step = step.parent;
  return step;
}

const contacts =
  /^(?:person|customer|contact|client|guest|member|owner|donor|patient|subscriber|resident|learner|student|attendee|candidate|buyer|lead|passenger|visitor|participant|supporter|patron|driver)$/;

/** What somebody is who is asked for at `/customers` or `/customers/search`; undefined for staff, and for what is no person. */
function personIn(path: string): string | undefined {
  const segments = path.split(/[/?]/).filter((segment) => segment !== "");
  const last = segments.findLast((segment) => !/^(?:search|find|lookup|query)$/i.test(segment)) ?? "";
  const noun = singular(last.toLowerCase());
  return noun !== last.toLowerCase() && contacts.test(noun) && !path.includes("?") ? noun : undefined;
}

/** Names of parameters that say how a list is given, and not which record is wanted. */
const ofLists: ReadonlySet<string | undefined> = new Set([
  "page",
  "size",
  "order",
  "direction",
  "fields",
  "flag",
  "cursor",
  "code",
]);

/** Names of parameters that say how it is searched, and not for whom. */
const ofSearches =
  /^(?:match(?:ing|_?mode)?|mode|exact|strict|fuzzy|partial|(?:ignore_?|match_?)?case(?:_?sensitive)?)$/i;

/** `role=owner`: an account has one. */
const ofOneRole =
  /^(?:owner|account[_-]?owner|main|primary|default|head|chair|founder|manager|host|organi[sz]er)$/i;

/** Whether a parameter that is written there may name one record: `{"code": "WALK-IN"}`. */
function isFixed({ argument }: Command): boolean {
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  if (params === undefined) return false;
  if (params.kind !== "object") return true;
  return params.members.some(
    ({ name, value }) =>
      ((value?.kind === "string" && ofOneRole.test(value.value)) ||
        !(ofLists.has(kindOfName(name)) || ofSearches.test(name))) &&
      !(value?.kind === "boolean" || (value?.kind === "string" && value.value.includes("custom_data."))),
  );
}

/** Whether the first item of a step's answer is read, by the next one or later. */
function takesOne(step: Command, model: Model): boolean {
  if (firstIsTaken(step)) return true;
  const { pipe, stepsRun } = step;
  return model.expansions.some(({ root, command, syntax: { path } }) => {
    const isOf = root === "piped_content" && command?.pipe === pipe && path[1]?.text === String(stepsRun + 1);
    return isOf && path.slice(2).some(({ text }) => text === "0");
  });
}

function firstIsTaken({ pipe, stepsRun }: Command): boolean {
  const next = pipe?.children[stepsRun + 1];
  const programs = [
    next?.program,
    ...(next?.key === "!switch" ? next.children : []).map((each) => each?.program),
  ];
  return programs.some(
    (program) => program !== undefined && program.diagnostics.length === 0 && takesFirst(program),
  );
}

/** Whether something in a request comes from the record, from the setup or from an earlier step. */
function isAimed({ node }: Command, { expansions }: Model, byRecord = false): boolean {
  return expansions.some(
    ({ node: at, root }) =>
      root !== "subdomain" &&
      !(byRecord && root === "custom_data") &&
      node.start <= at.start &&
      at.end <= node.end,
  );
}

/** `.people[0]`, `.people | first`, and no search among the items. */
function takesFirst(program: JqProgram): boolean {
  if (/\b(?:select|map|any|index|INDEX|group_by|min_by|max_by|sort_by)\b/.test(program.node.value))
    return false;
  return (
    nodesOfKind(program, "Index").some(({ index }) => constantOf(index) === 0) ||
    nodesOfKind(program, "Call").some(({ name }) => name.text === "first")
  );
}
