import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { definitionInStep } from "../../../flow/protocol/definition-site.ts";
import { resultsOf } from "../../../flow/result.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { decisionOf } from "./decision.ts";

const verification = (test: string, good: number, bad: number): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if ${test} then ${good} else ${bad} end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const comparison = ".hash == ${piped_content.0.headers.x-signature}";

const reversedCheck = defineRule<{ text: string; accepts: boolean }>({
  id: "intake/reversed-check",
  severity: "warning",
  summary: "`verification` refuses correct signatures and accepts wrong ones",
  why: "The cases of the check are swapped. Genuine deliveries are refused, so no event arrives. Forged ones go into the pipelines of all customers.",
  guards: ["D26", "D31"],
  message: ({ text, accepts }) =>
    accepts
      ? `If \`${text}\`, the delivery is forged, but this accepts it. The genuine one is refused.`
      : `If \`${text}\`, the delivery is genuine, but this refuses it. A forged one is accepted.`,
  because: ({ accepts }) => [
    accepts ? "a forged delivery: accepted" : "a genuine delivery: refused",
    accepts ? "a genuine delivery: refused" : "a forged delivery: accepted",
  ],
  help: () => "Swap the cases, or invert the comparison.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: verification(`«${comparison}»`, 1, 0),
      good: verification(comparison, 0, 1),
    },
    {
      title: "D31: the comparison",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: verification(`«${comparison.replace("==", "!=")}»`, 0, 1),
      good: verification(comparison, 0, 1),
    },
  ],
});

const module: RuleModule = {
  rules: [reversedCheck],
  checks: {
    intake(intake, report) {
      const root = intake.type === "webhook" ? intake.commands.get("verification") : undefined;
      for (const command of (root === undefined ? undefined : allIn(root)) ?? []) {
        const found = reversedIn(command);
        if (found === undefined) continue;
        const { program, test, accepts } = found;
        const text = excerpt(program.node.value.slice(test.start, test.end), 60);
        report(reversedCheck, { node: program.node, from: test.start, to: test.end }, { text, accepts }, [
          ...found.cases.map((each) => ({ message: "runs then", at: each.member.key })),
        ]);
      }
    },
  },
};
export default module;

/** A test, and the case that does the opposite of it. */
interface Reversed {
  readonly program: JqProgram;
  readonly test: Expression;
  /** Whether the case of that test accepts what is forged. */
  readonly accepts: boolean;
  readonly cases: readonly Command[];
}

/** A test of the signature whose case does what belongs to its opposite. */
export function reversedIn(command: Command): Reversed | undefined {
  const decision = decisionOf(command);
  if (decision === undefined) return undefined;
  const { program, conditions, cases } = decision;
  for (const [index, condition] of conditions.entries()) {
    const [own, others] = [cases[index], cases.slice(index + 1)];
    // A token may come with the check of the URL, too, which is answered and not handed on.
    const isGenuine =
      saysGenuine(condition, program) ??
      (own !== undefined && (accepts(own) || refuses(own)) ? hasToken(condition, program) : undefined);
    if (isGenuine === undefined || own === undefined) continue;
    if (!others.every((each) => each !== undefined)) return undefined;
    const accepting = others.filter(accepts);
    if (isGenuine && !accepts(own) && accepting.length > 0)
      return { program, test: condition, accepts: false, cases: [own] };
    if (!isGenuine && accepts(own) && accepting.length === 0)
      return { program, test: condition, accepts: true, cases: [own] };
  }
  return undefined;
}

/** Whether a case may hand the delivery on. */
export function accepts(command: Command): boolean {
  return resultsOf(command).some(({ key, argument }) => {
    if (key === "!error") return false;
    if (key !== "!respond") return true;
    const given = argument?.kind === "object" ? argument.get("process_payload") : undefined;
    return given !== undefined && !(given.kind === "boolean" && !given.value);
  });
}

/**
 * Whether a test tells genuine deliveries from others: true if it holds only for them, false if it holds for all others;
 * undefined where it asks for something else.
 */
