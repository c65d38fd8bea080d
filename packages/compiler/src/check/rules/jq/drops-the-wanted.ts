import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { chosenIn } from "../../../flow/chosen-comparisons.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, isExpression, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const dropsTheChosen = defineRule<{ id: string; text: string }>({
  id: "jq/drops-the-chosen",
  severity: "warning",
  summary: "Just the records that a customer chose are left out",
  why: "Where nothing is chosen, nothing is found in the list: to ask first whether it is empty changes nothing then. It is needed where the records that aren't in the list are left out. So the condition is most likely the wrong way round.",
  guards: ["D12", "D23", "D35"],
  message: ({ id, text }) =>
    `\`${text}\` leaves out the records that were chosen in \`${id}\`, and keeps all others.`,
  because: ({ id }) => [
    `a customer chooses “paid” in \`${id}\`: paid records give null`,
    "without a choice nothing is found, so the question whether there is one is idle",
  ],
  help: () => "Turn the second comparison round.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source/!jq",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "States", "id": "states", "type": "multiselect", "options": [{"display": "Paid", "value": "paid"}, {"display": "Open", "value": "open"}]}',
      },
      bad: '"${custom_data.states.value} as $states | if («($states | length) > 0 and (.state | IN($states[]))») then null else {email: .email} end"',
      good: '"${custom_data.states.value} as $states | if ($states | length) > 0 and (.state | IN($states[]) | not) then null else {email: .email} end"',
    },
  ],
});

