import { constantOf, memoize } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const documentedResult = defineRule<{ text: string; member: string }>({
  id: "pipeline/documented-result",
  severity: "warning",
  summary:
    "One case of a `!switch` gives the record itself, where a comment says that it has a member around it",
  why: "The steps behind read the result of whichever case was taken by that member. After this case it isn't there: every record that goes this way fails, or is written without its id.",
  guards: ["command.!switch", "command.!jq", "D3", "D26"],
  message: ({ text, member }) =>
    `A comment says that the result has \`${member}\`, but this case gives \`${text}\`, which is the record itself.`,
  because: ({ text, member }) => [
    `the other case gives \`{${member}: …}\``,
    `this one gives what is in it: \`.${member}\` of \`${text}\` is null`,
  ],
  help: ({ text, member }) => `Write \`{${member}: ${text}}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!pipe/1",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person_id": "${piped_content.2.person.id}"}}}]}',
      },
      bad: '{"_comment": "Either way the result is {person: {id}}.", "!switch": {"jq": "if .people == [] then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "«.people[0]»"}]}}',
      good: '{"_comment": "Either way the result is {person: {id}}.", "!switch": {"jq": "if .people == [] then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{person: .people[0]}"}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedResult],
  checks: {
    command: {
      "!switch"({ node, children }, report, model) {
        if (!hasComments(model)) return;
        const said = commentsOf(node);
        const members = new Set(said.flatMap(resultsIn));
        if (members.size !== 1) return;
        const [member] = members as ReadonlySet<string> & Iterable<string>;
        for (const each of children) {
          const program = each?.key === "!jq" ? each.program : undefined;
          if (program === undefined || program.diagnostics.length > 0) continue;
          const taken = recordTaken(program);
          if (taken !== undefined && member !== undefined && singular(taken) === singular(member)) {
            const body = plainBody(program);
            report(documentedResult, partAt(program, body), { text: textAt(body, program), member });
          }
        }
      },
    },
  },
};
export default module;

/** `people` of a program that is `.people[0]` and no more. */
function recordTaken(program: JqProgram): string | undefined {
  const body = plainBody(program);
  if (body.kind !== "Postfix" || body.head.kind !== "Identity") return undefined;
  const [list, index] = body.suffixes.slice(-2);
  return list?.kind === "Field" &&
    list.key.kind === "Name" &&
    index?.kind === "Index" &&
    constantOf(index.index) === 0
    ? list.key.text
    : undefined;
}

function commentsOf(object: ObjectNode): readonly string[] {
  const comment = object.get("_comment");
  if (comment?.kind === "string") return [comment.value];
  return comment?.kind === "array"
    ? comment.items.flatMap((item) => (item.kind === "string" ? [item.value] : []))
    : [];
}

const ofAll =
  /\b(?:either (?:way|case|one)|both (?:cases|answers|ways|calls|branches)?|all (?:cases|three|answers|ways)|(?:in )?(?:any|every|each) case|whichever|the result)\b[^.;{}]{0,60}\{\s*["`]?([A-Za-z_]\w*)["`]?\s*[:}]/gi;

/** `Either way the result is {customer: {id}}`, `Both answer {member: {id}}` */
const resultsIn: (text: string) => readonly string[] = memoize(
  (text) => [...text.matchAll(ofAll)].map(([, name]) => name!),
  200,
);
