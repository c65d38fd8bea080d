import type {
  ArithmeticOperator,
  AssignmentOperator,
  ComparisonOperator,
  Expression,
  Span,
} from "../syntax-tree.ts";
import type { Token } from "./tokens.ts";

/** Levels of the binary operators below `,`, loosest first. */
const levels: readonly (readonly string[])[] = [
  ["//"],
  ["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="],
  ["or"],
  ["and"],
  ["==", "!=", "<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];
const levelOf: ReadonlyMap<string, number> = new Map(
  levels.flatMap((operators, level) => operators.map((operator) => [operator, level] as const)),
);
const alternativeLevel = 0;
const assignmentLevel = 1;
const orLevel = 2;
const andLevel = 3;
const comparisonLevel = 4;

export function levelOfToken(token: Token): number | undefined {
  return token.kind === "operator" || token.kind === "keyword" ? levelOf.get(token.text) : undefined;
}

/** Assignments and comparisons can't be chained without parentheses. */
function isNonAssociative(level: number): boolean {
  return level === assignmentLevel || level === comparisonLevel;
}

interface PendingOperator extends Span {
  readonly text: string;
  readonly level: number;
}

/**
 * Operator-precedence parsing with its own stack, so that a chain of operators costs no call depth.
 * A run of operators of one level becomes one node.
 */
export class OperatorStack {
  private readonly operands: Expression[];
  private readonly pending: PendingOperator[] = [];

  constructor(first: Expression) {
    this.operands = [first];
  }

  /** Adds an operator and the operand after it. */
  push(operator: Token, level: number, parseOperand: () => Expression): void {
    this.reduceAbove(isNonAssociative(level) ? level - 1 : level);
    this.pending.push({ text: operator.text, level, start: operator.start, end: operator.end });
    this.operands.push(parseOperand());
  }

  /** Whether an operator of this level would continue a chain that can't be continued. */
  conflicts(level: number): boolean {
    return isNonAssociative(level) && this.pending.some((operator) => operator.level === level);
  }

  finish(): Expression {
    this.reduceAbove(-1);
    return this.operands[0]!;
  }

  private reduceAbove(level: number): void {
    while ((this.pending.at(-1)?.level ?? -1) > level) this.reduceTopRun();
  }

  private reduceTopRun(): void {
    const { level } = this.pending.at(-1)!;
    let first = this.pending.length - 1;
    while (first > 0 && this.pending[first - 1]!.level === level) first--;
    const operators = this.pending.splice(first);
    const operands = this.operands.splice(first);
    this.operands.push(chain(level, operands, operators));
  }
}

function chain(
  level: number,
  operands: readonly Expression[],
  operators: readonly PendingOperator[],
): Expression {
  const first = operands[0]!;
  const second = operands[1]!;
  const operator = operators[0]!;
  const span = { start: first.start, end: operands.at(-1)!.end };
  const operatorSpan = { start: operator.start, end: operator.end };
  switch (level) {
    case alternativeLevel:
      return { kind: "Alternative", operands, ...span };
    case assignmentLevel:
      return {
        kind: "Assignment",
        operator: operator.text as AssignmentOperator,
        operatorSpan,
        target: first,
        value: second,
        ...span,
      };
    case orLevel:
    case andLevel:
      return { kind: "Logical", operator: level === orLevel ? "or" : "and", operands, ...span };
    case comparisonLevel:
      return {
        kind: "Comparison",
        operator: operator.text as ComparisonOperator,
        operatorSpan,
        left: first,
        right: second,
        ...span,
      };
    default: {
      const rest = operators.map(({ text, start, end }, index) => {
        const operand = operands[index + 1]!;
        return {
          kind: "ArithmeticOperand" as const,
          operator: text as ArithmeticOperator,
          operatorSpan: { start, end },
          operand,
          start,
          end: operand.end,
        };
      });
      return { kind: "Arithmetic", first, rest, ...span };
    }
  }
}
