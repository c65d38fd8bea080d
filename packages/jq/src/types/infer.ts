import { builtin } from "../builtins/index.ts";
import { literalText } from "../constant.ts";
import type { JqDiagnostic } from "../diagnostics.ts";
import { type Resolution, resolve } from "../resolve/resolve.ts";
import { parse } from "../syntax/parser.ts";
import type {
  Assignment,
  Call,
  Definition,
  Expression,
  Foreach,
  Hole,
  If,
  ObjectConstruction,
  Parameter,
  Pattern,
  Postfix,
  Program,
  Reduce,
  Stage,
  Suffix,
  VariablePattern,
} from "../syntax-tree.ts";
import { arithmetic } from "./arithmetic.ts";
import { atMost, type Cardinality, either, plus, times } from "./cardinality.ts";
import { indexOf, itemsOf, memberOf, sliceOf, truthy, withMember } from "./operations.ts";
import { type Flow, none, one, ruleOf } from "./rules.ts";
import {
  array,
  boolean,
  literal,
  type Member,
  never,
  nullType,
  number,
  object,
  record,
  string,
  type Type,
  union,
  unknown,
  widenLiterals,
} from "./type.ts";

/** A hole whose value has a known type. */
export interface TypedHole extends Hole {
  readonly type?: Type;
}

export interface InferOptions {
  /** Types of the variables that the caller binds, by name without `$`. */
  readonly variables?: ReadonlyMap<string, Type>;
  readonly holes?: readonly TypedHole[];
}

export interface InferResult extends Flow {
  readonly diagnostics: readonly JqDiagnostic[];
  /** What each expression was seen to take and give, over all its uses. */
  readonly nodes: ReadonlyMap<Expression, { readonly input: Type; readonly output: Type }>;
}

/** Inference stops here, and the rest is unknown: calls of calls may otherwise multiply. */
const STEP_LIMIT = 200_000;
/** Expressions within expressions, through calls too: bounds the call stack. */
const DEPTH_LIMIT = 1500;
const ACTIVATION_LIMIT = 2;
const anyFlow: Flow = { type: unknown, cardinality: "unknown" };

/**
 * Infers the type of a program's outputs, and how many there are. What is claimed holds for every output
 * of every input of the given type; what isn't known is `unknown`. Reports nothing yet.
 * @param program its text, or the tree that `parse` made of it with the same holes
 */
export function infer(
  program: string | Program,
  inputType: Type = unknown,
  options: InferOptions = {},
): InferResult {
  const tree = typeof program === "string" ? parse(program, options).program : program;
  const variables = [...(options.variables?.keys() ?? [])];
  const inference = new Inference(resolve(tree, variables), options);
  const flow = tree.directives.length > 0 ? anyFlow : inference.run(tree.body, inputType);
  return { ...flow, diagnostics: [], nodes: inference.nodes };
}

/** How many outputs a program has for any input; certain knowledge only. */
export function cardinality(program: Program): Cardinality {
  return infer(program).cardinality;
}

/** The values of variables and parameters, innermost first. */
interface Environment {
  readonly key: VariablePattern | Parameter | Definition;
  /** What a variable holds. */
  readonly type?: Type;
  /** What a parameter that isn't by value stands for. */
  readonly closure?: { readonly node: Expression; readonly environment: Environment | undefined };
  readonly parent: Environment | undefined;
}
type Scope = Environment | undefined;

class Inference {
  readonly nodes = new Map<Expression, { input: Type; output: Type }>();
  private readonly resolution: Resolution;
  private readonly options: InferOptions;
  private readonly active = new Map<Definition, number>();
  private steps = 0;
  private depth = 0;

  constructor(resolution: Resolution, options: InferOptions) {
    this.resolution = resolution;
    this.options = options;
  }

  run(node: Expression, input: Type): Flow {
    return this.flow(node, input, undefined);
  }

