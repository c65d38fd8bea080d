import { builtin } from "../builtins/index.ts";
import { constantOf } from "../constant.ts";
import type { CustomFunction } from "../custom-functions.ts";
import { isCallable } from "../parameters.ts";
import type { Call, Definition, Expression, Parameter } from "../syntax-tree.ts";
import { walk } from "../walk.ts";
import { reportMissing } from "./access.ts";
import { times } from "./cardinality.ts";
import type { Change, UpdateMode } from "./changes.ts";
import type { Context } from "./context.ts";
import type { Closure, Environment, Scope } from "./environment.ts";
import { shownOperand, shownType } from "./findings.ts";
import { anyFlow, combined, type Flow, failing, none } from "./flow.ts";
import { narrow } from "./narrow.ts";
import { isSubtype, ofKinds } from "./operations.ts";
import { reportUnlikeChoices } from "./operators.ts";
import { memberPaths } from "./places.ts";
import { ruleOf } from "./rules/index.ts";
import type { Argument, BuiltinRule, Kind } from "./rules/rule.ts";
import { never, partsOf, type Type, union, unknown, widenLiterals } from "./type.ts";
import { reportUnusedWrite } from "./unused-writes.ts";
import { Updater } from "./update.ts";

/** A call of a definition that is being inferred. */
interface Activation {
  readonly outer: Scope;
  readonly input: Type;
  /** Of parameters by value, at their positions. */
  readonly values: readonly (Type | undefined)[];
  readonly closures: readonly (Closure | undefined)[];
  /** What a call inside it is taken to give. */
  assumed: Flow;
  /** Whether a call inside has relied on that. */
  used: boolean;
}

/** Activations of one definition within each other; further ones are of any values. */
const ACTIVATION_LIMIT = 3;
/** Rounds in which what a recursive definition gives may grow. */
const ROUND_LIMIT = 3;

/** Infers calls: of definitions, of parameters, and of builtins by their rules. */
export class Calls {
  private readonly context: Context;
  private readonly active = new Map<Definition, Activation[]>();
  /** Definitions that are being inferred for any values. */
  private readonly open = new Set<Definition>();

  constructor(context: Context) {
    this.context = context;
  }

  flow(node: Call, input: Type, scope: Scope): Flow {
    const declaration = this.context.resolution.functions.get(node);
    if (declaration?.kind === "Parameter") return this.parameter(declaration, input, scope);
    if (declaration?.kind === "Definition") return this.definition(declaration, node, input, scope);
    return this.builtin(node, input, scope);
  }

  private parameter(parameter: Parameter, input: Type, scope: Scope): Flow {
    const entry = find(parameter, scope);
    if (entry?.closure === undefined) return anyFlow;
    return this.context.flow(entry.closure.node, input, entry.closure.scope);
  }

  private definition(definition: Definition, node: Call, input: Type, scope: Scope): Flow {
    const outer = find(definition, scope);
    if (outer === undefined) return anyFlow;
    const flows: Flow[] = [];
    const values: (Type | undefined)[] = [];
    const closures: (Closure | undefined)[] = [];
    for (const [index, parameter] of definition.parameters.entries()) {
      const argument = node.arguments[index]!;
      const flow = parameter.byValue ? this.context.flow(argument, input, scope) : undefined;
      if (flow !== undefined) flows.push(flow);
      values.push(flow?.type);
      closures.push(isCallable(parameter, definition) ? this.closure(argument, scope) : undefined);
    }
    const given = combined(unknown, flows);
    if (given.type.kind === "never" || input.kind === "never") return given.fails ? failing : none;
    const body = this.activate(definition, { outer, input, values, closures });
    return {
      type: body.type,
      cardinality: times(given.cardinality, body.cardinality),
      fails: given.fails || (body.fails && given.cardinality === "one"),
    };
  }

  /** What an argument stands for; a parameter that is only passed on stands for what it stands for itself. */
  private closure(node: Expression, scope: Scope): Closure {
    if (node.kind === "Group") return this.closure(node.body, scope);
    const declaration = node.kind === "Call" ? this.context.resolution.functions.get(node) : undefined;
    const entry = declaration?.kind === "Parameter" ? find(declaration, scope) : undefined;
    return entry?.closure ?? { node, scope };
  }

