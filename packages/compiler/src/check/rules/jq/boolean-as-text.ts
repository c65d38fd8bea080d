import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const booleanAsText = defineRule<{ text: string; name: string; word: string; instead: string | undefined }>({
  id: "jq/boolean-as-text",
  severity: "warning",
  summary: "A member that a comment shows as true or false is compared with a text",
  why: 'In jq, `true` and `"true"` are two values. The comparison is the same for every record, so one of the two ways is never taken.',
  guards: ["command.!jq", "D3", "D23"],
  message: ({ text, name, word }) =>
    `\`${text}\` is the same for every record: a comment says that \`${name}\` is a boolean, and \`"${word}"\` is a text.`,
  because: ({ name, word }) => [`\`${name}\` is \`${word}\``, `it isn't \`"${word}"\``],
  help: ({ word, name, instead }) =>
    instead === undefined ? `Ask for \`.${name}\` itself.` : `Write \`${word}\` without quotation marks.`,
  fixes: ({ at, args: { instead } }, { document }) =>
    instead === undefined ? [] : rewriteTo({ at, args: { instead } }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"A person has child: false. scanned is a boolean."' },
      bad: '{"!jq": "if .child == «\\"true\\"» then null else {email: .email} end"}',
      good: '{"!jq": "if .child == true then null else {email: .email} end"}',
      fixed: '{"!jq": "if .child == true then null else {email: .email} end"}',
    },
    {
      title: "The empty text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"lines: [{sku, preorder: true or false}]"' },
      bad: '{"!jq": "{email: .email, _tags: (if any(.lines[]; .preorder != «\\"\\"») then [\\"preorder\\"] else [] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if any(.lines[]; .preorder) then [\\"preorder\\"] else [] end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [booleanAsText],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, command, diagnostics } = program;
      if (!hasComments(model) || diagnostics.length > 0 || !/[!=]=\s*"/.test(node.value)) return;
      const comments = commentsAround(node, intakesAround(command.unit));
      for (const comparison of nodesOfKind(program, "Comparison")) {
        const { left, right, operator } = comparison;
        const word = constantOf(right);
        const name = nameRead(left, program);
        if (!/^[!=]=$/.test(operator) || typeof word !== "string" || name === undefined) continue;
        // `(.is_new // "") == ""` holds where it is false.
        if (word !== "true" && word !== "false" && bare(left).kind === "Alternative") continue;
        if (makesText(left) || asksBoth(comparison, program)) continue;
        const comment = saidBoolean(name, word, comments);
        if (comment !== undefined)
          report(
            booleanAsText,
            partAt(program, right),
            {
              text: textAt(comparison, program),
              name,
              word,
              instead: word === "true" || word === "false" ? word : undefined,
            },
            [{ message: "the comment", at: comment }],
          );
      }
    },
  },
};
export default module;

/** `(.child | tostring) == "true"` */
const makesText = (left: Expression): boolean =>
  nodesIn(left).some(
    (node) =>
      (node.kind === "Call" && /^(?:tostring|tojson|ascii_downcase|ascii_upcase)$/.test(node.name.text)) ||
      node.kind === "String",
  );

/** `.child == true or .child == "true"`: the author knows of both. */
const asksBoth = (comparison: Comparison, program: JqProgram): boolean =>
  nodesOfKind(program, "Logical").some(({ operands }) => {
    const parts = operands.map(bare);
    const own = textAt(bare(comparison.left), program);
    return (
      parts.includes(comparison) &&
      parts.some((each) =>
        each.kind === "Comparison"
          ? typeof constantOf(each.right) === "boolean" && textAt(bare(each.left), program) === own
          : textAt(each, program) === own,
      )
    );
  });

/** The comment that shows a member as true or false, or calls it a boolean. */
function saidBoolean(name: string, word: string, comments: readonly StringNode[]): StringNode | undefined {
  if (!/^\w+$/.test(name)) return undefined;
  // `stays with retired true`; of another text, an `is true` may be of what that means.
  const isFlagWord = word === "true" || word === "false";
  const said = new RegExp(
    `\\b${name}["\`]?(?:${isFlagWord ? "(?::|=| =| is| are)?" : ":"} (?:true|false)\\b(?!["'])|,? (?:is |are |\\()?(?:an? )?(?:boolean|true or false)\\b)`,
  );
  const asText = new RegExp(
    `\\b${name}["\`]?:? (?:is )?["'](?:true|false)|\\b${name}\\b[^.;]{0,40}\\b(?:(?:as|in|is|are) (?:an? )?(?:texts?|strings?|words?)|text|quotes|quoted|not (?:an? )?booleans?)\\b`,
  );
  // `In the API child is true or false. The hook sends form fields, where it is a text.`
  return comments.some(({ value }) => asText.test(value) || sentAsTexts.test(value))
    ? undefined
    : comments.find(({ value }) => said.test(value));
}

/** A delivery of which all values are texts, or a word that is said to be one. */
const sentAsTexts =
  /\b(?:form(?:-encoded| fields?| values?|s)|urlencoded|query string)\b|\b(?:it|they|all|values?) (?:is|are|comes?(?: as)?) (?:an? )?(?:texts?|strings?)\b/i;
