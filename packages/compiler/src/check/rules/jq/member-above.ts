import type { Binding, Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { withInputs } from "../../../flow/given-values.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const memberAbove = defineRule<{ read: string; below: string; instead: string; isUnread: boolean }>({
  id: "jq/member-above",
  severity: "warning",
  summary: "A member of the whole record is read after the program has gone down into a part of it",
  why: "A program keeps a member of the record in a variable because it can't be reached any more once it has gone down into a part. The same name read there is null, so a comparison is never true and every record goes the same way.",
  guards: ["command.!jq", "data_pipeline.source", "D23"],
  message: ({ read, below, instead, isUnread }) =>
    `\`${read}\` is read from \`${below}\` here. The record's own \`${read}\` is in \`${instead}\`${isUnread ? ", which nothing reads" : ""}.`,
  because: ({ read, below, instead }) => [
    `\`${instead}\` keeps \`${read}\` of the whole record`,
    `\`| ${below}\` goes down, where \`${read}\` is another member, or none`,
  ],
  help: ({ instead }) => `Read \`${instead}\`.`,
  fixes: (finding, { document }) => rewriteTo(finding, document),
  examples: [
    {
      title: "Nothing reads the variable",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ".event as $event | .booking | {email: .guest.email, _tags: [if «.event» == \\"cancelled\\" then \\"Cancelled\\" else \\"Booked\\" end]}"}',
      good: '{"!jq": ".event as $event | .booking | {email: .guest.email, _tags: [if $event == \\"cancelled\\" then \\"Cancelled\\" else \\"Booked\\" end]}"}',
      fixed:
        '{"!jq": ".event as $event | .booking | {email: .guest.email, _tags: [if $event == \\"cancelled\\" then \\"Cancelled\\" else \\"Booked\\" end]}"}',
    },
    {
      title: "Compared with one of the variable's values",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ".event as $event | .booking | . as $b | {email: $b.guest.email, state: {\\"booked\\": \\"Guest\\", \\"left\\": \\"Former guest\\"}[$event]} + (if «.event» == \\"left\\" then {left_on: $b.left_on} else {} end)"}',
      good: '{"!jq": ".event as $event | .booking | . as $b | {email: $b.guest.email, state: {\\"booked\\": \\"Guest\\", \\"left\\": \\"Former guest\\"}[$event]} + (if $event == \\"left\\" then {left_on: $b.left_on} else {} end)"}',
      fixed:
        '{"!jq": ".event as $event | .booking | . as $b | {email: $b.guest.email, state: {\\"booked\\": \\"Guest\\", \\"left\\": \\"Former guest\\"}[$event]} + (if $event == \\"left\\" then {left_on: $b.left_on} else {} end)"}',
    },
  ],
});

const module: RuleModule = {
  rules: [memberAbove],
  checks: {
    program(program, report) {
      if (!/\.\w+ as \$\w+/.test(program.node.value) || program.diagnostics.length > 0) return;
      for (const { node, below, name } of readsBelow(program)) {
        const read = textAt(node, program);
        const uses = nodesOfKind(program, "Variable").filter((each) => each.name === name);
        const isUnread = uses.length === 0;
        if (!isUnread && !isComparedAlike(node, uses, program)) continue;
        report(memberAbove, partAt(program, node), {
          read,
          below: textAt(below, program),
          instead: `$${name}`,
          isUnread,
        });
      }
    },
  },
};
export default module;

interface ReadBelow {
  readonly node: Expression;
  /** The stage that goes down. */
  readonly below: Expression;
  /** The variable that has the member of above. */
  readonly name: string;
}

/** `.event` behind `.event as $event | .booking | …`. */
function readsBelow(program: JqProgram): readonly ReadBelow[] {
  const { body } = program.tree;
  if (body.kind !== "Pipeline") return [];
  const kept = new Map<string, string>();
  let below: Expression | undefined;
  for (const stage of body.stages) {
    if (stage.kind === "Binding") {
      const own = below === undefined ? keptIn(stage) : undefined;
      if (own !== undefined) kept.set(own.member, own.variable);
    } else if (stage.kind !== "Definition" && stage.kind !== "Label") {
      if (kept.size === 0 || memberNames(stage) === undefined) break;
      below = stage;
      break;
    }
  }
  if (below === undefined) return [];
  const inputs = withInputs(program);
  const found: ReadBelow[] = [];
  for (const node of nodesOfKind(program, "Postfix")) {
    const [member, ...others] = memberNames(node) ?? [];
    const name = member === undefined || others.length > 0 ? undefined : kept.get(member);
    if (name !== undefined && node !== below && isGivenBy(inputs.get(node), below, program))
      found.push({ node, below, name });
  }
  return found;
}

const isGivenBy = (input: Node | undefined, below: Expression, program: JqProgram): boolean =>
  input === below || (input?.kind === "Variable" && boundTo(program, input) === below);

/** `.event as $event` */
function keptIn({ source, patterns }: Binding): { member: string; variable: string } | undefined {
  const [pattern, ...others] = patterns;
  const [member, ...more] = memberNames(source) ?? [];
  if (pattern?.kind !== "VariablePattern" || others.length > 0) return undefined;
  return member === undefined || more.length > 0 ? undefined : { member, variable: pattern.name };
}

/** The names of `.booking.guest`; undefined for anything else. */
function memberNames(given: Node): readonly string[] | undefined {
  if (given.kind !== "Postfix" || given.head.kind !== "Identity") return undefined;
  const names = given.suffixes.map((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Whether a member is compared with a text that the variable is compared with, too, or that a table has for it. */
function isComparedAlike(node: Expression, uses: readonly Expression[], program: JqProgram): boolean {
  const texts = nodesOfKind(program, "Comparison").flatMap(({ left, right }) =>
    bare(left) === node ? [constantOf(right)] : bare(right) === node ? [constantOf(left)] : [],
  );
  const [text] = texts;
  if (typeof text !== "string" || uses.length === 0) return false;
  return program.node.value.split(`"${text}"`).length > 2;
}