  private activate(
    definition: Definition,
    call: Pick<Activation, "outer" | "input" | "values" | "closures">,
  ): Flow {
    if (this.open.has(definition)) return this.anyCall(call.closures);
    const stack = this.active.get(definition) ?? [];
    this.active.set(definition, stack);
    const same = stack.find((activation) => covers(activation, call));
    if (same !== undefined) {
      same.used = true;
      return same.assumed;
    }
    if (stack.length >= ACTIVATION_LIMIT) return this.inferOpen(definition, call);
    const activation: Activation = { ...widened(call, stack), assumed: failing, used: false };
    stack.push(activation);
    const flow = this.settle(definition, activation);
    stack.pop();
    return flow;
  }

  /** Infers the body until what it gives is what calls inside it were taken to give. */
  private settle(definition: Definition, activation: Activation): Flow {
    for (let round = 0; ; round++) {
      const { parameters } = definition;
      let scope: Scope = activation.outer;
      for (const [index, parameter] of parameters.entries()) {
        const type = activation.values[index];
        const closure = activation.closures[index];
        scope = {
          key: parameter,
          ...(type === undefined ? {} : { type }),
          ...(closure === undefined ? {} : { closure }),
          parent: scope,
        };
      }
      const flow = this.context.flow(definition.body, activation.input, scope);
      if (!activation.used) return flow;
      const { assumed } = activation;
      const isSettled = isSubtype(flow.type, assumed.type) && flow.cardinality === assumed.cardinality;
      // A definition that never ends doesn't certainly fail: its first outputs may be all that is wanted.
      if (isSettled || round > ROUND_LIMIT) return { ...flow, fails: false };
      activation.assumed =
        round >= ROUND_LIMIT
          ? anyFlow
          : {
              type: widenLiterals(union(assumed.type, flow.type)),
              cardinality: flow.cardinality,
              fails: false,
            };
    }
  }

  /** Infers the body once for any values, so that no finding in it holds for known ones only. */
  private inferOpen(
    definition: Definition,
    { outer, closures }: Pick<Activation, "outer" | "closures">,
  ): Flow {
    this.open.add(definition);
    let scope: Scope = outer;
    for (const parameter of definition.parameters) {
      scope = parameter.byValue
        ? { key: parameter, type: unknown, parent: scope }
        : { key: parameter, parent: scope };
    }
    this.context.flow(definition.body, unknown, scope);
    this.anyCall(closures);
    this.open.delete(definition);
    return anyFlow;
  }

  private anyCall(closures: readonly (Closure | undefined)[]): Flow {
    for (const closure of closures) {
      if (closure !== undefined) this.context.flow(closure.node, unknown, closure.scope);
    }
    return anyFlow;
  }

  private builtin(node: Call, input: Type, scope: Scope): Flow {
    const name = node.name.text;
    const known = builtin(name, node.arguments.length);
    const rule = known === undefined ? undefined : ruleOf(name, node.arguments.length);
    const key = `${name}/${node.arguments.length}`;
    const custom = Object.hasOwn(this.context.functions, key) ? this.context.functions[key] : undefined;
    if (custom !== undefined) return this.custom(custom, node, input, scope);
    if (known === undefined || rule === undefined) {
      for (const argument of node.arguments) this.context.flow(argument, unknown, scope);
      return anyFlow;
    }
    const flows: Flow[] = [];
    const values = known.parameters.map((parameter, index) => {
      if (!parameter.startsWith("$")) return unknown;
      const flow = this.context.flow(node.arguments[index]!, input, scope);
      flows.push(flow);
      return flow.type;
    });
    const given = combined(unknown, flows);
    if (given.type.kind === "never" || input.kind === "never") return given.fails ? failing : none;
    if (!this.isAccepted(node, rule, input, values)) {
      // Some functions evaluate arguments before they find that out.
      for (const argument of node.arguments) this.context.flow(argument, unknown, scope);
      return given.cardinality === "one" ? failing : none;
    }
    if (key === "IN/1") reportUnlikeChoices(node.arguments[0]!, input, this.context.reports);
    if (key === "with_entries/1") reportUnusedWrite(node, this.context.resolution, this.context.reports);
    const args = node.arguments.map((argument) => this.argument(argument, scope));
    const taken = rule.input === undefined ? input : ofKinds(input, rule.input);
    const flow = rule.flow({ input: taken, given: input, arguments: args, values });
    return {
      type: flow.type,
      cardinality: times(given.cardinality, flow.cardinality),
      fails: given.fails || (flow.fails && given.cardinality === "one"),
    };
  }

