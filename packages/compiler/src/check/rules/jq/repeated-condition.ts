import type { Expression, If, Logical } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const repeatedCondition = defineRule<{ text: string; isBranch: boolean }>({
  id: "jq/repeated-condition",
  severity: "warning",
  summary: "The same is asked twice",
  why: "To ask the same again changes nothing. Most often another word or another member is meant, and the records that have it go the wrong way.",
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ text, isBranch }) =>
    isBranch
      ? `An earlier branch is taken where \`${text}\`, so this one never is.`
      : `\`${text}\` stands here twice, and the second time it changes nothing.`,
  because: ({ text, isBranch }) => [
    `\`${text}\` holds: ${isBranch ? "the earlier branch is taken" : "it is already decided"}`,
    `it doesn't: ${isBranch ? "this branch isn't taken either" : "it doesn't the second time either"}`,
  ],
  help: ({ isBranch }) =>
    isBranch
      ? "Ask for what this branch is for, or remove it."
      : "Ask for what is meant, or remove the second one.",
  examples: [
    {
      title: "or",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if .state == \\"cancelled\\" or «.state == \\"cancelled\\"» then null else {email: .email} end"}',
      good: '{"!jq": "if .state == \\"cancelled\\" or .state == \\"refunded\\" then null else {email: .email} end"}',
    },
    {
      title: "elif",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email, kind: (if .kind == \\"b\\" then \\"business\\" elif «.kind == \\"b\\"» then \\"staff\\" else \\"private\\" end)}"}',
      good: '{"!jq": "{email, kind: (if .kind == \\"b\\" then \\"business\\" elif .kind == \\"s\\" then \\"staff\\" else \\"private\\" end)}"}',
    },
    {
      title: "A wider limit before a narrower one",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email, age: (if .age < 65 then \\"adult\\" elif «.age < 18» then \\"minor\\" else \\"senior\\" end)}"}',
      good: '{"!jq": "{email, age: (if .age < 18 then \\"minor\\" elif .age < 65 then \\"adult\\" else \\"senior\\" end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [repeatedCondition],
  checks: {
    program(program, report) {
      if (!/\b(?:and|or|elif)\b/.test(program.node.value)) return;
      for (const node of nodesOfKind(program, "Logical")) {
        const found = repeatedIn(node, program);
        if (found !== undefined)
          report(repeatedCondition, partAt(program, found), {
            text: excerpt(textAt(found, program)),
            isBranch: false,
          });
      }
      for (const node of nodesOfKind(program, "If")) {
        const found = takenBefore(node, program);
        if (found !== undefined)
          report(repeatedCondition, partAt(program, found), {
            text: excerpt(textAt(found, program)),
            isBranch: true,
          });
      }
    },
  },
};
export default module;

/** What stands twice between `and` or `or`. */
function repeatedIn({ operands }: Logical, program: JqProgram): Expression | undefined {
  const seen = new Set<string>();
  return operands.find((operand) => {
    const text = plainText(operand, program);
    const isKnown = seen.has(text);
    seen.add(text);
    return isKnown;
  });
}

/** The condition of a branch that an earlier one takes already. */
function takenBefore({ branches }: If, program: JqProgram): Expression | undefined {
  if (branches.length < 2) return undefined;
  const taken = new Set<string>();
  const limits = new Map<string, Limit>();
  for (const { condition } of branches) {
    const node = bare(condition);
    const asked = node.kind === "Logical" && node.operator === "and" ? node.operands : [node];
    if (taken.has(plainText(node, program))) return condition;
    if (asked.some((each) => isWithin(limitOf(each, program), limits))) return condition;
    taken.add(plainText(node, program));
    const each = node.kind === "Logical" && node.operator === "or" ? node.operands : [node];
    if (each.length > 1) for (const operand of each) taken.add(plainText(operand, program));
    for (const limit of each.map((operand) => limitOf(operand, program)))
      if (limit !== undefined && !isWithin(limit, limits)) limits.set(limit.side, limit);
  }
  return undefined;
}

/** `$minutes <= 270` */
interface Limit {
  /** What is compared, and on which side of the limit it is: `$minutes<`. */
  readonly side: string;
  readonly at: number;
  /** Whether the number itself is within it. */
  readonly isTaken: boolean;
}

/** What a comparison with a number lets through. */
function limitOf(given: Expression, program: JqProgram): Limit | undefined {
  const node = bare(given);
  if (node.kind !== "Comparison" || !/^[<>]/.test(node.operator)) return undefined;
  const at = constantOf(node.right);
  const text = plainText(node.left, program);
  // What gives several values may have one on each side.
  if (typeof at !== "number" || /,|\[\]|\.\./.test(text)) return undefined;
  return { side: `${text} ${node.operator[0]}`, at, isTaken: node.operator.endsWith("=") };
}

/** Whether all that a limit lets through is within an earlier one: what is at most 210 is at most 270, too. */
function isWithin(limit: Limit | undefined, limits: ReadonlyMap<string, Limit>): boolean {
  const wider = limit === undefined ? undefined : limits.get(limit.side);
  if (limit === undefined || wider === undefined) return false;
  const room = (wider.at - limit.at) * (limit.side.endsWith("<") ? 1 : -1);
  return room > 0 || (room === 0 && (wider.isTaken || !limit.isTaken));
}

const plainText = (node: Expression, program: JqProgram): string =>
  textAt(bare(node), program).replace(/\s+/g, " ");
