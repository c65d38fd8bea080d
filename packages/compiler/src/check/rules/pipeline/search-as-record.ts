import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isPlural, mayBeSame, nounOf } from "../../../flow/nouns.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { searchedPath } from "../../../flow/searches.ts";
import { type SyntaxNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { requestText } from "./courses.ts";

const searched = (body: string): string =>
  `{"!pipe": [{"!jq": "with_entries(select(.value != null))"}, {"!http": {"path": "/people", "params": {"email": "\${piped_content.1.email}"}}}, {"!switch": {"jq": "if .people == [] then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": ${body}}}, {"!jq": ".people[0]"}]}}, {"!http": {"method": "POST", "path": "/notes", "body": {"person": "\${piped_content.3.id}"}}}]}`;

const searchAsRecord = defineRule<{ sent: string; asked: string; instead: string | undefined }>({
  id: "pipeline/search-as-record",
  severity: "warning",
  summary: "A new record is made of the answer to a search in the same list",
  why: "A search answers with a list, which is empty where there is no record yet. Sent as the new record, it has none of the names that the service looks for: the record is refused, or made without email and name, and the next search doesn't find it either.",
  guards: ["data_pipeline.target", "command.!http", "expansion.piped_content", "D14"],
  message: ({ sent, asked }) =>
    `\`${sent}\` is of the answer to \`${asked}\`, a list. A new record of the same list is made of it.`,
  because: ({ asked }) => [
    `\`${asked}\` answers with a list of records`,
    "the new record gets that list, and nothing of the contact",
  ],
  help: ({ instead }) =>
    instead === undefined ? "Send what the contact has." : `Did you mean \`\${${instead}}\`?`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: searched('"«${piped_content.2}»"'),
      good: searched('"${piped_content.1}"'),
    },
    {
      title: "As a member of the body",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: searched('{"person": "«${piped_content.2}»"}'),
      good: searched('{"person": "${piped_content.1}"}'),
    },
  ],
});

const module: RuleModule = {
  rules: [searchAsRecord],
  checks: {
    expansion(expansion, report, model) {
      const search = searchSent(expansion, model);
      if (search === undefined) return;
      const { command, node, syntax } = expansion;
      report(
        searchAsRecord,
        { node, from: syntax.start, to: syntax.end },
        {
          sent: syntax.path.map(({ text }) => text).join("."),
          asked: requestText(search),
          instead: recordAskedFor(search, command!, model),
        },
      );
    },
  },
};
export default module;

/** The search whose answer is sent as a new record of the list that was searched. */
export function searchSent(expansion: Expansion, model: Model): Command | undefined {
  const { root, command, node, syntax } = expansion;
  if (root !== "piped_content" || command?.key !== "!http" || syntax.path.length > 3) return undefined;
  if (syntax.start !== 0 || syntax.end !== node.value.length || !isOfBody(expansion)) return undefined;
  const list = /^post$/i.test(textOf(command.argument, "method") ?? "") ? listOf(command) : undefined;
  if (list === undefined) return undefined;
  const search = searchAnswered(expansion, model);
  if (search === undefined) return undefined;
  return listOf(search) === list || isSearchForRecord(search, expansion, list, model) ? search : undefined;
}

/** Whether records were looked for by the contact's own values, and all that was answered is sent to a list of such records elsewhere. */
function isSearchForRecord(
  search: Command,
  { syntax, command }: Expansion,
  list: string,
  model: Model,
): boolean {
  const nouns = [listOf(search) ?? "", list].map((path) => nounOf(path.split("/").at(-1)!));
  const [one, other] = nouns;
  if (syntax.path.length !== 2 || one === undefined || other === undefined) return false;
  return (
    command?.parent?.key === "!switch" &&
    (one === other || mayBeSame(one, other)) &&
    recordAskedFor(search, command, model) !== undefined
  );
}

/** Whether an expansion stands in a body, or below it. */
export function isOfBody({ node, command }: Expansion): boolean {
  for (let at: SyntaxNode | undefined = node; at !== undefined && at !== command?.argument; at = at.parent)
    if (at.kind === "member" && at.name === "body") return true;
  return false;
}

/** The path of a list of records, without what asks for some of them: `/people` of `/people?email=…`. */
function listOf({ argument }: Command): string | undefined {
  const [path = ""] = (textOf(argument, "path") ?? "").split("?");
  const name = nameOfPath(path);
  if (name === undefined || !isPlural(name)) return undefined;
  const segments = path.split("/");
  return segments.slice(0, segments.lastIndexOf(name) + 1).join("/");
}

/** The request for records of a list whose answer an expansion reads, or its list as a whole. */
function searchAnswered(expansion: Expansion, model: Model): Command | undefined {
  const [trail, ...others] = expansionTrails(flowOf(model), expansion);
  if (trail?.origin.kind !== "response" || others.length > 0) return undefined;
  const { command, path } = trail.origin;
  const asked = searchedPath(command.argument);
  // An item of the list is a record.
  const isWhole = path.length < 2 && path[0] !== "[]";
  // Behind an id there is one record.
  const isList = asked !== undefined && !/\/\$[{<][^/]*\/?$/.test(asked);
  return isWhole && isList ? command : undefined;
}

/** The step by one of whose members the list was searched: that has the record's values. */
function recordAskedFor(search: Command, { pipe }: Command, model: Model): string | undefined {
  const steps = model.expansions.flatMap(({ root, command, syntax, position }) =>
    root === "piped_content" && command === search && position !== "path" && search.pipe === pipe
      ? (syntax.path[1]?.text ?? [])
      : [],
  );
  const [step, ...others] = new Set(steps);
  return step === undefined || others.length > 0 ? undefined : `piped_content.${step}`;
}
