import type { Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentOnId, commentOnShown } from "../../../flow/documented-keys.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { RuleModule } from "../../checks.ts";
import { idForPath } from "../value/member-for-id.ts";

const shownInPath = defineRule<{ expansion: string; name: string; isGuid: boolean; isById: boolean }>({
  id: "http/shown-in-path",
  severity: "warning",
  summary: "A path names a record by what, as a comment says, is for people",
  why: "Services give their records a number that people read, on paper or on a screen, and an id that requests take. With the number in its place the path leads nowhere, or to another record that has this number as its id.",
  guards: ["command.!http", "http.path", "D3", "D18"],
  message: ({ expansion, name, isGuid, isById }) =>
    isById
      ? `\`${expansion}\` stands in a path. A comment says that this request takes the id, not the \`${name}\`.`
      : isGuid
        ? `\`${expansion}\` stands in a path. A comment says that the record has a GUID as its id beside the \`${name}\`.`
        : `\`${expansion}\` stands in a path, but a comment says that \`${name}\` is for people.`,
  because: ({ name }) => [
    `the path has the \`${name}\` of the record`,
    "the request finds nothing, or another record",
  ],
  help: () => "Take the id of the record.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"_comment": "Paths want the id of a job; its number is what people read.", "!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/jobs", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/jobs/«${piped_content.1.job.number}»/release"}}]}',
      good: '{"!pipe": [{"_comment": "Paths want the id of a job; its number is what people read.", "!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/jobs", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/jobs/${piped_content.1.job.id}/release"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [shownInPath],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, syntax, node, command, position } = expansion;
      const name = syntax.path.at(-1)?.text;
      if ((position !== "path" && position !== "url") || name === undefined || command?.key !== "!http")
        return;
      if (root !== "piped_content" || syntax.path.length < 3 || !hasComments(model)) return;
      const collection = collectionOf(expansion);
      if (collection === undefined || isIdName(name)) return;
      const comments = commentsAround(node, model.api === undefined ? [] : [model.api.node]);
      // What is said of one request holds for that alone.
      const own = commentOnId(name, commentsBelow(command.node));
      const shown = own ?? commentOnShown(name, singular(collection), comments);
      const guid = shown === undefined ? comments.find(({ value }) => hasGuidBeside(name, value)) : undefined;
      const comment = shown ?? guid;
      // Where the record is shown, the id is told too.
      if (comment === undefined || (position === "path" && idForPath(expansion, model) !== undefined)) return;
      const { start, end } = syntax;
      report(
        shownInPath,
        { node, from: start, to: end },
        {
          expansion: node.value.slice(start, end),
          name,
          isGuid: guid !== undefined,
          isById: own !== undefined,
        },
        [{ message: "the comment", at: comment }],
      );
    },
  },
};
export default module;

/** `jobs` of `/jobs/${…}` and `/jobs(${…})`; undefined where an expansion is only part of a segment. */
function collectionOf({ node, syntax: { start, end } }: Expansion): string | undefined {
  const [, name] = /(?:^|\/)([A-Za-z][\w-]*)[/(]$/.exec(node.value.slice(0, start)) ?? [];
  return name !== undefined && /^(?:$|[/?#)])/.test(node.value.slice(end)) ? wordsOf(name).at(-1) : undefined;
}

/** `{QuoteId: a GUID, QuoteNumber: "Q-2025-0118"}` */
function hasGuidBeside(name: string, comment: string): boolean {
  const words = wordsOf(name);
  if (!/^(?:number|no|nr|label|title|serial|reference)$/.test(words.at(-1) ?? "")) return false;
  const [, id] = /\b(\w*[iI]d)["`]?(?::| is| are) (?:always )?an? (?:GUID|UUID)\b/.exec(comment) ?? [];
  return (
    id !== undefined &&
    new RegExp(`\\b${name}\\b`).test(comment) &&
    wordsOf(id).slice(0, -1).join() === words.slice(0, -1).join()
  );
}
