import type { Call, Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { emptinessBy, type ReadPath } from "../../../flow/emptiness.ts";
import { bare, isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "outbound", at: "/workflows/0/data_pipeline/target" } as const;

const keepsOnlyEmpty = defineRule<{ condition: string; list: boolean }>({
  id: "jq/keeps-only-empty",
  severity: "warning",
  summary: "A filter keeps just what is empty",
  why: "A program that leaves out what is null or empty sends only what there is. The wrong way round, it leaves out all that was mapped or filled in, and sends nothing but nulls: the request succeeds, and the record stays empty.",
  guards: ["D23"],
  message: ({ condition, list }) =>
    list
      ? `\`${condition}\` keeps just the empty items, and leaves out the others.`
      : `\`${condition}\` keeps just the members that are empty, and leaves out the others.`,
  because: ({ list }) =>
    list
      ? ['`["Ann", null]` becomes `[null]`']
      : ['`{"name": "Ann", "phone": null}` becomes `{"phone": null}`', "the name isn't sent"],
  help: () => "Turn the comparison round.",
  examples: [
    {
      title: "Members",
      ...place,
      bad: '{"!pipe": [{"!jq": "{email: .email, phone: (.phone // null)} | with_entries(select(«.value == null»))"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, phone: (.phone // null)} | with_entries(select(.value != null))"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, phone: (.phone // null)} | with_entries(select(.value != null))"}, {"!http": {"method": "POST", "path": "/x", "body": "${piped_content.1}"}}]}',
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Phone", "id": "phone"}]',
      },
    },
    {
      title: "Items",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, name: ([.first_name, .last_name] | map(select(«. == null»)) | join(\\" \\"))}"}',
      good: '{"!jq": "{email: .email, name: ([.first_name, .last_name] | map(select(. != null)) | join(\\" \\"))}"}',
      fixed:
        '{"!jq": "{email: .email, name: ([.first_name, .last_name] | map(select(. != null)) | join(\\" \\"))}"}',
    },
  ],
  fixes: ({ at }, { document }) => {
    if (!("from" in at)) return [];
    const { node, from, to } = at;
    const text = node.value.slice(from, to);
    // Other conditions are turned round by hand.
    if (/[|()]|\band\b/.test(text)) return [];
    const turned = text.replaceAll("==", "!=").replace(/\bor\b/g, "and");
    return [
      {
        title: "Turn the comparison round",
        safe: false,
        edits: [replaceInString(document, node, from, to, turned)],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [keepsOnlyEmpty],
  checks: {
    program(program, report) {
      if (!/\bselect\b/.test(program.node.value)) return;
      const calls = nodesOfKind(program, "Call");
      const counted = calls.length === 0 ? none : countedIn(program);
      for (const call of calls) {
        const kept = keptBy(call);
        if (kept === undefined || counted.has(call)) continue;
        const { condition, path, list } = kept;
        const facts = emptinessBy(condition, true, program);
        const isEmpty =
          facts.length > 0 &&
          facts.every((fact) => fact.isEmpty && !fact.mayBeFalse && isSame(fact.path, path));
        if (isEmpty)
          report(
            keepsOnlyEmpty,
            { node: program.node, from: condition.start, to: condition.end },
            { condition: excerpt(textAt(condition, program), 60), list },
          );
      }
    },
  },
};
export default module;

const none: ReadonlySet<Expression> = new Set();

interface Kept {
  readonly condition: Expression;
  /** What is asked for, of each member or item. */
  readonly path: ReadPath;
  readonly list: boolean;
}

/** What `with_entries(select(…))` and `map(select(…))` let through, and give as it is. */
function keptBy({ name: { text }, arguments: [given, ...others] }: Call): Kept | undefined {
  if (given === undefined || others.length > 0 || !/^(?:with_entries|map|map_values)$/.test(text))
    return undefined;
  const inner = bare(given);
  const condition =
    inner.kind === "Call" && inner.name.text === "select" && inner.arguments.length === 1
      ? inner.arguments[0]
      : undefined;
  if (condition === undefined) return undefined;
  return { condition, path: text === "with_entries" ? [".", "value"] : ["."], list: text === "map" };
}

const isSame = (one: ReadPath, other: ReadPath): boolean => one.join("\n") === other.join("\n");

/** Filters of which only the number or the names of what is left count: `… | keys`, `… | length`, `… == {}`. */
function countedIn(program: JqProgram): ReadonlySet<Expression> {
  const found = new Set<Expression>();
  for (const { left, right } of nodesOfKind(program, "Comparison"))
    for (const side of [left, right]) found.add(lastOf(side));
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    stages.forEach((stage, at) => {
      const next = stages[at + 1];
      if (!isExpression(stage) || next === undefined) return;
      if (countsOnly.test(textAt(next, program))) found.add(lastOf(stage));
    });
  return found;
}

const countsOnly =
  /^(?:keys|keys_unsorted|length|any|all|to_entries|map\(\s*\.key|\.\[\]\s*\|\s*\.key|\[\.\[\]\.key|(?:\(|\[)?\s*(?:keys|length))\b|^(?:if\s+|\.\s*(?:==|!=)|\(?\s*length)/;

/** The last stage of a pipeline. */
function lastOf(given: Expression): Expression {
  const node = bare(given);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last !== undefined && isExpression(last) ? last : node;
}
