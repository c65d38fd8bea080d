import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, countedBy, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { outcomeOf, type Way, waysOf } from "./branch-ways.ts";
import { oneAsNoneIn } from "./one-as-none.ts";

type Reason = "none" | "refusal" | "choice" | "found";

const oneCountsAsNone = defineRule<{
  text: string;
  list: string;
  reason: Reason;
  message: string;
  /** What asks for one or more, where that is certain. */
  instead: string | undefined;
}>({
  id: "jq/one-counts-as-none",
  severity: "warning",
  summary: "A list of one is taken for an empty one",
  why: "Whether something was found, chosen or refused is whether its list has an item. A list with one item has one, too: with a limit of 1 instead of 0, the one record that was found counts as none, and the one refusal as success.",
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ text, list, reason, message }) =>
    reason === "none"
      ? `\`${text}\`: where \`${list}\` has one item, this ends with “${message}”.`
      : reason === "found"
        ? `Where \`${list}\` has one record, \`${text}\` sends it the way on which that isn't read.`
        : reason === "refusal"
          ? `\`${text}\`: where \`${list}\` has one item, it counts as none.`
          : `\`${text}\`: where a customer chose one item of \`${list}\`, the choice isn't looked at.`,
  because: ({ list, reason }) => [
    `\`${list}\` has one item`,
    reason === "none"
      ? "it is taken for none"
      : reason === "found"
        ? `the way with \`${list}[0]\` isn't taken`
        : reason === "refusal"
          ? "what was refused counts as done"
          : "everything goes on, as if nothing was chosen",
  ],
  help: ({ instead }) => (instead === undefined ? "Compare with 0." : `Write \`${instead}\`.`),
  fixes: ({ at, args: { instead } }, { document }) =>
    "from" in at && instead !== undefined ? [changeInString(document, at, instead, false)] : [],
  examples: [
    {
      title: "Found, and not read",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if («.people | length == 1») then 0 else 1 end", "cases": [{"!error": "Nobody has this email address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.id}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length == 0) then 0 else 1 end", "cases": [{"!error": "Nobody has this email address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.id}"}}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length == 0) then 0 else 1 end", "cases": [{"!error": "Nobody has this email address."}, {"!jq": "{id: .people[0].id}"}]}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.id}"}}]}',
    },
    {
      title: "Found",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "if «(.people | length) > 1» then {id: .people[0].id} else error(\\"Nobody has this email address.\\") end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "if (.people | length) > 0 then {id: .people[0].id} else error(\\"Nobody has this email address.\\") end"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.2}"}}]}',
    },
    {
      title: "Refused",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/x", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if «(.errors // [] | length) > 1» then error(\\"refused\\") else . end"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/x", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "if (.errors // [] | length) > 0 then error(\\"refused\\") else . end"}]}',
    },
    {
      title: "Chosen",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "kinds", "label": "Kinds", "type": "multiselect", "options": [{"display": "New", "value": "new"}, {"display": "Old", "value": "old"}]}',
      },
      bad: '{"!jq": "${custom_data.kinds.value} as $kinds | .kind as $kind | if «($kinds | length) > 1» and ($kinds | index($kind)) == null then null else {email: .email} end"}',
      good: '{"!jq": "${custom_data.kinds.value} as $kinds | .kind as $kind | if ($kinds | length) > 0 and ($kinds | index($kind)) == null then null else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [oneCountsAsNone],
  checks: {
    program(program, report, model) {
      const { value } = program.node;
      if (!value.includes("length") || !/[<>=]=?\s*[12]\b/.test(value)) return;
      const found = oneAsNoneIn(program, model);
      for (const { text, name, instead, at } of found)
        report(oneCountsAsNone, at, { text, list: name, reason: "found", message: "", instead });
      const told = (at: Expression, list: Expression, reason: Reason, message = ""): void => {
        if (found.some((each) => each.at.from === at.start)) return;
        const [text, name] = [at, list].map((each) => excerpt(textAt(each, program), 50));
        report(oneCountsAsNone, partAt(program, at), {
          text: text!,
          list: name!,
          reason,
          message,
          instead: undefined,
        });
      };
      for (const node of nodesOfKind(program, "If")) {
        for (const [index, { condition }] of node.branches.entries()) {
          const limit = limitIn(condition);
          if (limit === undefined) continue;
          const ways = waysOf(node, program);
          const [own, other] = [ways[index], index === node.branches.length - 1 ? ways.at(-1) : undefined];
          const ofOne = limit.holdsForOne ? own : other;
          const message = ofOne === undefined ? undefined : saysNone(ofOne, program);
          // The first row of a sheet is its header.
          if (message !== undefined && /\[1:?\]/.test(program.node.value)) continue;
          if (message !== undefined) told(condition, limit.list, "none", excerpt(message, 60));
          else if (limit.asksForMany && isRefusal(limit.list, program))
            told(condition, limit.list, "refusal");
        }
      }
      for (const { operator, operands } of nodesOfKind(program, "Logical")) {
        const [first, second] = operator === "and" ? operands : [];
        const limit = first === undefined ? undefined : limitIn(first);
        if (limit?.asksForMany !== true || second === undefined) continue;
        const list = textAt(limit.list, program);
        if (looksInto(second, list, program)) told(first!, limit.list, "choice");
      }
    },
  },
};
export default module;

