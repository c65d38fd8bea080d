import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { fieldOf } from "../../../flow/field-of.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const allForAny = defineRule<{ text: string; isHash: boolean; instead: string }>({
  id: "jq/all-for-any",
  severity: "warning",
  summary: "All items of a list are asked to be one value, where one of them should be it",
  why: "A list of choices, or of signatures, has items that differ from each other. They are never all the same value, so as soon as there are two the condition fails: nothing passes that was chosen, or no delivery is taken while a secret is being changed.",
  guards: ["command.!jq", "field.type", "D12", "D23"],
  message: ({ text, isHash }) =>
    `\`${text}\` holds only if ${isHash ? "each signature that is sent equals the hash" : "nothing else was chosen"}.`,
  because: ({ isHash }) => [
    isHash ? "two signatures are sent, one of them with another secret" : "a customer chooses two options",
    "one of the two is another value: the condition fails",
  ],
  help: () => "Use `any`.",
  fixes: (finding, { document }) => rewriteTo(finding, document),
  examples: [
    {
      title: "D12: a multiselect",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Kinds", "id": "kinds", "type": "multiselect", "options": [{"display": "Desk", "value": "desk"}, {"display": "Room", "value": "room"}]}',
      },
      bad: '{"!jq": ".kind as $kind | if «all»(${custom_data.kinds.value}[]; . == $kind) then {email: .email} else null end"}',
      good: '{"!jq": ".kind as $kind | if any(${custom_data.kinds.value}[]; . == $kind) then {email: .email} else null end"}',
      fixed:
        '{"!jq": ".kind as $kind | if any(${custom_data.kinds.value}[]; . == $kind) then {email: .email} else null end"}',
    },
    {
      title: "D26: the signatures of a delivery",
      also: ["intake/refuses-genuine"],
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": ".hash as $hash | if (${piped_content.0.headers.x-signatures} | split(\\",\\") | «all»(. == $hash)) then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": ".hash as $hash | if (${piped_content.0.headers.x-signatures} | split(\\",\\") | any(. == $hash)) then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": ".hash as $hash | if (${piped_content.0.headers.x-signatures} | split(\\",\\") | any(. == $hash)) then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [allForAny],
  checks: {
    program(program, report) {
      if (!/\ball\b/.test(program.node.value) || program.diagnostics.length > 0) return;
      for (const { name, arguments: given, start, end } of nodesOfKind(program, "Call")) {
        const condition = name.text === "all" ? given.at(-1) : undefined;
        const other = condition === undefined ? undefined : sameForAll(condition);
        if (other === undefined) continue;
        const list = given.length === 2 ? given[0] : undefined;
        const isHash = isOfHash(other, program);
        if (!isHash && (list === undefined || !isChosenList(list, program))) continue;
        const at = { node: program.node, from: name.start, to: name.end };
        const text = excerpt(program.node.value.slice(start, end), 50);
        report(allForAny, at, { text, isHash, instead: "any" });
      }
    },
  },
};
export default module;

/** What `. == $kind` compares each item with, if it is no constant. */
function sameForAll(given: Expression): Expression | undefined {
  const node = bare(given);
  if (node.kind !== "Comparison" || node.operator !== "==") return undefined;
  const other = otherSide(node);
  return other === undefined || constantOf(other) !== undefined || readsInput(other) ? undefined : other;
}

const otherSide = ({ left, right }: Comparison): Expression | undefined =>
  bare(left).kind === "Identity" ? right : bare(right).kind === "Identity" ? left : undefined;

const readsInput = (node: Expression): boolean => nodesIn(node).some(({ kind }) => kind === "Identity");

/** Whether a value is the hash that `!sha` has made. */
function isOfHash(node: Expression, program: JqProgram): boolean {
  const inner = bare(node);
  const source = inner.kind === "Variable" ? (boundTo(program, inner) ?? inner) : inner;
  return program.command.unit?.kind === "intake" && /\.hash\b/.test(textAt(source, program));
}

/** `${custom_data.kinds.value}[]`: what a customer has chosen. */
function isChosenList(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  const [last, ...others] = node.kind === "Postfix" ? node.suffixes : [];
  if (node.kind !== "Postfix" || last?.kind !== "Iterate" || others.length > 0) return false;
  const { head } = node;
  const source = head.kind === "Variable" ? boundTo(program, head) : (head as Expression);
  return source !== undefined && fieldOf(source, program)?.type === "multiselect";
}
