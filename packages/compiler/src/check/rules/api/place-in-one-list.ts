import type { Node } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { isPlural } from "../../../flow/nouns.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { parserPrograms } from "./parser-programs.ts";

const lists = (value: string): string =>
  `{"!pipe": [{"!http": {"path": "/${value}", "pagination": true}}, {"!jq": "[.${value}[] | {display: .name, value: .id}]"}]}`;

const placeInOneList = defineRule<{ text: string; list: string; other: string; path: string }>({
  id: "api/place-in-one-list",
  severity: "warning",
  summary: "`api.pagination` reads the records of one list, but other lists go through it too",
  why: "The parser serves every request with `pagination`. Each answer has its records under another name, so what it reads of one list is null for all others: those end after their first page, and customers are offered the beginning alone.",
  guards: ["pagination.next_result_token", "D22"],
  message: ({ text, list, other, path }) =>
    `\`${text}\` is in the answers that have \`${list}\`. The answer of \`${path}\` has \`${other}\`, and it ends after its first page.`,
  because: ({ text, path, other }) => [
    `page 1 of \`${path}\` has its records in \`${other}\``,
    `\`${text}\` is null there: page 2 is never read`,
  ],
  help: () => "Read what every answer has beside its records.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options": lists("lists"),
        "/workflows/0/setup/select/form_fields/1": `{"label": "Owner", "id": "owner", "type": "dropdown", "options": ${lists("users")}}`,
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list_id": "${custom_data.list.value}", "owner_id": "${custom_data.owner.value}"}}}',
      },
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.lists[-1].id»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".page.next"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [placeInOneList],
  checks: {
    reach: "document",
    api({ node }, report, model) {
      for (const { name, program } of parserPrograms(node.get("pagination"), model)) {
        // A list that is counted in place of a total is told as that.
        if (!/^(?:next|previous)/.test(name)) continue;
        const read = listRead(program);
        if (read === undefined) continue;
        const known = listsPaged(model);
        if (!known.some(({ list }) => list === read.list)) continue;
        const mentions = (name: string): boolean =>
          new RegExp(`\\b${escapedPattern(name)}\\b`).test(program.node.value);
        const other = known.find(({ list, text }) => !mentions(list) && !reads(read.list, text));
        if (other === undefined) continue;
        const { list } = read;
        const text = excerpt(textAt(read.node, program), 40);
        report(placeInOneList, partAt(program, read.node), {
          text,
          list,
          other: other.list,
          path: excerpt(other.path, 40),
        });
      }
    },
  },
};
export default module;

/** `hubs` of `.hubs[-1].id` and of `.hubs | last | .id`: the list whose records a parser reads. */
function listRead(program: JqProgram): { readonly list: string; readonly node: Node } | undefined {
  for (const node of nodesOfKind(program, "Postfix")) {
    const [field, next] = node.suffixes;
    if (node.head.kind !== "Identity" || field?.kind !== "Field" || field.key.kind !== "Name") continue;
    const list = field.key.text;
    const isItem =
      next?.kind === "Index" || next?.kind === "Iterate" || (next === undefined && isListed(node, program));
    if (isItem && isPlural(list)) return { list, node };
  }
  return undefined;
}

/** Whether the stage behind it takes one of a list, or counts it. */
const isListed = (node: Node, program: JqProgram): boolean =>
  nodesOfKind(program, "Pipeline").some(({ stages }) => {
    const next = stages[stages.indexOf(node as (typeof stages)[number]) + 1];
    return (
      stages.includes(node as (typeof stages)[number]) &&
      next?.kind === "Call" &&
      /^(?:last|first|length|map|max_by|min_by|sort_by)$/.test(next.name.text)
    );
  });

/** Lists that are read in pages, where the step behind the request reads the records under the list's own name. */
const listsPaged = derivedByPart(({ commands }) =>
  commands.flatMap(({ key, argument, pipe, stepsRun, parent }) => {
    const asked = key === "!http" && argument?.kind === "object" ? argument.get("pagination") : undefined;
    const path = asked === undefined ? undefined : textOf(argument, "path");
    const list = path === undefined ? undefined : nameOfPath(path.split("?")[0]!);
    const behind = parent === pipe ? pipe?.children[stepsRun + 1] : undefined;
    const text = behind?.key === "!jq" ? behind.program?.node.value : undefined;
    if (path === undefined || list === undefined || text === undefined || !reads(list, text)) return [];
    return [{ list, path, text }];
  }),
);

/** Whether a program reads a member of its input: what stands behind a name or an index is another one's. */
const reads = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w\\])?}])\\.${escapedPattern(name)}(?![\\w-])`).test(text);
