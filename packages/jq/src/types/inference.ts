import type { CustomFunctions } from "../custom-functions.ts";
import type { Resolution } from "../resolve/resolve.ts";
import type { Expression, Pattern, Variable } from "../syntax-tree.ts";
import { assignment } from "./assignment.ts";
import { Calls, find } from "./calls.ts";
import { plus } from "./cardinality.ts";
import type { Bound, Context } from "./context.ts";
import { attempt, conditional } from "./control.ts";
import type { Scope } from "./environment.ts";
import { anyFlow, type Flow, failing, none, one } from "./flow.ts";
import { fold } from "./folds.ts";
import type { InferOptions } from "./infer-options.ts";
import { construction } from "./objects.ts";
import { alternative, arithmeticChain, comparison, logical, negation } from "./operators.ts";
import { bindPatterns } from "./patterns.ts";
import { pipeline } from "./pipelines.ts";
import { postfix } from "./postfix.ts";
import { Reports } from "./reports.ts";
import { everything } from "./rules/control.ts";
import { formatted, interpolation } from "./strings.ts";
import {
  array,
  arrayFrom,
  literal,
  never,
  object,
  record,
  string,
  type Type,
  tuple,
  union,
  unknown,
} from "./type.ts";

/** Inference stops here, and the rest is unknown: calls of calls may otherwise multiply. */
const STEP_LIMIT = 20_000;
/** Expressions within expressions, through calls too: bounds the call stack. */
const DEPTH_LIMIT = 400;

/** What the outputs of expressions are as an array. */
function collected(flows: readonly Flow[], items: Type): Type {
  const open = flows.findIndex(({ cardinality }) => cardinality !== "one");
  if (open < 0) return tuple(flows.map(({ type }) => type));
  const first = flows.slice(0, open).map(({ type }) => type);
  // One that comes somewhere is as much as one at the beginning that may be any.
  const isFilled = first.length > 0 || flows.some(({ cardinality }) => cardinality === "one");
  return arrayFrom(first.length === 0 && isFilled ? [items] : first, items);
}

/** Infers a program, expression by expression, for types instead of values. */
export class Inference implements Context {
  readonly nodes = new Map<Expression, { input: Type; output: Type }>();
  readonly reports = new Reports();
  readonly resolution: Resolution;
  readonly functions: CustomFunctions;
  /** Whether a limit was reached, so that what is reported may not be all that is evaluated. */
  isExhausted = false;
  private readonly options: InferOptions;
  private readonly calls: Calls;
  private steps = 0;
  private depth = 0;

  constructor(resolution: Resolution, options: InferOptions) {
    this.resolution = resolution;
    this.options = options;
    this.functions = options.functions ?? {};
    this.calls = new Calls(this);
  }

  flow(node: Expression, input: Type, scope: Scope): Flow {
    if (++this.steps > STEP_LIMIT || this.depth >= DEPTH_LIMIT) {
      this.isExhausted = true;
      return anyFlow;
    }
    // Nothing arrives here.
    if (input.kind === "never") return none;
    this.depth++;
    const flow = this.compute(node, input, scope);
    this.depth--;
    this.steps += flow.type.size >> 3;
    this.see(node, input, flow.type);
    return flow;
  }

  private see(node: Expression, input: Type, output: Type): void {
    const seen = this.nodes.get(node);
    if (seen === undefined) this.nodes.set(node, { input, output });
    else {
      seen.input = union(seen.input, input);
      seen.output = union(seen.output, output);
    }
  }

  variable(node: Variable, scope: Scope): Type {
    const declaration = this.resolution.variables.get(node);
    if (declaration !== undefined) return find(declaration, scope)?.type ?? unknown;
    return this.options.variables?.get(node.name) ?? (node.name === "ENV" ? object([], string) : unknown);
  }

  bind(patterns: readonly Pattern[], value: Type, input: Type, scope: Scope): Bound {
    return bindPatterns(patterns, value, input, scope, this);
  }

  private compute(node: Expression, input: Type, scope: Scope): Flow {
    switch (node.kind) {
      case "Identity":
        return one(input);
      case "Group":
        return this.flow(node.body, input, scope);
      case "Number":
        return one(literal(node.value));
      case "String":
        return interpolation(node, input, scope, this);
      case "Format":
        return formatted(node, input, node, this.reports);
      case "SourceLocation":
        return one(record({ file: string, line: literal(node.line) }));
      case "Array": {
        if (node.body === undefined) return one(array(never));
        const parts = node.body.kind === "Comma" ? node.body.items : [node.body];
        const flows = parts.map((part) => this.flow(part, input, scope));
        const items = union(...flows.map(({ type }) => type));
        if (node.body.kind === "Comma") this.see(node.body, input, items);
        if (flows.some(({ fails }) => fails)) return failing;
        return one(collected(flows, items));
      }
      case "Object":
        return construction(node, input, scope, this);
      case "Variable":
        return one(this.variable(node, scope));
      case "Hole":
        return one(this.options.holes?.[node.hole]?.type ?? unknown);
      case "Postfix":
        return postfix(node, input, scope, this);
      case "Pipeline":
        return pipeline(node.stages, input, scope, this);
      case "Comma":
        return node.items
          .map((item) => this.flow(item, input, scope))
          .reduce((a, b) => ({
            type: union(a.type, b.type),
            cardinality: plus(a.cardinality, b.cardinality),
            fails: a.fails || b.fails,
          }));
      case "Alternative":
        return alternative(node, input, scope, this);
      case "Logical":
        return logical(node, input, scope, this);
      case "Comparison":
        return comparison(node, input, scope, this);
      case "Arithmetic":
        return arithmeticChain(node, input, scope, this);
      case "Negation":
        return negation(node, input, scope, this);
      case "Try":
        return attempt(node, input, scope, this);
      case "If":
        return conditional(node, input, scope, this);
      case "Reduce":
      case "Foreach":
        return fold(node, input, scope, this);
      case "Assignment":
        return assignment(node, input, scope, this);
      case "Call":
        return this.calls.flow(node, input, scope);
      case "Break":
        return none;
      case "RecurseDefault":
        return { type: everything(input), cardinality: "many", fails: false };
      case "Missing":
        return anyFlow;
    }
  }
}
