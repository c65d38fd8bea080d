import { literalText } from "../constant.ts";
import type { Resolution } from "../resolve/resolve.ts";
import type {
  Alternative,
  Arithmetic,
  Comparison,
  Expression,
  Format,
  If,
  Logical,
  Pattern,
  Postfix,
  Stage,
  StringLiteral,
  Suffix,
  Try,
  Variable,
} from "../syntax-tree.ts";
import { readIndex, readItems, readSlice, type Step } from "./access.ts";
import { arithmetic } from "./arithmetic.ts";
import { assignment } from "./assignment.ts";
import { Calls, find } from "./calls.ts";
import { atMost, either, plus, times } from "./cardinality.ts";
import type { Bound, Context } from "./context.ts";
import type { Scope } from "./environment.ts";
import { shownType } from "./findings.ts";
import { anyFlow, combined, eitherFlow, type Flow, failing, none, one, piped } from "./flow.ts";
import { fold } from "./folds.ts";
import type { InferOptions } from "./infer.ts";
import { narrow } from "./narrow.ts";
import { construction } from "./objects.ts";
import { comesBefore, mapParts, truthy } from "./operations.ts";
import { bindPatterns } from "./patterns.ts";
import { Reports } from "./reports.ts";
import { everything } from "./rules/control.ts";
import {
  array,
  boolean,
  literal,
  never,
  number,
  object,
  partsOf,
  record,
  string,
  type Type,
  union,
  unknown,
} from "./type.ts";

/** Inference stops here, and the rest is unknown: calls of calls may otherwise multiply. */
const STEP_LIMIT = 20_000;
/** Expressions within expressions, through calls too: bounds the call stack. */
const DEPTH_LIMIT = 1000;

/** Infers a program, expression by expression, for types instead of values. */
export class Inference implements Context {
  readonly nodes = new Map<Expression, { input: Type; output: Type }>();
  readonly reports = new Reports();
  readonly resolution: Resolution;
  /** Whether a limit was reached, so that what is reported may not be all that is evaluated. */
  isExhausted = false;
  private readonly options: InferOptions;
  private readonly calls: Calls;
  private steps = 0;
  private depth = 0;