function saysGenuine(node: Expression, program: JqProgram): boolean | undefined {
  switch (node.kind) {
    case "Group":
      return saysGenuine(node.body, program);
    case "Comparison": {
      if (node.operator !== "==" && node.operator !== "!=") return undefined;
      const value = constantOf(node.right);
      if (typeof value === "boolean") {
        const said = saysGenuine(node.left, program);
        return said === undefined ? undefined : said === ((node.operator === "==") === value);
      }
      return isHash(node.left, program) || isHash(node.right, program) ? node.operator === "==" : undefined;
    }
    case "Pipeline": {
      const [first, last, ...others] = node.stages as Expression[];
      if (first === undefined || last?.kind !== "Call" || last.name.text !== "not" || others.length > 0)
        return undefined;
      const said = saysGenuine(first, program);
      return said === undefined ? undefined : !said;
    }
    case "Logical": {
      const said = node.operands.map((operand) => saysGenuine(operand, program));
      if (node.operator === "and") return said.includes(true) ? true : undefined;
      return said.includes(false) ? false : undefined;
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      const made = hole === undefined ? undefined : definitionInStep(hole);
      const said = made === undefined ? undefined : saysGenuine(made.node, made.program);
      return said ?? byName(hole?.syntax.path.at(-1)?.text);
    }
    case "Postfix": {
      const name = ownMember(node);
      const before = stepBefore(program.command)?.program;
      const object = before === undefined ? undefined : finalObject(before);
      const value = object === undefined || name === undefined ? undefined : entryOf(object, name)?.value;
      const said = value === undefined || before === undefined ? undefined : saysGenuine(value, before);
      return said ?? byName(name);
    }
    default:
      return undefined;
  }
}

/** Whether a case only refuses. */
const refuses = (command: Command): boolean =>
  resultsOf(command).every(({ key, argument }) => {
    const code = argument?.kind === "object" ? argument.get("code") : undefined;
    return key === "!error" || (key === "!respond" && code?.kind === "number" && code.value >= 400);
  });

/** Whether a test holds only for deliveries with the token that was saved, or for all without it. */
function hasToken(given: Expression, program: JqProgram): boolean | undefined {
  const node = bare(given);
  if (node.kind === "Comparison" && (node.operator === "==" || node.operator === "!="))
    return comparesSecret(node, program) ? node.operator === "==" : undefined;
  if (node.kind !== "Logical") return undefined;
  const said = node.operands.map((operand) => hasToken(operand, program));
  if (node.operator === "and") return said.includes(true) ? true : undefined;
  return said.includes(false) ? false : undefined;
}

/** Whether something of the request is compared with a secret that was saved. */
const comparesSecret = ({ left, right }: Comparison, program: JqProgram): boolean =>
  [
    [left, right],
    [right, left],
  ].some(([side, other]) => isOfRequest(side!, program) && isSavedSecret(other!, program));

function isSavedSecret(side: Expression, program: JqProgram): boolean {
  const node = valueBehind(side, program);
  const [part, ...others] = node.kind === "String" ? node.parts : [];
  const read =
    node.kind === "String"
      ? part?.kind === "Interpolation" && others.length === 0
        ? part.expression
        : node
      : node;
  const hole = read.kind === "Hole" ? program.holes[read.hole] : undefined;
  return hole?.root === "data" && secretName.test(hole.syntax.path[2]?.text ?? "");
}

const secretName = /(?:^|[a-z]_|-)?(?:secret|token|key|password)$/i;

/** `.headers["x-token"]`, `.body.key`, also with a default and by a variable. */
function isOfRequest(side: Expression, program: JqProgram): boolean {
  const node = valueBehind(side, program);
  if (node.kind === "Alternative") return isOfRequest(node.operands[0]!, program);
  return /^(?:\$\{piped_content\.0\}|\$[{<]piped_content\.0)?\.(?:headers|body|query|query_params)\b/.test(
    textAt(node, program),
  );
}

/** What a flag says by its name, where what it is made of can't be read off. */
function byName(name: string | undefined): true | undefined {
  return name !== undefined && /^(?:is_?)?(?:genuine|valid|verified|authentic|trusted)$/i.test(name)
    ? true
    : undefined;
}

/** `.hash`, with what may be written in front of it. */
function isHash(node: Expression, program: JqProgram): boolean {
  if (node.kind === "Group") return isHash(node.body, program);
  if (node.kind === "Arithmetic")
    return [node.first, ...node.rest.map(({ operand }) => operand)].some((part) => isHash(part, program));
  // `.hash | ascii_upcase`
  if (node.kind === "Pipeline" && node.stages.length === 2) {
    const [first, last] = node.stages as readonly Expression[];
    return last?.kind === "Call" && /^ascii_(?:up|down)case$/.test(last.name.text) && isHash(first!, program);
  }
  if (node.kind === "Hole") return program.holes[node.hole]?.syntax.path.at(-1)?.text === "hash";
  return ownMember(node) === "hash";
}

/** `name` of `.name`. */
function ownMember(node: Expression): string | undefined {
  if (node.kind !== "Postfix" || node.head.kind !== "Identity" || node.suffixes.length !== 1)
    return undefined;
  const [suffix] = node.suffixes;
  return suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;
}