const dropsConsent = defineRule<{ text: string; name: string }>({
  id: "jq/drops-consent",
  severity: "warning",
  summary: "Those who agreed are left out",
  why: "A consent is asked for so that those who didn't give it aren't written to. Where it leaves out those who did, all others arrive, against what they said.",
  guards: ["D23", "D35"],
  message: ({ text, name }) => `\`${text}\` leaves out those whose \`${name}\` is true.`,
  because: ({ name }) => [`\`${name}\` is true: the record gives null`, "who didn't agree arrives"],
  help: ({ name }) => `Leave out those whose \`${name}\` isn't true: \`!= true\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source/!jq",
      bad: '"if «.mail_allowed == true» or .email == null then null else {email: .email} end"',
      good: '"if .mail_allowed != true or .email == null then null else {email: .email} end"',
    },
  ],
});

const module: RuleModule = {
  rules: [dropsTheChosen, dropsConsent],
  checks: {
    reach: "linked",
    program(program, report) {
      const { node, command, diagnostics } = program;
      if (command.place.name !== "data_pipeline.source" || diagnostics.length > 0) return;
      if (!/\bthen\s+(?:null|empty)\b/.test(node.value)) return;
      for (const { branches } of nodesOfKind(program, "If"))
        for (const { condition, body } of branches) {
          if (!isNothing(body)) continue;
          for (const way of waysIn(condition)) {
            const at = { node, from: way.start, to: way.end };
            const text = excerpt(node.value.slice(way.start, way.end));
            const field = chosenLeftOut(way, program);
            if (field !== undefined) report(dropsTheChosen, at, { id: field.id ?? "", text });
            const name = consentIn(way);
            if (name !== undefined && !isSaidToDrop(program)) report(dropsConsent, at, { text, name });
          }
        }
    },
  },
};
export default module;

/** Nothing arrives of the record. */
function isNothing(body: Expression): boolean {
  const inner = bare(body);
  return constantOf(inner) === null || (inner.kind === "Call" && inner.name.text === "empty");
}

/** Each condition that is enough by itself. */
function waysIn(condition: Expression): readonly Expression[] {
  const node = bare(condition);
  return node.kind === "Logical" && node.operator === "or" ? node.operands.flatMap(waysIn) : [node];
}

const isChosen = ({ root, syntax }: Expansion): boolean =>
  root === "custom_data" && syntax.path[2]?.text === "value";

/** The field of which something is chosen, and what is chosen is left out. */
function chosenLeftOut(way: Expression, program: JqProgram): FieldSymbol | undefined {
  if (way.kind !== "Logical" || way.operator !== "and" || way.operands.length !== 2) return undefined;
  const [first, second] = way.operands.map(bare) as [Expression, Expression];
  const field = countedIn(first, program);
  return field !== undefined && foundIn(second, program) === field && !isForLeavingOut(field)
    ? field
    : undefined;
}

/** `(LIST | length) > 0`, `LIST != []` */
function countedIn(node: Expression, program: JqProgram): FieldSymbol | undefined {
  if (node.kind !== "Comparison") return undefined;
  const left = bare(node.left);
  const right = bare(node.right);
  const isEmptyList = right.kind === "Array" && right.body === undefined;
  if (node.operator === "!=" && isEmptyList) return fieldOf(left, program);
  if (left.kind !== "Pipeline" || left.stages.length !== 2 || constantOf(node.right) !== 0) return undefined;
  const [list, last] = left.stages;
  const isCount = last?.kind === "Call" && last.name.text === "length";
  const isSome = node.operator === ">" || node.operator === "!=";
  return isCount && isSome && list !== undefined && isExpression(list) ? fieldOf(list, program) : undefined;
}

/** `LIST | index(.state)`, as it is or `!= null`; `.state | IN(LIST[])` */
function foundIn(node: Expression, program: JqProgram): FieldSymbol | undefined {
  if (node.kind === "Comparison")
    return node.operator === "!=" && constantOf(node.right) === null
      ? foundIn(bare(node.left), program)
      : undefined;
  if (node.kind !== "Pipeline" || node.stages.length !== 2) return undefined;
  const [list, last] = node.stages;
  if (last?.kind !== "Call" || list === undefined || !isExpression(list) || last.arguments.length !== 1)
    return undefined;
  if (last.name.text === "index") return fieldOf(list, program);
  return last.name.text === "IN" ? fieldOf(last.arguments[0]!, program) : undefined;
}

function fieldOf(list: Expression, program: JqProgram): FieldSymbol | undefined {
  const node = bare(list);
  // A list that stands in for nothing: `if . == "" then [] else . end`.
  const chosen = chosenIn(node, program, isChosen) ?? onlyHole(node, program);
  const [field, ...others] = chosen?.fields ?? [];
  return others.length === 0 && field?.type === "multiselect" ? field : undefined;
}

/** The expansion of a variable that is bound to a choice between it and nothing. */
function onlyHole(node: Expression, program: JqProgram): Expansion | undefined {
  if (node.kind !== "Variable") return undefined;
  const source = boundTo(program, node);
  if (source === undefined) return undefined;
  const holes = nodesIn(source).flatMap((each) =>
    each.kind === "Hole" ? (program.holes[each.hole] ?? []) : [],
  );
  const paths = new Set(holes.map(({ syntax }) => syntax.path.map(({ text }) => text).join(".")));
  return paths.size === 1 && isChosen(holes[0]!) ? holes[0] : undefined;
}

const leavingOut =
  /(?<!\p{L})(?:exclud\p{L}*|skip\p{L}*|except\p{L}*|without|not|don't|never|ignor\p{L}*|leave out|left out|omit\p{L}*|block\p{L}*|hide|hidden|unwanted|drop\p{L}*|other than|remove\p{L}*|but|suppress\p{L}*|filter(?:ed)? out|already|known|opt(?:ed)? out|mut(?:e|ed)|discard\p{L}*|reject\p{L}*|prevent\p{L}*|deny|denied|denylist|blacklist|ausschl\p{L}*|ausgeschl\p{L}*|ausgenommen|nicht|ohne|keine?|kein|au(?:ß|ss)er|weglassen|überspringen|sauf|sans|pas|exclu\p{L}*|excepto|sin|omitir|salvo|tranne|senza|escl\p{L}*|niet|geen|zonder|uitgezonderd)(?!\p{L})/iu;

/** Whether a field asks which records are to be left out. */
const isForLeavingOut = ({ node, id = "" }: FieldSymbol): boolean =>
  leavingOut.test(
    `${textOf(node, "label") ?? ""} ${id.replaceAll(/[-_]/g, " ")} ${textOf(node, "help_text") ?? ""}`,
  );

const consent =
  /(?:^|_)(?:allowed|consent|consented|opt_?in|optIn|opted_in|agreed|permitted)$|[a-z](?:Allowed|Consent|OptIn|OptedIn|Agreed)$/;

/** A member that says that somebody agreed, and is asked to be true. */
function consentIn(way: Expression): string | undefined {
  const asked =
    way.kind === "Comparison" && way.operator === "==" && constantOf(way.right) === true
      ? bare(way.left)
      : way;
  const last = asked.kind === "Postfix" ? asked.suffixes.at(-1) : undefined;
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return name !== undefined && consent.test(name) && !isLack.test(name) ? name : undefined;
}

/** `no_mail_allowed`, `needs_consent`: who has that hasn't agreed. */
const isLack =
  /(?:^|_)(?:no|not|non|needs?|without|lacks?|missing|requires?|awaits?|awaiting|un|never|dis)_|^(?:no|not|needs?|without|lacks?|requires?|awaits?)[A-Z]/;

/** Whether a comment says that others are wanted: `Who has opted in is in the newsletter already. This imports the others.` */
const isSaidToDrop = ({ node }: JqProgram): boolean =>
  commentsAround(node, []).some(({ value }) => /\b(?:already|the others)\b/i.test(value));