  constructor(resolution: Resolution, options: InferOptions) {
    this.resolution = resolution;
    this.options = options;
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
    const seen = this.nodes.get(node);
    if (seen === undefined) this.nodes.set(node, { input, output: flow.type });
    else {
      seen.input = union(seen.input, input);
      seen.output = union(seen.output, flow.type);
    }
    return flow;
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
        return this.string(node, input, scope);
      case "Format":
        return this.formatted(node, input, node);
      case "SourceLocation":
        return one(record({ file: string, line: literal(node.line) }));
      case "Array": {
        if (node.body === undefined) return one(array(never));
        const body = this.flow(node.body, input, scope);
        return body.fails ? failing : one(array(body.type));
      }
      case "Object":
        return construction(node, input, scope, this);
      case "Variable":
        return one(this.variable(node, scope));
      case "Hole":
        return one(this.options.holes?.[node.hole]?.type ?? unknown);
      case "Postfix":
        return this.postfix(node, input, scope);
      case "Pipeline":
        return this.pipeline(node.stages, input, scope);
      case "Comma":
        return node.items
          .map((item) => this.flow(item, input, scope))
          .reduce((a, b) => ({
            type: union(a.type, b.type),
            cardinality: plus(a.cardinality, b.cardinality),
            fails: a.fails || b.fails,
          }));
      case "Alternative":
        return this.alternative(node, input, scope);
      case "Logical":
        return this.logical(node, input, scope);
      case "Comparison":
        return this.comparison(node, input, scope);
      case "Arithmetic":
        return this.arithmetic(node, input, scope);
      case "Negation": {
        const operand = this.flow(node.operand, input, scope);
        return combined(this.negated(operand.type, node), [operand]);
      }
      case "Try":
        return this.attempt(node, input, scope);
      case "If":
        return this.conditional(node, input, scope);
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

  private string(node: StringLiteral, input: Type, scope: Scope): Flow {
    const text = literalText(node);
    if (text !== undefined) return one(literal(text));
    const parts: Flow[] = [];
    for (const part of node.parts) {
      if (part.kind !== "Interpolation") continue;
      const flow = this.flow(part.expression, input, scope);
      parts.push(flow);
      if (node.format !== undefined) parts.push(piped(flow, this.formatted(node.format, flow.type, part)));
    }
    return combined(string, parts);
  }

  /** `@name` of a value. */
  private formatted(
    { name, start, end }: Format,
    input: Type,
    place: Expression | StringLiteral["parts"][number],
  ): Flow {
    const accepted = acceptedByFormat.get(name);
    if (accepted === undefined || input.kind === "unknown" || input.kind === "never") return one(string);
    if (partsOf(input).some(({ kind }) => accepted.includes(kind))) {
      this.reports.fine(place, "input-type");
      return one(string);
    }
    const span = place.kind === "Format" ? { start, end } : place;
    this.reports.wrong(place, span, "input-type", { name: `@${name}`, found: shownType(input), accepted });
    return failing;
  }

  private negated(type: Type, node: Expression): Type {
    if (type.kind === "never") return never;
    if (type.kind === "unknown") return number;
    const result = mapParts(type, (part) => {
      if (part.kind !== "number") return never;
      return part.value === undefined ? part : literal(0 - part.value);
    });
    if (result.kind === "never") this.reports.wrong(node, node, "cannot-negate", { found: shownType(type) });
    else this.reports.fine(node, "cannot-negate");
    return result;
  }

  private postfix({ head, suffixes }: Postfix, input: Type, scope: Scope): Flow {
    // A `?` that doesn't follow a step catches what comes before it.
    const last = suffixes.findLastIndex(({ kind }, at) => kind === "Optional" && !isStep(suffixes[at - 1]));
    let result =
      last < 0
        ? this.followFrom(head, suffixes, input, scope)
        : caughtFlow(this.reports.caught(() => this.followFrom(head, suffixes.slice(0, last), input, scope)));
    if (last >= 0) result = this.follow(result, suffixes.slice(last + 1), input, scope);
    return result;
  }

  private followFrom(head: Expression, suffixes: readonly Suffix[], input: Type, scope: Scope): Flow {
    return this.follow(this.flow(head, input, scope), suffixes, input, scope);
  }

  private follow(start: Flow, suffixes: readonly Suffix[], input: Type, scope: Scope): Flow {
    let result = start;
    for (const [at, suffix] of suffixes.entries()) {
      if (suffix.kind === "Optional") continue;
      const isOptional = suffixes[at + 1]?.kind === "Optional";
      const { type } = result;
      const next = isOptional
        ? this.reports.caught(() => this.suffix(suffix, type, input, scope, true))
        : this.suffix(suffix, type, input, scope, false);
      result = piped(result, next);
    }
    return result;
  }

  private suffix(
    suffix: Exclude<Suffix, { kind: "Optional" }>,
    target: Type,
    input: Type,
    scope: Scope,
    isOptional: boolean,
  ): Flow {
    const stepped = (keys: readonly Flow[], { type, isSafe }: Step): Flow => {
      const result = combined(type, keys);
      if (result.type.kind !== "never" || type.kind !== "never" || target.kind === "never" || result.fails) {
        return isOptional && !isSafe
          ? { ...result, cardinality: atMost(result.cardinality), fails: false }
          : result;
      }
      if (keys.some((key) => key.cardinality !== "one")) return none;
      return isOptional ? none : failing;
    };
    switch (suffix.kind) {
      case "Field":
      case "Index": {
        const key = suffix.kind === "Index" ? suffix.index : suffix.key;
        const flow = key.kind === "Name" ? one(literal(key.text)) : this.flow(key, input, scope);
        return stepped([flow], readIndex(target, flow.type, suffix, this.reports));
      }
      case "Slice": {
        const bounds = [suffix.from, suffix.to].filter((bound) => bound !== undefined);
        const flows = bounds.map((bound) => this.flow(bound, input, scope));
        return stepped(
          flows,
          readSlice(
            target,
            flows.map(({ type }) => type),
            suffix,
            this.reports,
          ),
        );
      }
      case "Iterate": {
        const { type } = readItems(target, suffix, this.reports);
        const iterable = partsOf(target).some(
          ({ kind }) => kind === "array" || kind === "object" || kind === "unknown",
        );
        if (!iterable && target.kind !== "never") return isOptional ? none : failing;
        return { type, cardinality: type.kind === "never" ? "none" : "many", fails: false };
      }
    }
  }

  private pipeline(stages: readonly Stage[], input: Type, scope: Scope): Flow {
    let result = one(input);
    let inner = scope;
    let mayBreak = false;
    for (const stage of stages) {
      switch (stage.kind) {
        case "Definition":
          inner = { key: stage, parent: inner };
          break;
        case "Label":
          mayBreak = true;
          // A break may end the stream before the first output.
          result = { ...result, cardinality: times(result.cardinality, "maybe") };
          break;
        case "Binding": {
          const { type } = result;
          if (type.kind === "never") break;
          const isCaught = stage.patterns.length > 1;
          const source = this.flow(stage.source, type, inner);
          const bound = this.bind(stage.patterns, source.type, type, inner);
          inner = bound.scope;
          const count = isCaught ? times(source.cardinality, "unknown") : source.cardinality;
          const flow = piped({ ...source, cardinality: count }, bound.flow);
          result = piped(result, flow.type.kind === "never" ? flow : { ...flow, type });
          if (isCaught) {
            const rest = stages.slice(stages.indexOf(stage) + 1);
            const { type: from } = result;
            const after = this.reports.caught(() => this.pipeline(rest, from, inner));
            return { ...piped(result, after), fails: false };
          }
          break;
        }
        default: {
          const { type } = result;
          result = piped(result, this.flow(stage, type, inner));
          inner = this.selected(stage, type, inner);
        }
      }
    }
    return mayBreak ? { ...result, fails: false } : result;
  }

  /** Behind `select(…)` more is known of variables, too. */
  private selected(stage: Expression, input: Type, scope: Scope): Scope {
    if (stage.kind !== "Call" || stage.name.text !== "select" || stage.arguments.length !== 1) return scope;
    if (this.resolution.functions.has(stage)) return scope;
    return narrow(stage.arguments[0]!, { input, scope }, true, this).scope;
  }

  /** `first // second // …` */
  private alternative({ operands }: Alternative, input: Type, scope: Scope): Flow {
    const flows = operands.map((operand, index) =>
      index === operands.length - 1
        ? this.flow(operand, input, scope)
        : this.reports.caught(() => this.flow(operand, input, scope)),
    );
    return flows.reduceRight((otherwise, first) => firstTrue(first, otherwise));
  }

  private logical({ operator, operands }: Logical, input: Type, scope: Scope): Flow {
    let known = { input, scope };
    const flows: Flow[] = [];
    for (const operand of operands) {
      // The right side isn't evaluated if the left one decides.
      if (known.input.kind === "never") break;
      flows.push(this.flow(operand, known.input, known.scope));
      known = narrow(operand, known, operator === "and", this);
    }
    const [first, ...rest] = flows as [Flow, ...Flow[]];
    if (first.type.kind === "never") return first.fails ? failing : none;
    const cardinality = rest.reduce(
      (all, flow) => times(all, flow.fails ? "maybe" : either("one", flow.cardinality)),
      first.cardinality,
    );
    return { type: boolean, cardinality, fails: first.fails };
  }

  private comparison(node: Comparison, input: Type, scope: Scope): Flow {
    const left = this.flow(node.left, input, scope);
    const right = this.flow(node.right, input, scope);
    this.reportComparison(node, left.type, right.type);
    return combined(boolean, [left, right]);
  }

  /** That something isn't null is often asked to be sure, and that it isn't `true` too. */
  private reportComparison(node: Comparison, left: Type, right: Type): void {
    if (left.kind === "never" || right.kind === "never") return;
    const { operator } = node;
    const isEquality = operator === "==" || operator === "!=";
    const code = isEquality ? "never-equal" : "always-ordered";
    const isTelling = (type: Type): boolean =>
      type.kind !== "unknown" && partsOf(type).every(({ kind }) => kind !== "null" && kind !== "boolean");
    const kinds = new Set(partsOf(left).map(({ kind }) => kind));
    const differ = !partsOf(right).some(({ kind }) => kinds.has(kind));
    const before = isEquality ? undefined : comesBefore(left, right);
    if (!isTelling(left) || !isTelling(right) || !differ || (!isEquality && before === undefined)) {
      this.reports.fine(node, code);
      return;
    }
    const shown = { operator, left: shownType(left), right: shownType(right) };
    if (isEquality) this.reports.wrong(node, node, "never-equal", shown);
    else
      this.reports.wrong(node, node, "always-ordered", {
        ...shown,
        result: before === operator.startsWith("<"),
      });
  }

  private arithmetic(node: Arithmetic, input: Type, scope: Scope): Flow {
    let result = this.flow(node.first, input, scope);
    for (const step of node.rest) {
      const { operator, operand } = step;
      const right = this.flow(operand, input, scope);
      const type = arithmetic(operator, result.type, right.type);
      const reached = combined(unknown, [result, right]);
      if (reached.type.kind === "never") result = reached;
      else if (type.kind === "never") {
        const span = { start: node.first.start, end: step.end };
        const left = shownType(result.type);
        this.reports.wrong(step, span, "operand-types", { operator, left, right: shownType(right.type) });
        result = reached.cardinality === "one" ? failing : none;
      } else {
        this.reports.fine(step, "operand-types");
        result = combined(type, [result, right]);
      }
    }
    return result;
  }

  private attempt({ body, handler }: Try, input: Type, scope: Scope): Flow {
    const tried = this.reports.caught(() => this.flow(body, input, scope));
    if (handler === undefined) return caughtFlow(tried);
    // The error's value may be anything.
    const caught = this.flow(handler, unknown, scope);
    const cardinality =
      tried.cardinality === "none" && tried.fails
        ? caught.cardinality
        : either(tried.cardinality, caught.cardinality);
    // What came before a failure stays: at most one output if the body gives at most one.
    return {
      type: union(tried.type, caught.type),
      cardinality,
      fails: tried.fails && tried.cardinality === "none" && caught.fails,
    };
  }

  private conditional({ branches, otherwise }: If, input: Type, scope: Scope): Flow {
    let known = { input, scope };
    const tests: Flow[] = [];
    const bodies: Flow[] = [];
    for (const { condition, body } of branches) {
      if (known.input.kind === "never") break;
      const test = this.flow(condition, known.input, known.scope);
      tests.push(test);
      if (test.type.kind === "never") {
        known = { ...known, input: never };
        break;
      }
      const mayBeTrue = test.type.kind === "unknown" || truthy(test.type).kind !== "never";
      const mayBeFalse = test.type.kind === "unknown" || truthy(test.type) !== test.type;
      const then = mayBeTrue ? narrow(condition, known, true, this) : { ...known, input: never };
      const rest = mayBeFalse ? narrow(condition, known, false, this) : { ...known, input: never };
      if (then.input.kind !== "never") bodies.push(this.flow(body, then.input, then.scope));
      known = rest;
    }
    if (known.input.kind !== "never") {
      bodies.push(
        otherwise === undefined ? one(known.input) : this.flow(otherwise, known.input, known.scope),
      );
    }
    const [first, ...others] = tests as [Flow, ...Flow[]];
    if (bodies.length === 0) return { ...first, type: never, cardinality: "none" };
    const branch = bodies.reduce(eitherFlow);
    const cardinality = others.reduce(
      (all, test) => times(all, test.fails ? "one" : either("one", test.cardinality)),
      first.cardinality,
    );
    return piped({ type: unknown, cardinality, fails: first.fails }, branch);
  }
}

/** Errors of such a suffix are dropped by a `?` behind it, and no others. */
function isStep(suffix: Suffix | undefined): boolean {
  return suffix !== undefined && suffix.kind !== "Optional";
}

/** What is left if failures are dropped. */
function caughtFlow({ type, cardinality }: Flow): Flow {
  return { type, cardinality: atMost(cardinality), fails: false };
}

/** `first // otherwise` */
function firstTrue(first: Flow, otherwise: Flow): Flow {
  const kept = truthy(first.type);
  if (kept.kind === "never" && first.type.kind !== "unknown") return otherwise;
  const isAlwaysTrue = first.cardinality === "one" && kept === first.type && first.type.kind !== "unknown";
  const cardinality =
    first.cardinality === "maybe" || first.cardinality === "one"
      ? either("one", otherwise.fails ? "one" : otherwise.cardinality)
      : either(first.cardinality, otherwise.cardinality);
  if (isAlwaysTrue) {
    // It may still fail, and then the other one stands in.
    return { type: union(first.type, otherwise.type), cardinality, fails: false };
  }
  return { type: union(kept, otherwise.type), cardinality, fails: false };
}

/** Kinds that a format takes; the others take any. */
const acceptedByFormat: ReadonlyMap<string, readonly Type["kind"][]> = new Map([
  ["csv", ["array"]],
  ["tsv", ["array"]],
  ["sh", ["null", "boolean", "number", "string", "array"]],
] as const);
