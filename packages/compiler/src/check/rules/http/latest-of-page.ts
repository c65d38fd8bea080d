import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentedBelow, commentsAround } from "../../../flow/documented-words.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { hasMember } from "./at.ts";
import { listsRead } from "./pagination.ts";

const latestOfPage = defineRule<{ text: string; path: string }>({
  id: "http/latest-of-page",
  severity: "warning",
  summary: "The latest or greatest of a list is chosen from its first page",
  why: "Without `pagination`, a request gives the first page. The record that is greatest there needn't be that of the whole list: with more records than a page has, an old one is taken.",
  guards: ["command.!http", "http.pagination", "D22"],
  message: ({ text, path }) =>
    `\`${text}\` takes one of all, but \`${path}\` is read without \`pagination\`, which other lists have.`,
  because: () => [
    "the list has more records than a page",
    "the latest is on page 2: it isn't among those compared",
  ],
  help: () => 'Add `"pagination": true` to the request.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/api/pagination":
          '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.lists[] | {display: .name, value: .id}]"}]}',
        "/workflows/0/setup/map/describe_target/options":
          '{"!pipe": [{"!http": {"path": "/fields", "pagination": true}}, {"!jq": "[.fields[] | {title: .name, id: .id}] + [{title: \\"Email\\", id: \\"email\\"}]"}]}',
      },
      bad: '{"!pipe": [{"!http": {«"path"»: "/orders", "params": {"paid": true}}}, {"!jq": "{order: (.orders | max_by(.paid_at))}"}, {"!http": {"method": "PUT", "path": "/orders/${piped_content.2.order.id}", "body": {"note": "seen"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/orders", "params": {"paid": true}, "pagination": true}}, {"!jq": "{order: (.orders | max_by(.paid_at))}"}, {"!http": {"method": "PUT", "path": "/orders/${piped_content.2.order.id}", "body": {"note": "seen"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [latestOfPage],
  checks: {
    document(model, report) {
      if (model.api === undefined || !hasMember(model.api.node, "pagination")) return;
      const found = chosenOfPage(model);
      if (found.length === 0) return;
      // Where other lists are read without pages too, their author knows that they are short.
      const { paged, unpaged } = listsRead(model);
      if (paged < 2 || unpaged > found.length) return;
      for (const { at, ...args } of found) report(latestOfPage, at, args);
    },
  },
};
export default module;

const chosenOfPage = derivedByPart(({ programs }) =>
  programs.flatMap(
    (program): readonly { readonly at: Location; readonly text: string; readonly path: string }[] => {
      if (!program.node.value.includes("max_by") || program.diagnostics.length > 0) return [];
      const { command } = program;
      const request =
        command.key === "!jq" && command.place.polling !== true ? stepBefore(command) : undefined;
      const path = request === undefined || isShort(request) ? undefined : unpagedList(request);
      const chosen = path === undefined ? undefined : greatestOf(program);
      return path === undefined || chosen === undefined
        ? []
        : [{ at: path.at, path: path.text, text: excerpt(textAt(chosen, program), 50) }];
    },
  ),
);

/** Whether a list has few records by its name, or a comment says that it does, or in which order they come. */
const isShort = ({ node, argument }: Command): boolean =>
  ofFew.test((textOf(argument, "path") ?? "").replace(/\/$/, "").split("/").at(-1) ?? "") ||
  commentsAround(node, commentedBelow(node)).some(({ value }) => saysShort.test(value));
const ofFew =
  /^(?:.*[_-])?(?:branches|campuses|categories|channels|classes|currencies|grades|kinds|languages|levels|periods|phases|plans|prices|priorities|rates|roles|seasons|semesters|sizes|stages|states|statuses|steps|tariffs|taxes|terms|tiers|types|versions|years|zones)$/i;
const saysShort =
  /\b(?:newest|latest|most recent|last)\b[^.;]{0,30}\bfirst\b|\b(?:all at once|in one (?:answer|page|piece)|(?:no|one|single|without|never|not) (?:more )?(?:pages?|paged|paginated|pagination)|isn't paged|aren't paged|at most|no more than|few|short list|only (?:the )?(?:last|latest|newest))\b/i;

/** A GET of a list that says neither how many nor which part of it. */
function unpagedList({ key, argument }: Command) {
  if (key !== "!http" || argument?.kind !== "object" || hasMember(argument, "pagination")) return undefined;
  const [path, method, params] = [argument.member("path"), argument.get("method"), argument.get("params")];
  if (path?.value?.kind !== "string" || !/\/?[a-z][\w-]*s\/?$/i.test(path.value.value)) return undefined;
  if (method !== undefined && !(method.kind === "string" && /^get$/i.test(method.value))) return undefined;
  if (params !== undefined && params.kind !== "object") return undefined;
  const isCut = params?.members.some(({ name }) =>
    /limit|size|count|per|page|top|max|first|last|latest|from|to$|until|since|before|after|order|sort|rows|take/i.test(
      name,
    ),
  );
  return isCut === true ? undefined : { at: path.key, text: path.value.value };
}

/** `.jobs | map(select(.done)) | max_by(.at)`, of a list that the whole answer has. */
function greatestOf(program: JqProgram): Expression | undefined {
  return nodesOfKind(program, "Pipeline").find(({ stages }) => {
    const [first, ...rest] = stages;
    const last = rest.at(-1);
    if (first === undefined || !isExpression(first) || last?.kind !== "Call" || last.name.text !== "max_by")
      return false;
    const between = rest.slice(0, -1);
    const read = bare(first);
    return (
      between.every((stage) => stage.kind === "Call" && stage.name.text === "map") &&
      read.kind === "Postfix" &&
      read.head.kind === "Identity" &&
      read.suffixes.length === 1 &&
      read.suffixes[0]?.kind === "Field" &&
      !isBehind(read, program)
    );
  });
}

/** Whether what stands before makes the input another one. */
const isBehind = (node: Expression, { node: { value } }: JqProgram): boolean =>
  /\|\s*\(?\s*$/.test(value.slice(0, node.start));
