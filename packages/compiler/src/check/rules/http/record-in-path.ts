import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { itemOfAnswer, listsRecords } from "../../../flow/listed-records.ts";
import { isPlural, nounOf } from "../../../flow/nouns.ts";
import { expansionTrails, type Origin } from "../../../flow/origin.ts";
import { nounOfPath } from "../../../flow/record-kind.ts";
import { searchedPath } from "../../../flow/searches.ts";
import type { ShapeUse } from "../../../flow/shape-reads.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { useAsObject } from "../contract/object-by-use.ts";
import { shapeReadsOf } from "../response/shape-reads.ts";

const recordInPath = defineRule<{ expansion: string; list: string; reason: string; isList: boolean }>({
  id: "http/record-in-path",
  severity: "warning",
  summary: "A whole record is put into a path",
  why: "A path takes texts and numbers. The items of a list that an API answers with are objects, and with an object in its path a request fails before it is sent. A first test, which finds no record, doesn't get there.",
  guards: ["http.path", "D9", "D20"],
  message: ({ expansion, list, isList }) =>
    `\`${expansion}\` is ${isList ? "the whole list" : `a whole record of \`${list}\``}, which can't be in a path.`,
  because: ({ reason, isList }) => [reason, `${isList ? "a list" : "an object"} in a path fails`],
  help: ({ isList }) =>
    isList
      ? "Read a member of its first record, most likely with `[0].id`."
      : "Read a member of it, most likely with `.id`.",
  examples: [
    {
      title: "Of a list that is called like its path",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/«${piped_content.1.people[0]}»", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people[0].id}", "body": {"list": "${custom_data.list.value}", "note": "${custom_data.note.value | default}"}}}]}',
    },
    {
      title: "Through a step",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{found: .data[0], person: ${piped_content.0}}"}, {"!http": {"method": "PATCH", "path": "/people/«${piped_content.2.found}»", "body": "${piped_content.2.person}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{found: .data[0].id, person: ${piped_content.0}}"}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.2.found}", "body": "${piped_content.2.person}"}}]}',
    },
    {
      title: "All that an API puts into `data`",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person: .data}"}, {"!http": {"method": "POST", "path": "/people/«${piped_content.2.person}»/notes", "body": {"note": "${custom_data.note.value | default}"}}}, {"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!jq": ".data.title"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person: .data.id}"}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.person}/notes", "body": {"note": "${custom_data.note.value | default}"}}}, {"!http": {"path": "/lists/${custom_data.list.value}"}}, {"!jq": ".data.title"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [recordInPath],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, position, node, syntax } = expansion;
      if (position !== "path" || root !== "piped_content" || syntax.problem !== undefined) return;
      // Under the name of an id, it is told where the step makes it.
      if (isIdName(syntax.path.at(-1)?.text ?? "")) return;
      const trails = expansionTrails(flowOf(model), expansion);
      for (const { origin } of trails) {
        const found = listed(origin) ?? wholeIn(origin, expansion, model);
        if (found === undefined) continue;
        const { list, reason, isList = false } = found;
        const { start, end } = syntax;
        report(
          recordInPath,
          { node, from: start, to: end },
          { expansion: node.value.slice(start, end), list, reason, isList },
        );
        return;
      }
    },
  },
};
export default module;

interface WholeRecord {
  readonly list: string;
  readonly reason: string;
  /** Whether it is all of them. */
  readonly isList?: boolean;
}

/** One of the records that a search has found. */
function listed(origin: Origin): WholeRecord | undefined {
  const item = itemOfAnswer(origin);
  const reason = item === undefined ? undefined : listsRecords(item);
  return item === undefined || reason === undefined || !looksUp(item.command)
    ? undefined
    : { list: item.list, reason };
}

/**
 * All of `data`, or of `guest` of `/guests`, which this API puts around what it answers: wherever the part reads it, it reads a member or an item
 * of it. Or all of a list that a search gives, whose records are counted.
 */
function wholeIn(origin: Origin, expansion: Expansion, model: Model): WholeRecord | undefined {
  const { command } = expansion;
  if (origin.kind !== "response") return undefined;
  const [name, ...others] = origin.path;
  const unit = command?.unit;
  if (name === undefined || others.length > 0) return undefined;
  if (unit?.kind !== "workflow" && unit?.kind !== "intake") return undefined;
  const { argument } = origin.command;
  const noun = nounOf(name);
  const isNamed =
    noun !== undefined && !isPlural(name) && noun === nounOfPath(textOf(argument, "path") ?? "");
  // A list that is called like its path is told to have two shapes.
  const isOfPath = (textOf(argument, "path") ?? "").split("?")[0]!.endsWith(`/${name}`);
  const mayBeList =
    (listNames.test(name) || (isPlural(name) && !isOfPath)) && searchedPath(argument) !== undefined;
  if (!isEnvelope.test(name) && !isNamed && !mayBeList) return undefined;
  // What the pipe reads of it says it, too.
  if (!isEnvelope.test(name) && useAsObject(expansion, model) !== undefined) return undefined;
  const reads = shapeReadsOf(partOfUnit(unit, model), model).filter((read) => read.name === name);
  if (!reads.every(({ use }) => isCompound.has(use))) return undefined;
  const below = mayBeList && !isEnvelope.test(name) ? undefined : reads.find(({ use }) => use === "member");
  if (below !== undefined)
    return { list: name, reason: `\`${name}.${below.member}\` is read elsewhere, so it is an object` };
  // The same of what is read as a list elsewhere.
  const isCounted = reads.some(({ use }) => use === "counted") && !reads.some(({ use }) => use === "listed");
  const isList = mayBeList && looksUp(origin.command) && isCounted;
  return isList
    ? { list: name, reason: `the records of \`${name}\` are counted elsewhere`, isList }
    : undefined;
}

/** What lists are called, whatever is in them; `body` is a list that is not in an object (D20). */
const listNames = /^(?:data|results?|body|list|found)$/;
const isEnvelope = /^(?:data|result|response)$/;
const isCompound: ReadonlySet<ShapeUse> = new Set(["member", "listed", "iterated", "counted", "pasted"]);

/** Whether a request asks for some of the records. A list that is always the same may be one of words: `GET /regions`. */
function looksUp({ argument }: Command): boolean {
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  const body =
    argument?.kind === "object" && searchedPath(argument) !== undefined ? argument.get("body") : undefined;
  const asked = [params, body].flatMap((each) =>
    each?.kind === "object" ? each.members.map(({ value }) => value) : [],
  );
  const query = (textOf(argument, "path") ?? textOf(argument, "url") ?? "").split("?")[1] ?? "";
  return [query, ...asked.flatMap((value) => (value?.kind === "string" ? [value.value] : []))].some((text) =>
    /[$][{<]/.test(text),
  );
}
