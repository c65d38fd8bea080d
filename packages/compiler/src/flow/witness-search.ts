import type { ArithmeticOperand, Call, Expression, ObjectConstruction, Pipeline, Type } from "@configc/jq";
import { types } from "@configc/jq";
import { outputGiven } from "./builtin-sources.ts";
import { entryOf, nameOf } from "./literal-object.ts";
import { orNull, partOfKind, violates } from "./violation.ts";

/** An expression that makes a value which certainly isn't wanted where it goes to. */
export interface Made {
  readonly expression: Expression;
  readonly found: Type;
  readonly wanted: Type;
  /** Where it stands in the whole: `["results"]`, `["[]", "display"]`. */
  readonly path: readonly string[];
}

/** Goes on with what makes a value that an expression takes from elsewhere. */
export type Continue<T> = (wanted: Type, path: readonly string[]) => T[];

/** What an expression takes from around it. */
interface Around<T> {
  readonly input: Continue<T>;
  /** Whether the input is what a fold made before: nothing is told of it once more. */
  readonly isFold?: boolean;
  readonly variables: ReadonlyMap<string, Continue<T>>;
  /** The bodies of functions without parameters, with what is around them. */
  readonly functions: ReadonlyMap<string, { readonly body: Expression; readonly around: Around<T> }>;
}

/** Expressions that one search may look at: a variable or a function may be used many times. */
const STEPS = 2000;

/**
 * Goes from an expression to those that its value is made of, as far as they are the value itself or a part of it, and finds the
 * smallest ones that certainly make something else than what is wanted.
 */
export class WitnessSearch<T> {
  private readonly typeOf: (node: Expression) => Type | undefined;
  private readonly found: (made: Made) => T;
  private readonly hole: (index: number, ...rest: Parameters<Continue<T>>) => T[];
  private steps = 0;

  /**
   * @param typeOf the type of an expression's outputs, as far as it is known
   * @param found makes the result of an expression
   * @param hole goes on with what an expansion stands for
   */
  constructor(
    typeOf: (node: Expression) => Type | undefined,
    found: (made: Made) => T,
    hole: (index: number, ...rest: Parameters<Continue<T>>) => T[] = () => [],
  ) {
    this.typeOf = typeOf;
    this.found = found;
    this.hole = hole;
  }

  /** @param input what makes the input of the program */
  program(body: Expression, wanted: Type, input: Continue<T>): T[] {
    return this.search(body, wanted, [], { input, variables: new Map(), functions: new Map() });
  }

  private search(node: Expression, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    if (++this.steps > STEPS) return [];
    const inner = this.inner(node, wanted, path, around);
    if (inner.length > 0 || (node.kind === "Identity" && around.isFold === true)) return inner;
    const found = this.typeOf(node);
    if (found === undefined || !violates(found, wanted)) return [];
    return [this.found({ expression: node, found, wanted, path })];
  }

  private inner(node: Expression, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    const each = (nodes: readonly (Expression | undefined)[]): T[] =>
      nodes.flatMap((branch) => (branch === undefined ? [] : this.branch(branch, wanted, path, around)));
    switch (node.kind) {
      case "Group":
        return this.search(node.body, wanted, path, around);
      case "Try":
        return each([node.body, node.handler]);
      case "Pipeline":
        return this.pipeline(node, wanted, path, around);
      case "If":
        return each([...node.branches.map(({ body }) => body), node.otherwise]);
      case "Alternative":
        return each(node.operands);
      case "Comma":
        return node.items.flatMap((item) => this.search(item, wanted, path, around));
      case "Array": {
        const list = partOfKind(wanted, "array");
        if (node.body === undefined || list?.kind !== "array") return [];
        return this.search(node.body, list.items, [...path, "[]"], around);
      }
      case "Object":
        return this.members(node, wanted, path, around);
      case "Assignment":
        return this.assignment(node, wanted, path, around);
      case "Arithmetic":
        return this.sum([node.first, ...node.rest], wanted, path, around);
      case "Reduce":
      case "Foreach": {
        const inside = { ...around, input: () => [], isFold: true };
        const update = node.kind === "Foreach" ? (node.extract ?? node.update) : node.update;
        // What it begins with isn't what it gives, unless there is nothing to go through.
        return this.search(update, wanted, path, inside);
      }
      case "Identity":
        return this.through(node, wanted, path, around.input);
      case "Variable":
        return this.through(node, wanted, path, around.variables.get(node.name));
      case "Hole":
        return this.through(node, wanted, path, (type, part) => this.hole(node.hole, type, part));
      case "Postfix":
        return this.postfix(node, wanted, path, around);
      case "Call":
        return this.call(node, wanted, path, around);
      default:
        return [];
    }
  }

  /** A `null` that only one branch gives may be meant to end there. */
  private branch(node: Expression, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    return this.typeOf(node) === types.nullType ? [] : this.search(node, wanted, path, around);
  }

  /** What is given on as it is: only where what arrives is certainly wrong, since some of it may have been left out. */
  private through(
    node: Expression,
    wanted: Type,
    path: readonly string[],
    next: Continue<T> | undefined,
  ): T[] {
    const found = this.typeOf(node);
    return next === undefined || found === undefined || !violates(found, wanted) ? [] : next(wanted, path);
  }