  private flow(node: Expression, input: Type, scope: Scope): Flow {
    if (++this.steps > STEP_LIMIT || this.depth >= DEPTH_LIMIT) return anyFlow;
    this.depth++;
    const flow = this.compute(node, input, scope);
    this.depth--;
    const seen = this.nodes.get(node);
    if (seen === undefined) this.nodes.set(node, { input, output: flow.type });
    else {
      seen.input = union(seen.input, input);
      seen.output = union(seen.output, flow.type);
    }
    return flow;
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
        return one(string);
      case "SourceLocation":
        return one(record({ file: string, line: literal(node.line) }));
      case "Array":
        return one(array(node.body === undefined ? never : this.flow(node.body, input, scope).type));
      case "Object":
        return this.object(node, input, scope);
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
          }));
      case "Alternative":
        return node.operands
          .map((operand) => this.flow(operand, input, scope))
          .reduceRight((otherwise, first) => alternative(first, otherwise));
      case "Logical":
        return {
          type: boolean,
          cardinality: node.operands
            .map((operand) => this.flow(operand, input, scope).cardinality)
            // The right side isn't evaluated if the left one decides.
            .reduce((left, right) => times(left, either("one", right))),
        };
      case "Comparison":
        return {
          type: boolean,
          cardinality: times(
            this.flow(node.left, input, scope).cardinality,
            this.flow(node.right, input, scope).cardinality,
          ),
        };
      case "Arithmetic": {
        let result = this.flow(node.first, input, scope);
        for (const { operator, operand } of node.rest) {
          const right = this.flow(operand, input, scope);
          result = {
            type: arithmetic(operator, result.type, right.type),
            cardinality: times(result.cardinality, right.cardinality),
          };
        }
        return result;
      }
      case "Negation": {
        const { type, cardinality } = this.flow(node.operand, input, scope);
        const negative = type.kind === "number" && type.value !== undefined ? literal(-type.value) : number;
        return { type: type.kind === "never" ? never : negative, cardinality };
      }
      case "Try": {
        const body = this.flow(node.body, input, scope);
        if (node.handler === undefined) return { ...body, cardinality: atMost(body.cardinality) };
        const handler = this.flow(node.handler, unknown, scope);
        return {
          type: union(body.type, handler.type),
          cardinality: either(body.cardinality, handler.cardinality),
        };
      }
      case "If":
        return this.conditional(node, input, scope);
      case "Reduce":
      case "Foreach":
        return this.fold(node, input, scope);
      case "Assignment":
        return this.assignment(node, input, scope);
      case "Call":
        return this.call(node, input, scope);
      case "Break":
        return none;
      case "RecurseDefault":
        return { type: unknown, cardinality: "many" };
      case "Missing":
        return anyFlow;
    }
  }

  private string(node: Extract<Expression, { kind: "String" }>, input: Type, scope: Scope): Flow {
    const text = literalText(node);
    if (text !== undefined) return one(literal(text));
    let cardinality: Cardinality = "one";
    for (const part of node.parts) {
      if (part.kind !== "Interpolation") continue;
      cardinality = times(cardinality, this.flow(part.expression, input, scope).cardinality);
    }
    return { type: string, cardinality };
  }

  private object({ entries }: ObjectConstruction, input: Type, scope: Scope): Flow {
    const members = new Map<string, Member>();
    let rest: Type = never;
    let cardinality: Cardinality = "one";
    const add = (key: Type, value: Flow): void => {
      cardinality = times(cardinality, value.cardinality);
      if (key.kind === "string" && key.value !== undefined) {
        members.set(key.value, { type: value.type, optional: false });
        return;
      }
      // A computed key may be that of a member before it.
      rest = union(rest, value.type);
      for (const [name, { type, optional }] of members) {
        members.set(name, { type: union(type, value.type), optional });
      }
    };
    for (const { key, value } of entries) {
      switch (key.kind) {
        case "Name":
          add(
            literal(key.text),
            value === undefined ? one(memberOf(input, key.text)) : this.flow(value, input, scope),
          );
          break;
        case "SourceLocation":
          add(literal("__loc__"), this.flow(key, input, scope));
          break;
        case "Variable":
          if (value === undefined) add(literal(key.name), this.flow(key, input, scope));
          else add(this.variable(key, scope), this.flow(value, input, scope));
          break;
        default: {
          const name = this.flow(key, input, scope);
          cardinality = times(cardinality, name.cardinality);
          add(
            name.type,
            value === undefined ? one(indexOf(input, name.type)) : this.flow(value, input, scope),
          );
        }
      }
    }
    return { type: object(members, rest), cardinality };
  }

  private variable(node: Extract<Expression, { kind: "Variable" }>, scope: Scope): Type {
    const declaration = this.resolution.variables.get(node);
    if (declaration !== undefined) return this.find(declaration, scope)?.type ?? unknown;
    return this.options.variables?.get(node.name) ?? (node.name === "ENV" ? object([], string) : unknown);
  }

  private find(key: Environment["key"], scope: Scope): Environment | undefined {
    for (let at = scope; at !== undefined; at = at.parent) {
      this.steps++;
      if (at.key === key) return at;
    }
    return undefined;
  }

  private postfix({ head, suffixes }: Postfix, input: Type, scope: Scope): Flow {
    let result = this.flow(head, input, scope);
    for (const suffix of suffixes) {
      const next = this.suffix(suffix, result.type, input, scope);
      result = { type: next.type, cardinality: next.replace ?? times(result.cardinality, next.cardinality) };
      if (suffix.kind === "Optional") result = { ...result, cardinality: atMost(result.cardinality) };
    }
    return result;
  }

  private suffix(suffix: Suffix, target: Type, input: Type, scope: Scope): Flow & { replace?: Cardinality } {
    switch (suffix.kind) {
      case "Field": {
        const { key } = suffix;
        if (key.kind === "Name") return one(memberOf(target, key.text));
        const { type, cardinality } = this.flow(key, input, scope);
        return { type: indexOf(target, type), cardinality };
      }
      case "Index": {
        const { type, cardinality } = this.flow(suffix.index, input, scope);
        return { type: indexOf(target, type), cardinality };
      }
      case "Slice": {
        const bounds = [suffix.from, suffix.to].filter((bound) => bound !== undefined);
        const counts = bounds.map((bound) => this.flow(bound, input, scope).cardinality);
        return { type: sliceOf(target), cardinality: counts.reduce(times, "one") };
      }
      case "Iterate":
        return { type: itemsOf(target), cardinality: "many" };
      case "Optional":
        return one(target);
    }
  }

  private pipeline(stages: readonly Stage[], input: Type, scope: Scope): Flow {
    let value = input;
    let inner = scope;
    let cardinality: Cardinality = "one";
    for (const stage of stages) {
      switch (stage.kind) {
        case "Definition":
          inner = { key: stage, parent: inner };
          break;
        case "Label":
          // A break may end the stream before the first output.
          cardinality = times(cardinality, "maybe");
          break;
        case "Binding": {
          const source = this.flow(stage.source, value, inner);
          cardinality = times(cardinality, source.cardinality);
          if (stage.patterns.length > 1) cardinality = times(cardinality, "unknown");
          inner = this.bind(stage.patterns, source.type, value, inner);
          break;
        }
        default: {
          const flow = this.flow(stage, value, inner);
          cardinality = times(cardinality, flow.cardinality);
          value = flow.type;
        }
      }
    }
    return { type: value, cardinality };
  }

  /** With alternatives (`?//`) a variable may also be null, or come from another pattern. */
  private bind(patterns: readonly Pattern[], value: Type, input: Type, scope: Scope): Scope {
    let inner = scope;
    for (const pattern of patterns) {
      inner = this.bindPattern(pattern, patterns.length > 1 ? unknown : value, input, inner);
    }
    return inner;
  }

  private bindPattern(pattern: Pattern, value: Type, input: Type, scope: Scope): Scope {
    switch (pattern.kind) {
      case "VariablePattern":
        return { key: pattern, type: value, parent: scope };
      case "ArrayPattern": {
        let inner = scope;
        for (const item of pattern.items)
          inner = this.bindPattern(item, indexOf(value, number), input, inner);
        return inner;
      }
      case "ObjectPattern": {
        let inner = scope;
        for (const { key, pattern: below } of pattern.entries) {
          let name: Type = unknown;
          if (key.kind === "Name") name = literal(key.text);
          else if (key.kind === "VariablePattern") name = literal(key.name);
          else name = this.flow(key, input, scope).type;
          const member = indexOf(value, name);
          if (key.kind === "VariablePattern") inner = { key, type: member, parent: inner };
          if (below !== undefined) inner = this.bindPattern(below, member, input, inner);
        }
        return inner;
      }
    }
  }

  private conditional({ branches, otherwise }: If, input: Type, scope: Scope): Flow {
    let result = otherwise === undefined ? one(input) : this.flow(otherwise, input, scope);
    for (const { condition, body } of [...branches].reverse()) {
      const test = this.flow(condition, input, scope);
      const then = this.flow(body, input, scope);
      result = {
        type: union(then.type, result.type),
        cardinality: times(test.cardinality, either(then.cardinality, result.cardinality)),
      };
    }
    return result;
  }

  private fold(node: Reduce | Foreach, input: Type, scope: Scope): Flow {
    const source = this.flow(node.source, input, scope);
    const initial = this.flow(node.initial, input, scope);
    const inner = this.bind(node.patterns, source.type, input, scope);
    let state = initial.type;
    for (let round = 0; ; round++) {
      const updated = this.flow(node.update, state, inner);
      const next = union(state, updated.type, updated.cardinality === "one" ? never : nullType);
      if (next === state) break;
      state = round >= 4 ? unknown : widenLiterals(next);
    }
    if (node.kind === "Reduce") return { type: state, cardinality: initial.cardinality };
    const extracted = node.extract === undefined ? state : this.flow(node.extract, state, inner).type;
    return { type: extracted, cardinality: source.cardinality === "none" ? "none" : "many" };
  }

  private assignment({ operator, target, value }: Assignment, input: Type, scope: Scope): Flow {
    const path = memberPath(target);
    const evaluated = operator === "|=" ? undefined : this.flow(value, input, scope);
    if (operator !== "|=") this.flow(target, input, scope);
    const cardinality = evaluated?.cardinality ?? "one";
    if (path === undefined) {
      this.flow(target, input, scope);
      return { type: unknown, cardinality };
    }
    const change = (old: Type): Type => {
      switch (operator) {
        case "=":
          return evaluated!.type;
        case "|=": {
          const updated = this.flow(value, old, scope);
          // Without an output the member is deleted.
          return updated.cardinality === "one" ? updated.type : unknown;
        }
        case "//=":
          return union(truthy(old), evaluated!.type);
        default:
          return arithmetic(operator.slice(0, -1) as "+" | "-" | "*" | "/" | "%", old, evaluated!.type);
      }
    };
    if (operator === "|=" && this.flow(value, unknown, scope).cardinality !== "one") {
      return { type: unknown, cardinality };
    }
    return { type: update(input, path, change), cardinality };
  }

  private call(node: Call, input: Type, scope: Scope): Flow {
    const declaration = this.resolution.functions.get(node);
    if (declaration?.kind === "Parameter") return this.parameter(declaration, input, scope);
    if (declaration?.kind === "Definition") return this.definition(declaration, node, input, scope);
    const name = node.name.text;
    const arity = node.arguments.length;
    if (arity > 0 || builtin(name, arity) === undefined) {
      // Every argument is visited, so that an editor knows its type, whatever the rule needs.
      const rule = ruleOf(name, arity);
      if (rule === undefined) {
        for (const argument of node.arguments) this.flow(argument, unknown, scope);
        return anyFlow;
      }
      return rule(
        input,
        node.arguments.map((argument) => (value: Type) => this.flow(argument, value, scope)),
      );
    }
    return ruleOf(name, arity)?.(input, []) ?? anyFlow;
  }

  private parameter(parameter: Parameter, input: Type, scope: Scope): Flow {
    const entry = this.find(parameter, scope);
    if (entry?.type !== undefined) return one(entry.type);
    return entry?.closure === undefined
      ? anyFlow
      : this.flow(entry.closure.node, input, entry.closure.environment);
  }

  private definition(definition: Definition, { arguments: args }: Call, input: Type, scope: Scope): Flow {
    const activations = this.active.get(definition) ?? 0;
    if (activations >= ACTIVATION_LIMIT) return anyFlow;
    let inner: Scope = this.find(definition, scope);
    if (inner === undefined) return anyFlow;
    let cardinality: Cardinality = "one";
    for (const [index, parameter] of definition.parameters.entries()) {
      const argument = args[index]!;
      if (parameter.byValue) {
        const flow = this.flow(argument, input, scope);
        cardinality = times(cardinality, flow.cardinality);
        inner = { key: parameter, type: flow.type, parent: inner };
      } else inner = { key: parameter, closure: { node: argument, environment: scope }, parent: inner };
    }
    this.active.set(definition, activations + 1);
    const flow = this.flow(definition.body, input, inner);
    this.active.set(definition, activations);
    return { type: flow.type, cardinality: times(cardinality, flow.cardinality) };
  }
}