  private custom({ type = unknown, run }: CustomFunction, node: Call, input: Type, scope: Scope): Flow {
    const given = node.arguments.map((argument) => this.context.flow(argument, input, scope));
    const values = combined(unknown, given);
    if (values.type.kind === "never" || input.kind === "never") return values.fails ? failing : none;
    return { type, cardinality: run === undefined ? "many" : values.cardinality, fails: values.fails };
  }

  /** Reports an input or an argument with which the function always fails. */
  private isAccepted(node: Call, rule: BuiltinRule, input: Type, values: readonly Type[]): boolean {
    const { reports } = this.context;
    const { name } = node;
    if (!hasKind(input, rule.input)) {
      reports.wrong(node, name, "input-type", {
        name: name.text,
        found: shownType(input),
        accepted: rule.input!,
      });
      return false;
    }
    reports.fine(node, "input-type");
    const clash = rule.clash?.(input);
    if (clash !== undefined) {
      const [left, right] = clash;
      reports.wrong(node, name, "operand-types", {
        operator: "+",
        left: shownOperand(left),
        right: shownOperand(right),
      });
      return false;
    }
    if (rule.clash !== undefined) reports.fine(node, "operand-types");
    if (name.text === "has") reportMissing(input, values[0]!, node.arguments[0]!, reports, "has");
    let isAccepted = true;
    for (const [index, argument] of node.arguments.entries()) {
      const pairs = index === 0 && input.kind !== "unknown" ? rule.pairs : undefined;
      const accepted =
        pairs === undefined
          ? rule.arguments?.[index]
          : [...new Set(partsOf(input).flatMap(({ kind }) => pairs(kind as Kind)))];
      if (hasKind(values[index]!, accepted)) reports.fine(argument, "argument-type");
      else {
        isAccepted = false;
        reports.wrong(argument, argument, "argument-type", {
          name: name.text,
          position: index + 1,
          found: shownType(values[index]!),
          accepted: accepted!,
          ...(pairs === undefined ? {} : { input: shownType(input) }),
        });
      }
    }
    return isAccepted;
  }

  private argument(node: Expression, scope: Scope): Argument {
    const { context } = this;
    const infer = (input: Type): Flow => (input.kind === "never" ? none : context.flow(node, input, scope));
    return Object.assign(infer, {
      paths: (input: Type) => context.reports.paths(() => infer(input)),
      narrow: (input: Type, truth: boolean) => narrow(node, { input, scope }, truth, context).input,
      update: (input: Type, mode: UpdateMode, change: Change) =>
        new Updater(context, mode).update(node, input, scope, change),
      constant: constantOf(node),
      members: memberPaths(node, context.resolution),
      isOptional: () => hasOptional(node),
    });
  }
}

export function find(key: Environment["key"], scope: Scope): Environment | undefined {
  for (let at = scope; at !== undefined; at = at.parent) if (at.key === key) return at;
  return undefined;
}

/** Whether some value of the type is of one of the kinds, as far as is known. */
function hasKind(type: Type, kinds: readonly Kind[] | undefined): boolean {
  if (kinds === undefined || type.kind === "unknown" || type.kind === "never") return true;
  return partsOf(type).some(({ kind }) => kinds.includes(kind as Kind));
}

/** Whether a call is one of those that an activation stands for. */
function covers(
  activation: Activation,
  call: Pick<Activation, "outer" | "input" | "values" | "closures">,
): boolean {
  return (
    activation.outer === call.outer &&
    isSubtype(call.input, activation.input) &&
    call.values.every((value, index) => value === undefined || isSubtype(value, activation.values[index]!)) &&
    call.closures.every(
      (closure, index) =>
        closure?.node === activation.closures[index]?.node &&
        closure?.scope === activation.closures[index]?.scope,
    )
  );
}

/** A call inside calls of the same definition stands for those that follow, too. */
function widened<Call extends Pick<Activation, "input" | "values">>(
  call: Call,
  stack: readonly Activation[],
): Call {
  if (stack.length === 0) return call;
  const widen = (types: readonly Type[]): Type =>
    stack.length >= ACTIVATION_LIMIT - 1 ? unknown : widenLiterals(union(...types));
  return {
    ...call,
    input: widen([call.input, ...stack.map(({ input }) => input)]),
    values: call.values.map((value, index) =>
      value === undefined ? undefined : widen([value, ...stack.map(({ values }) => values[index] ?? never)]),
    ),
  };
}

function hasOptional(node: Expression): boolean {
  let found = false;
  walk(node, {
    enter: ({ kind }) => {
      found ||= kind === "Optional" || kind === "Try";
      return !found;
    },
  });
  return found;
}