interface Limit {
  readonly list: Expression;
  /** Whether it tells a list of one from those with more, and takes it for an empty one. */
  readonly asksForMany: boolean;
  readonly holdsForOne: boolean;
}

/** `(.people | length) > 1`, and what else puts a list of one apart from those that have more or less. */
function limitIn(condition: Expression): Limit | undefined {
  const node = bare(condition);
  const number = node.kind === "Comparison" ? constantOf(node.right) : undefined;
  if (node.kind !== "Comparison" || (number !== 1 && number !== 2)) return undefined;
  const list = countedBy(node.left) ?? sumOfLengths(node.left);
  if (list === undefined) return undefined;
  const { operator } = node as Comparison;
  const asksForMany = number === 1 ? operator === ">" : operator === ">=";
  const isOne = number === 1 && (operator === "==" || operator === "<=");
  const isFew = number === 2 && operator === "<";
  return asksForMany || isOne || isFew ? { list, asksForMany, holdsForOne: !asksForMany } : undefined;
}

/** `(.errors // [] | length) + (.data.add.userErrors | length)` */
function sumOfLengths(node: Expression): Expression | undefined {
  const inner = bare(node);
  if (inner.kind !== "Arithmetic" || inner.rest.some(({ operator }) => operator !== "+")) return undefined;
  const all = [inner.first, ...inner.rest.map(({ operand }) => operand)];
  return all.every((each) => countedBy(each) !== undefined) ? countedBy(all[0]!) : undefined;
}

/** The message of an error that says that nothing was found; of one about several, a list of one is no matter. */
function saysNone(way: Way, program: JqProgram): string | undefined {
  const outcome = outcomeOf(way, program);
  if (outcome.kind !== "error") return undefined;
  const message = outcome.message.replace(/^"|"$/g, "");
  const isNone =
    /\b(?:nobody|nothing|none|not found|unknown|knows? no|has no|there (?:is|are) no|no such|doesn['’]t (?:know|have)|isn['’]t (?:a|known)|is(?: not|n['’]t) (?:a|the|in))\b|^no\b/i;
  return isNone.test(message) &&
    !/\b(?:one|several|more than|only|both|two|many|enough|already|other|others|else|second|another|double|pairs?|headers?|header row|but|more|left|alone|remaining)\b/i.test(
      message,
    )
    ? message
    : undefined;
}

/** A list of what went wrong, by its name. */
const isRefusal = (list: Expression, program: JqProgram): boolean =>
  /(?:^|[._])(?:\w*[a-z])?(?:errors|refusals|failures|problems)\b/i.test(textAt(list, program));

/** Whether an operand asks what is in that list. */
function looksInto(operand: Expression, list: string, program: JqProgram): boolean {
  const text = textAt(operand, program);
  return /\b(?:index|any|all|IN|contains|inside)\b/.test(text) && list.length > 1 && text.includes(list);
}