  private pipeline({ stages }: Pipeline, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    let at = around;
    for (const [index, stage] of stages.entries()) {
      const before = at;
      switch (stage.kind) {
        case "Label":
          break;
        case "Definition":
          if (stage.parameters.length === 0) {
            const known = new Map(at.functions);
            at = { ...at, functions: known.set(stage.name.text, { body: stage.body, around: before }) };
          }
          break;
        case "Binding": {
          const [pattern, another] = stage.patterns;
          if (pattern?.kind !== "VariablePattern" || another !== undefined) break;
          const variables = new Map(at.variables);
          variables.set(pattern.name, (type, part) => this.maker(stage.source, type, part, before));
          at = { ...at, variables };
          break;
        }
        default:
          if (index === stages.length - 1) return this.search(stage, wanted, path, at);
          at = { ...at, isFold: false, input: (type, part) => this.maker(stage, type, part, before) };
      }
    }
    return [];
  }

  /** What makes a value that is given on. One that is only taken from somewhere isn't made there. */
  private maker(node: Expression, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    const isTaken = node.kind === "Hole" || (node.kind === "Postfix" && node.head.kind === "Identity");
    return isTaken ? this.inner(node, wanted, path, around) : this.search(node, wanted, path, around);
  }

  private postfix(
    node: Extract<Expression, { kind: "Postfix" }>,
    wanted: Type,
    path: readonly string[],
    around: Around<T>,
  ): T[] {
    const { head, suffixes } = node;
    const kinds = suffixes.map(({ kind }) => kind).filter((kind) => kind !== "Optional");
    const next: Continue<T> = (type, part) =>
      head.kind === "Identity" ? around.input(type, part) : this.search(head, type, part, around);
    if (kinds.every((kind) => kind === "Slice")) return this.through(node, wanted, path, next);
    if (kinds.length > 1 || kinds[0] !== "Iterate") return [];
    return this.through(node, wanted, path, itemsOf(next));
  }

  private call(node: Call, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    const { name, arguments: given } = node;
    const known = given.length === 0 ? around.functions.get(name.text) : undefined;
    if (known !== undefined) {
      // The body takes what the call takes.
      const inside = { ...known.around, input: around.input };
      return this.through(node, wanted, path, (type, part) => this.search(known.body, type, part, inside));
    }
    const whole = outputGiven(node, []);
    if (whole?.path.length === 0) {
      const argument = given[whole.argument ?? -1];
      return argument === undefined
        ? this.through(node, wanted, path, around.input)
        : this.search(argument, wanted, path, around);
    }
    const list = partOfKind(wanted, "array");
    if (name.text !== "map" || given.length !== 1 || list?.kind !== "array") return [];
    const inside = { ...around, input: itemsOf(around.input) };
    return this.search(given[0]!, list.items, [...path, "[]"], inside);
  }

  private members(node: ObjectConstruction, wanted: Type, path: readonly string[], around: Around<T>): T[] {
    const object = partOfKind(wanted, "object");
    if (object?.kind !== "object" || lacksMember(this.typeOf(node), object)) return [];
    return [...object.members].flatMap(([name, member]) => {
      const value = entryOf(node, name)?.value;
      return value === undefined ? [] : this.search(value, orNull(member), [...path, name], around);
    });
  }

  /** `.a = VALUE`: what is set, and the others as they were. */
  private assignment(
    node: Extract<Expression, { kind: "Assignment" }>,
    wanted: Type,
    path: readonly string[],
    around: Around<T>,
  ): T[] {
    const object = partOfKind(wanted, "object");
    const name = memberOf(node.target);
    if (object?.kind !== "object" || name === undefined || lacksMember(this.typeOf(node), object)) return [];
    const member = object.members.get(name);
    const set =
      member === undefined || node.operator !== "="
        ? []
        : this.search(node.value, orNull(member), [...path, name], around);
    const others = [...object.members].filter(([other]) => other !== name);
    return [...set, ...this.through(node, types.object(others, types.unknown), path, around.input)];
  }

  /** Lists are joined; of objects, each member is that of the last one that has it. */
  private sum(
    operands: readonly (Expression | ArithmeticOperand)[],
    wanted: Type,
    path: readonly string[],
    around: Around<T>,
  ): T[] {
    if (operands.some((each) => each.kind === "ArithmeticOperand" && each.operator !== "+")) return [];
    const nodes = operands.map((each) => (each.kind === "ArithmeticOperand" ? each.operand : each));
    const found = nodes.map((node) => this.typeOf(node) ?? types.unknown);
    if (found.every(({ kind }) => kind === "array"))
      return nodes.flatMap((node) => this.search(node, wanted, path, around));
    const object = partOfKind(wanted, "object");
    if (object?.kind !== "object" || !found.every(({ kind }) => kind === "object")) return [];
    return [...object.members].flatMap(([name, member]) => {
      const index = found.findLastIndex(
        (type) => type.kind !== "object" || type.members.has(name) || type.rest,
      );
      const node = nodes[index];
      const type = found[index];
      if (node === undefined || type?.kind !== "object" || type.members.get(name)?.optional !== false)
        return [];
      return this.search(node, types.object([[name, member]], types.unknown), path, around);
    });
  }
}

/** The member that `.name` is. */
function memberOf(target: Expression): string | undefined {
  if (target.kind !== "Postfix" || target.head.kind !== "Identity") return undefined;
  const [suffix, another] = target.suffixes;
  if (suffix?.kind !== "Field" || another !== undefined || suffix.key.kind === "Hole") return undefined;
  return nameOf(suffix.key);
}

/** What makes the items of what is made there: they are in a list that the path says already. */
function itemsOf<T>(list: Continue<T>): Continue<T> {
  return (wanted, path) => (path.at(-1) === "[]" ? list(types.array(wanted), path.slice(0, -1)) : []);
}

/** Missing members are told of the object as a whole. */
function lacksMember(found: Type | undefined, wanted: Extract<Type, { kind: "object" }>): boolean {
  if (found?.kind !== "object" || found.rest !== undefined) return false;
  return [...wanted.members].some(([name, { optional }]) => !optional && !found.members.has(name));
}
