import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { bare, isExpression } from "./nodes.ts";

/**
 * The value that an expression gives on, whatever writes it as a text or a number, spells it in another way, or stands for it where it is
 * empty: `.list.id` of `(.list.id | tostring)`, of `(.list.id // null)`, of `"\(.list.id)"`, and of `if .list.id == "" then null else .list.id end`.
 */
export function underlying(node: Expression): Expression {
  switch (node.kind) {
    case "Group":
      return underlying(node.body);
    case "Pipeline": {
      const [first, ...others] = node.stages.every(isExpression) ? node.stages : [];
      return first !== undefined && others.every(isRespelling) ? underlying(first) : node;
    }
    case "Alternative": {
      const [first, ...others] = node.operands;
      return first !== undefined && others.every(isFixed) ? underlying(first) : node;
    }
    case "String": {
      const [only, ...others] = node.format === undefined ? node.parts : [];
      return only?.kind === "Interpolation" && others.length === 0 ? underlying(only.expression) : node;
    }
    case "If": {
      const [only, ...others] = bodiesOf(node).filter((body) => !isFixed(body));
      return only !== undefined && others.length === 0 && node.otherwise !== undefined
        ? underlying(only)
        : node;
    }
    default:
      return node;
  }
}

/** Whether a stage gives on what it gets, in another spelling or with something fixed in its place. */
function isRespelling(given: Expression): boolean {
  const stage = bare(given);
  if (stage.kind === "Call") return stage.arguments.length === 0 && respells.has(stage.name.text);
  if (stage.kind === "Alternative") {
    const [first, ...others] = stage.operands;
    return first?.kind === "Identity" && others.every(isFixed);
  }
  return (
    stage.kind === "If" &&
    bodiesOf(stage).some((body) => bare(body).kind === "Identity") &&
    bodiesOf(stage).every((body) => bare(body).kind === "Identity" || isFixed(body))
  );
}

/** Calls that give a text or a number in another spelling. */
export const respells: ReadonlySet<string> = new Set([
  "tostring",
  "tonumber",
  "ascii_downcase",
  "ascii_upcase",
  "trim",
  "ltrim",
  "rtrim",
]);

const bodiesOf = ({ branches, otherwise }: If): readonly Expression[] => [
  ...branches.map(({ body }) => body),
  ...(otherwise === undefined ? [] : [otherwise]),
];

/** Whether it gives the same for every record, or nothing. */
function isFixed(given: Expression): boolean {
  const node = bare(given);
  return constantOf(node) !== undefined || (node.kind === "Call" && /^(?:empty|error)$/.test(node.name.text));
}
