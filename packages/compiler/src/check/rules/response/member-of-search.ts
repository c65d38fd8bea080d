import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { isPlural, singular } from "../../../flow/nouns.ts";
import { takenTitles } from "../../../flow/offered-titles.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { resultsOf } from "../../../flow/result.ts";
import { searchedPath } from "../../../flow/searches.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isOtherStep } from "../unused/step-member.ts";

const memberOfSearch = defineRule<{ read: string; member: string; list: string; path: string }>({
  id: "response/member-of-search",
  severity: "warning",
  summary: "A member of a record is read from the answer to a search, which is a list of records",
  why: "A search answers with an object that has the list. The records in the list have the id and the names, the answer itself has none of them: reading them there fails for every record. Most often the number of the step is wrong.",
  guards: ["expansion.piped_content", "command.!http", "D9", "D14", "D20"],
  message: ({ read, member, list, path }) =>
    `\`${read}\` reads \`${member}\` of the answer to \`${path}\`, which has the list \`${list}\`. Its records may have a \`${member}\`.`,
  because: ({ member, list }) => [
    `\`${list}\` is read as a list elsewhere`,
    `the answer has \`${list}\`, and no \`${member}\` beside it`,
  ],
  help: () => "Read it from the step that has the record, or from an item of the list.",
  examples: [
    {
      title: "The number of the step is off by one",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.items | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}, {"!jq": ".items[0]"}]}}, {"!http": {"method": "POST", "path": "/people/${piped_content.1.«id»}/notes", "body": {"by": "${piped_content.2.id}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.items | length) == 0 then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}, {"!jq": ".items[0]"}]}}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/notes", "body": {"by": "${piped_content.2.id}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [memberOfSearch],
  checks: {
    part(part, report, model) {
      for (const expansion of part.expansions) {
        const { root, rootExact, command, syntax, node } = expansion;
        if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) continue;
        const [, index, member] = syntax.path;
        if (member === undefined) continue;
        // What is sent as a whole is told as that.
        if (node.parent?.kind === "member" && node.parent.name === "body") continue;
        if (isOtherStep({ node, from: index!.start, to: index!.end }, model)) continue;
        if (syntax.filters.length > 0 || ofAnswer.test(member.text) || isPlural(member.text)) continue;
        const step = command === undefined ? undefined : stepAt(command, Number(index!.text));
        const search = step === undefined ? undefined : searchOf(step);
        if (step === undefined || search === undefined) continue;
        const list = listRead(step, part);
        // That of a wrapper that is called like its path is told as that of any answer.
        const isWrapper = member.text === "id" && isCalledLike(list, search);
        // `Answers with {id, items}: id is that of the search.`
        if (list !== undefined && showsBoth(member.text, list, search)) continue;
        if (list === undefined || isWrapper || list === member.text || !isOfRecord(expansion, part, model))
          continue;
        report(
          memberOfSearch,
          { node, from: member.start, to: member.end },
          {
            read: syntax.path.map(({ text }) => text).join("."),
            member: member.text,
            list,
            path: textOf(search.argument, "path") ?? "",
          },
        );
      }
    },
  },
};
export default module;

/** What an answer says of a list beside it. */
const ofAnswer =
  /^(?:\d+|total\w*|\w*count|meta|page\w*|next\w*|prev\w*|\w*cursor|links?|has_?more|more|limit|offset|size|status|ok|success|errors?|message|data|body|results?|items?|records?|\w*token|etag|version)$/i;

/** The request for a list whose answer a step gives, if it doesn't refuse. */
function searchOf(step: Command): Command | undefined {
  const [request, ...others] = resultsOf(step).filter(({ key }) => key !== "!error");
  if (request?.key !== "!http" || others.length > 0) return undefined;
  const path = searchedPath(request.argument);
  const name = path === undefined ? undefined : nameOfPath(path);
  return path !== undefined && name !== undefined && isPlural(name) && path.endsWith(`/${name}`)
    ? request
    : undefined;
}

const isCalledLike = (list: string | undefined, { argument }: Command): boolean =>
  singular(wordsOf(list ?? "").at(-1) ?? "") ===
  singular(wordsOf(nameOfPath(searchedPath(argument) ?? "") ?? "").at(-1) ?? "");

/** The member of a step's output that something reads as a list: `.people | length`, `.people[0]`, `${piped_content.1.people[0].id}`. */
function listRead(step: Command, { programs, expansions }: Part): string | undefined {
  for (const { command, node } of programs) {
    if (stepBefore(command) !== step) continue;
    const [, name] = asList.exec(node.value) ?? [];
    if (name !== undefined) return name;
  }
  for (const { root, command, syntax } of expansions) {
    const [, index, member, item] = syntax.path;
    if (root !== "piped_content" || item === undefined || !/^\d+$/.test(item.text)) continue;
    if (command !== undefined && stepAt(command, Number(index?.text)) === step) return member?.text;
  }
  return undefined;
}

const asList =
  /(?:^|[^\w.\])}?$"])\.([A-Za-z]\w*)\s*(?:\[(?:0|-1)?\]|\|\s*(?:length|first|last|map)\b|==\s*\[\])/;

/** Whether what is read is of a record: an id, what customers map, or what is read of another step under this name, too. */
function isOfRecord({ syntax, unit }: Expansion, { expansions }: Part, model: Model): boolean {
  const names = syntax.path.slice(2).map(({ text }) => text);
  const last = names.at(-1)!;
  if (isIdName(last) || (unit?.kind === "workflow" && takenTitles(unit, model).has(last))) return true;
  const path = names.join(".");
  return expansions.some(
    ({ root, syntax: other }) =>
      root === "piped_content" &&
      other.path[1]?.text !== syntax.path[1]?.text &&
      other.path
        .slice(2)
        .map(({ text }) => text)
        .join(".") === path,
  );
}

/** Whether a comment shows the member beside the list. */
const showsBoth = (member: string, list: string, { node }: Command): boolean =>
  documentedClauses(node).some(({ text }) =>
    [
      `${escapedPattern(member)}"?\\s*[:,][^{}\\]]{0,60}[ "]${escapedPattern(list)}`,
      `${escapedPattern(list)}"?\\s*[:,][^{}]{0,60}[ "]${escapedPattern(member)}`,
    ].some((form) => new RegExp(`\\{[^{}\\]]{0,60}(?<![\\w-])${form}(?![\\w-])`).test(text)),
  );