/** `first // otherwise` */
function alternative(first: Flow, otherwise: Flow): Flow {
  const kept = truthy(first.type);
  if (kept.kind === "never" && first.type.kind !== "unknown") return otherwise;
  if (first.cardinality === "one" && kept === first.type && first.type.kind !== "unknown") return first;
  const cardinality =
    first.cardinality === "maybe" || first.cardinality === "one"
      ? either("one", otherwise.cardinality)
      : either(first.cardinality, otherwise.cardinality);
  return { type: union(kept, otherwise.type), cardinality };
}

/** The names of `.a.b.c`; undefined for any other expression. */
function memberPath(node: Expression): readonly string[] | undefined {
  if (node.kind === "Group") return memberPath(node.body);
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return undefined;
  const path: string[] = [];
  for (const suffix of node.suffixes) {
    if (suffix.kind !== "Field") return undefined;
    const name =
      suffix.key.kind === "Name"
        ? suffix.key.text
        : suffix.key.kind === "String"
          ? literalText(suffix.key)
          : undefined;
    if (name === undefined) return undefined;
    path.push(name);
  }
  return path;
}

function update(type: Type, path: readonly string[], change: (old: Type) => Type): Type {
  const [name, ...rest] = path;
  if (name === undefined) return change(type);
  return withMember(type, name, update(memberOf(type, name), rest, change));
}
