import { escapedPattern } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { commentsAt, hasComments } from "../../../flow/documented-words.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { casesByOption } from "./exchanged-cases.ts";

const otherOrder = defineRule<{ word: string; own: number; said: number }>({
  id: "command/other-order",
  severity: "warning",
  summary: "The words that lead to the cases stand in another order than a comment says",
  why: "The place of a word in a list, or its number in a table, decides which case of a `!switch` runs. Where the comment on the switch names the same words in another order, two of them lead to each other's cases, and nothing fails.",
  guards: ["command.!switch", "D26"],
  message: ({ word, own, said }) =>
    `\`${word}\` leads to case ${own}, but in the comment's order it is case ${said}.`,
  because: ({ word, own, said }) => [
    `\`${word}\`: case ${own} runs`,
    `the comment names the words in the order of the cases: \`${word}\` is number ${said}`,
  ],
  help: () => "Write the words in the order of the cases.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Channel", "id": "channel", "type": "dropdown", "options": [{"display": "Text message", "value": "sms"}, {"display": "E-mail", "value": "mail"}, {"display": "Letter", "value": "post"}]}',
      },
      bad: '{"_comment": "In this order: sms, mail, post.", "!switch": {"jq": "«[\\"mail\\", \\"sms\\", \\"post\\"]» | index(${custom_data.channel.value})", "cases": [{"!http": {"method": "POST", "path": "/a", "body": {"to": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/b", "body": {"to": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/c", "body": {"to": "${piped_content.0.email}"}}}]}}',
      good: '{"_comment": "In this order: sms, mail, post.", "!switch": {"jq": "[\\"sms\\", \\"mail\\", \\"post\\"] | index(${custom_data.channel.value})", "cases": [{"!http": {"method": "POST", "path": "/a", "body": {"to": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/b", "body": {"to": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/c", "body": {"to": "${piped_content.0.email}"}}}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherOrder],
  checks: {
    command: {
      "!switch"({ node, argument, program, children, unit }, report, model) {
        if (program === undefined || program.diagnostics.length > 0 || children.length < 2) return;
        if (!hasComments(model)) return;
        const comments = [node, argument].flatMap((each) =>
          each?.kind === "object" ? commentsAt(each) : [],
        );
        const found = comments.length === 0 ? undefined : casesByOption(program);
        if (found === undefined) return;
        // Cases as they come: of a table `{b: 1, a: 0}` that is a, then b.
        const cases = [...found.cases].sort(([, one], [, other]) => one - other);
        if (cases.length < 2 || cases.some(([, number], at) => number !== at)) return;
        const words = cases.map(([word]) => word);
        for (const comment of comments) {
          const said = orderSaid(words, comment);
          const at = said === undefined ? -1 : words.findIndex((word, index) => said.words[index] !== word);
          if (said === undefined || at < 0) continue;
          const fields = unit?.kind === "workflow" ? unit.fields : [];
          // Words may be named in any order, unless the comment speaks of it, or customers are offered them in the same one.
          const isOffered = fields.some(
            (field) =>
              staticOptions(field)
                .map(({ value }) => value)
                .filter((value) => words.includes(value))
                .join() === said.words.join(),
          );
          if (!said.isOrder && !isOffered) continue;
          const word = words[at]!;
          const place = { node: program.node, from: found.at.start, to: found.at.end };
          report(otherOrder, place, { word, own: at, said: said.words.indexOf(word) }, [
            { message: "the comment", at: comment },
          ]);
          return;
        }
      },
    },
  },
};
export default module;

const ofWords =
  /\b(?:is|are|be|one of|any of|either|among|between|from|has|have|offers?|offered|shows?|chooses?|choose|chosen|picks?|select\w*|takes?|knows?|accepts?|allows?|values?|options?|choices?|words?)(?: (?:the|as|either|one of))?[:=]? ?["'`]?$/i;
/** An order in which something else goes on, and what holds in each case. */
const ofOthers =
  /\b(?:all|any|both|each|every|most|no|these) cases?\b|\b(?:service|api|server|they|tries|try|tried|falls? back|asks?|prefers?|ranks?|sorts?|sorted|listed|shows?|shown|offers?|offered|form|field|dropdown|customers?)\b[^.;]{0,40}\border\b/i;

/** The order in which a comment names just these words, one behind the other, and whether it says that it is one. */
function orderSaid(words: readonly string[], { value: text }: StringNode) {
  const any = `(?<![\\w-])(?:${words.map(escapedPattern).join("|")})(?![\\w-])`;
  const between = `["'\`]?(?:,? (?:and |or |then |and then )?|\\s?[|/]\\s?)["'\`]?`;
  const list = new RegExp(`${any}(?:${between}${any}){${words.length - 1}}`).exec(text);
  const named: readonly string[] = list?.[0].match(new RegExp(any, "g")) ?? [];
  if (list === null || new Set(named).size < words.length) return undefined;
  const before = text.slice(Math.max(0, list.index - 60), list.index);
  // `note is sms, mail or post`, `customers may choose sms or mail`: what there is.
  if (ofWords.test(before)) return undefined;
  if (ofOthers.test(before)) return undefined;
  const isOrder = /\b(?:in (?:this|that|the same) order|cases?)\b[^.;]{0,30}$/i.test(before);
  return { words: named, isOrder };
}
