import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { lastName, onlyOutcome, resolved, writtenAs } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../words.ts";

const reversedIterate = defineRule<{ text: string; told: string; instead: string; asks: boolean }>({
  id: "polling/reversed-iterate",
  severity: "warning",
  summary: "`iterate` is reversed: true at the end, false before it",
  why: "`iterate` says whether another page is to be fetched. The wrong way round, the cycle ends after the first of several pages, and everything behind it never arrives; after a last page it asks on.",
  guards: ["polling.iterate", "D33"],
  message: ({ text, told, asks }) =>
    asks
      ? `\`${text}\` asks on where \`${told}\` says that there is nothing more, and stops where there is.`
      : `\`${text}\` is true where the next request has no \`${told}\` to ask with, and false where it has one.`,
  because: () => ["page 1 of 2: there is more, `iterate` is false", "page 2 is never asked for"],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      title: "A token that is there",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
        "/data_intake/0/pre_poll": '{"!jq": "{polling_state: ${polling_state}}"}',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: («.next == null»), polling_state: {cursor: .next}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: (.next != null), polling_state: {cursor: .next}}"}]',
      fixed:
        '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: (.next != null), polling_state: {cursor: .next}}"}]',
    },
    {
      title: "A flag",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: («.has_more | not»), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      fixed:
        '"{results: .items, iterate: (.has_more), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [
    {
      title: `Change to \`${instead}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
    },
  ],
});

const module: RuleModule = {
  rules: [reversedIterate],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const found = reversedIn(intake, model);
      if (found === undefined) return;
      const { program, value, ...args } = found;
      const text = excerpt(program.node.value.slice(value.start, value.end), 40);
      report(reversedIterate, { node: program.node, from: value.start, to: value.end }, { text, ...args });
    },
  },
};
export default module;

interface Reversed {
  readonly program: JqProgram;
  readonly value: Expression;
  readonly told: string;
  readonly instead: string;
  readonly asks: boolean;
}

function reversedIn(intake: IntakeSymbol, model: Model): Reversed | undefined {
  const request = intake.commands.get("request");
  const outcome = onlyOutcome(intake, model);
  if (request === undefined || outcome === undefined) return undefined;
  const { program } = outcome;
  const value = resolved(outcome.members.get("iterate"), program);
  if (value === undefined) return undefined;
  const flag = reversedFlag(value, program);
  if (flag !== undefined) return { program, value, ...flag, asks: true };
  if (value.kind !== "Comparison" || value.operator !== "==" || constantOf(value.right) !== null)
    return undefined;
  const token = writtenAs(value.left, program);
  const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
  for (const { keys } of stateWritesOf(request, model) ?? [])
    for (const [key, written] of keys)
      if (sent.has(key) && firstChoice(written, program) === token)
        return { program, value, told: key, instead: `${token} != null`, asks: false };
  return undefined;
}

/** `.next` of `.next // null`, as it is written. */
function firstChoice(node: Expression, program: JqProgram): string {
  if (node.kind === "Group") return firstChoice(node.body, program);
  const first = node.kind === "Alternative" ? node.operands[0] : node;
  return first === undefined ? "" : writtenAs(first, program);
}

/** `.has_more` says that there is more, `.is_last` that there isn't. */
const more = /^(?:has|have|is)?_?(?:more|next|next_?page)(?:_(?:pages|items|results|data|records))?$/i;
const last = /^(?:is_?)?(?:last(?:_?page)?|done|finished|complete[d]?|end)$/i;

/** A flag whose opposite is asked. */
function reversedFlag(
  node: Expression,
  program: JqProgram,
): { readonly told: string; readonly instead: string } | undefined {
  const [flag, negated] = asFlag(node);
  if (flag === undefined) return undefined;
  const name = lastName(flag);
  if (name === undefined) return undefined;
  const text = writtenAs(flag, program);
  // `.next` is a token more often than a flag: only what says so by its name counts as one.
  if (negated && more.test(name) && /more|has|is/i.test(name)) return { told: text, instead: text };
  return !negated && last.test(name) ? { told: text, instead: `${text} | not` } : undefined;
}

/** What is asked for being true, and whether it is asked for not being so. */
function asFlag(node: Expression): readonly [Expression | undefined, boolean] {
  if (node.kind === "Group") return asFlag(node.body);
  if (node.kind === "Postfix") return [node, false];
  if (node.kind === "Pipeline" && node.stages.length === 2) {
    const [flag, not] = node.stages as [Expression, Expression];
    return not.kind === "Call" && not.name.text === "not" ? [flag, true] : [undefined, false];
  }
  if (node.kind !== "Comparison" || (node.operator !== "==" && node.operator !== "!="))
    return [undefined, false];
  const value = constantOf(node.right);
  return typeof value === "boolean" ? [node.left, (node.operator === "==") !== value] : [undefined, false];
}
