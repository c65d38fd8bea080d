import type { Call, Expression, ObjectConstruction, Pattern, Postfix, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq";
import type { JqProgram } from "../bind/model.ts";
import { entryOf, finalObject } from "./literal-object.ts";

/** Names of members, and `[]` for the items of an array or the values of an object. */
export type ValuePath = readonly string[];

/** What a value in a program comes from. */
export type ValueSource =
  /** A part of the program's input, or of one of its expansions. */
  | { readonly kind: "input"; readonly path: ValuePath }
  | { readonly kind: "hole"; readonly hole: number; readonly path: ValuePath }
  /** It is made there: a literal, a call … */
  | { readonly kind: "made"; readonly node: Expression };

type Trace = (path: ValuePath) => readonly ValueSource[];

/** Where an expression stands: what its input and the variables are. */
interface Surroundings {
  readonly input: Trace;
  readonly variables: ReadonlyMap<string, Trace>;
}

/** Expressions that one question may look at: variables may be asked for again and again. */
const STEPS = 500;

/**
 * Walks back from an expression of a program to what a part of its value may come from, without evaluating anything: several
 * sources for `.name // .login`, none where that depends on values.
 *
 * @param path the part that is asked for; empty for the whole value
 */
export function sourcesOf(program: JqProgram, node: Expression, path: ValuePath): readonly ValueSource[] {
  const search = new Search();
  const at = search.surroundingsOf(program.tree.body, node, outermost);
  return at === undefined ? [] : search.trace(node, path, at);
}

/** The same for the input of an expression. */
export function inputSources(program: JqProgram, node: Expression, path: ValuePath): readonly ValueSource[] {
  return new Search().surroundingsOf(program.tree.body, node, outermost)?.input(path) ?? [];
}

const outermost: Surroundings = { input: (path) => [{ kind: "input", path }], variables: new Map() };

/** What a part of the program's output comes from. */
export function outputSources(program: JqProgram, path: ValuePath): readonly ValueSource[] {
  const made = finalObject(program);
  if (made !== undefined && path[0] !== undefined && entryOf(made, path[0]) === undefined)
    return [{ kind: "made", node: made }];
  return sourcesOf(program, program.tree.body, path);
}

const nowhere: Trace = () => [];

class Search {
  private steps = 0;

  /** The surroundings of an expression somewhere in another one. */
  surroundingsOf(from: Expression, wanted: Expression, at: Surroundings): Surroundings | undefined {
    if (from === wanted) return at;
    if (wanted.start < from.start || from.end < wanted.end) return undefined;
    for (const [inner, around] of this.parts(from, at)) {
      const found = this.surroundingsOf(inner, wanted, around);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The expressions in an expression, each with its surroundings. */
  private parts(node: Expression, at: Surroundings): (readonly [Expression, Surroundings])[] {
    const same = (...nodes: (Expression | undefined)[]) =>
      nodes.filter((each) => each !== undefined).map((each) => [each, at] as const);
    switch (node.kind) {
      case "Group":
        return same(node.body);
      case "Try":
        return same(node.body, node.handler);
      case "Array":
        return same(node.body);
      case "Negation":
        return same(node.operand);
      case "Comma":
        return same(...node.items);
      case "Alternative":
      case "Logical":
        return same(...node.operands);
      case "Comparison":
        return same(node.left, node.right);
      case "Arithmetic":
        return same(node.first, ...node.rest.map(({ operand }) => operand));
      case "Assignment":
        return same(node.target, node.value);
      case "Object":
        return same(
          ...node.entries.flatMap(({ key, value }) => (key.kind === "Group" ? [key.body, value] : [value])),
        );
      case "String":
        return same(
          ...node.parts.map((part) => (part.kind === "Interpolation" ? part.expression : undefined)),
        );
      case "If":
        return same(...node.branches.flatMap(({ condition, body }) => [condition, body]), node.otherwise);
      case "Postfix":
        return same(
          node.head,
          ...node.suffixes.map((suffix) => (suffix.kind === "Index" ? suffix.index : undefined)),
        );
      case "Pipeline":
        return this.stages(node, at);
      case "Call":
        return node.arguments.map((argument) => [argument, this.inCall(node, at)] as const);
      case "Reduce":
        return [...same(node.source, node.initial), [node.update, this.inFold(node, at)]];
      case "Foreach": {
        const inside = this.inFold(node, at);
        const extract = node.extract === undefined ? [] : [[node.extract, inside] as const];
        return [...same(node.source, node.initial), [node.update, inside], ...extract];
      }
      default:
        return [];
    }
  }

  private stages(
    { stages }: Extract<Expression, { kind: "Pipeline" }>,
    at: Surroundings,
  ): (readonly [Expression, Surroundings])[] {
    const found: (readonly [Expression, Surroundings])[] = [];
    let around = at;
    for (const stage of stages) {
      const before = around;
      if (stage.kind === "Definition" || stage.kind === "Label") continue;
      if (stage.kind === "Binding") {
        found.push([stage.source, before]);
        around = { ...around, variables: this.bound(stage.patterns, stage.source, before) };
        continue;
      }
      found.push([stage, before]);
      around = { ...around, input: (path) => this.trace(stage, path, before) };
    }
    return found;
  }

  /** What accumulates depends on values. */
  private inFold(
    { patterns, source }: Extract<Expression, { kind: "Reduce" | "Foreach" }>,
    at: Surroundings,
  ) {
    return { input: nowhere, variables: this.bound(patterns, source, at) };
  }

  private bound(patterns: readonly Pattern[], source: Expression, at: Surroundings): Map<string, Trace> {
    const variables = new Map(at.variables);
    const [only, ...others] = patterns;
    const bind = (pattern: Pattern, path: ValuePath): void => {
      if (pattern.kind === "VariablePattern")
        variables.set(pattern.name, (rest) => this.trace(source, [...path, ...rest], at));
      else if (pattern.kind === "ArrayPattern") for (const item of pattern.items) bind(item, [...path, "[]"]);
      else
        for (const { key, pattern: inner } of pattern.entries) {
          const name = key.kind === "Name" ? key.text : key.kind === "VariablePattern" ? key.name : undefined;
          if (name === undefined) continue;
          if (key.kind === "VariablePattern") bind(key, [...path, name]);
          if (inner !== undefined) bind(inner, [...path, name]);
        }
    };
    if (only !== undefined && others.length === 0) bind(only, []);
    return variables;
  }

  /** What the argument of a call takes: an item in `map`, the call's own input in most others. */
  private inCall({ name, arguments: { length } }: Call, at: Surroundings): Surroundings {
    const onItems = ["map", "any", "all", "sort_by", "group_by", "unique_by", "min_by", "max_by"];
    if (length === 1 && onItems.includes(name.text))
      return { ...at, input: (path) => at.input(["[]", ...path]) };
    return ["select", "first", "last", "del", "has", "path"].includes(name.text) && length === 1
      ? at
      : { ...at, input: nowhere };
  }

  trace(node: Expression, path: ValuePath, at: Surroundings): readonly ValueSource[] {
    if (++this.steps > STEPS) return [];
    const made: readonly ValueSource[] = [{ kind: "made", node }];
    switch (node.kind) {
      case "Identity":
        return at.input(path);
      case "Group":
      case "Try":
        return this.trace(node.body, path, at);
      case "Postfix":
        return this.postfix(node, path, at);
      case "Pipeline": {
        const last = this.stages(node, at).at(-1);
        return last === undefined ? [] : this.trace(last[0], path, last[1]);
      }
      case "Object":
        return path.length === 0 ? made : this.member(node, path, at);
      case "Array":
        if (path[0] !== "[]" || node.body === undefined) return made;
        return this.trace(node.body, path.slice(1), at);
      case "If": {
        const { branches, otherwise } = node;
        const bodies = this.each([...branches.map(({ body }) => body), otherwise], path, at);
        return told(otherwise === undefined ? [...bodies, ...at.input(path)] : bodies);
      }
      case "Alternative":
        return told(this.each(node.operands, path, at));
      case "Comma":
        return told(this.each(node.items, path, at));
      case "Arithmetic":
        return this.sum(node, path, at) ?? made;
      case "Variable":
        return at.variables.get(node.name)?.(path) ?? [];
      case "Hole":
        return [{ kind: "hole", hole: node.hole, path }];
      case "Call":
        return this.call(node, path, at) ?? made;
      case "Assignment":
        return [];
      default:
        return made;
    }
  }

  private each(
    nodes: readonly (Expression | undefined)[],
    path: ValuePath,
    at: Surroundings,
  ): readonly ValueSource[] {
    return nodes.flatMap((node) => (node === undefined ? [] : this.trace(node, path, at)));
  }

  private postfix({ head, suffixes }: Postfix, path: ValuePath, at: Surroundings): readonly ValueSource[] {
    const steps = stepsOf(suffixes);
    return steps === undefined ? [] : this.trace(head, [...steps, ...path], at);
  }

  private member(node: ObjectConstruction, path: ValuePath, at: Surroundings): readonly ValueSource[] {
    const [name = "", ...rest] = path;
    const entry = entryOf(node, name);
    if (entry === undefined) return [{ kind: "made", node }];
    if (entry.value !== undefined) return this.trace(entry.value, rest, at);
    return entry.key.kind === "Variable" ? (at.variables.get(name)?.(rest) ?? []) : at.input(path);
  }

  /** `. + {a: 1}`: the last one that has the member, and all that may have it. */
  private sum(
    { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
    path: ValuePath,
    at: Surroundings,
  ): readonly ValueSource[] | undefined {
    if (path.length === 0 || rest.some(({ operator }) => operator !== "+")) return undefined;
    const found: ValueSource[] = [];
    for (const operand of [...rest.map((each) => each.operand).reverse(), first]) {
      const object = operand.kind === "Group" ? operand.body : operand;
      const isLiteral = object.kind === "Object";
      if (isLiteral && entryOf(object, path[0]!) === undefined) continue;
      found.push(...this.trace(operand, path, at));
      if (isLiteral) break;
    }
    return found.length === 0 ? undefined : told(found);
  }

  private call(node: Call, path: ValuePath, at: Surroundings): readonly ValueSource[] | undefined {
    const { name, arguments: given } = node;
    const [first] = given;
    switch (`${name.text}/${given.length}`) {
      case "map/1":
        if (path[0] !== "[]") return undefined;
        return this.trace(first!, path.slice(1), this.inCall(node, at));
      case "first/1":
      case "last/1":
        return this.trace(first!, path, at);
      case "limit/2":
        return this.trace(given[1]!, path, at);
      case "select/1":
      case "del/1":
      case "sort/0":
      case "sort_by/1":
      case "unique/0":
      case "unique_by/1":
      case "reverse/0":
      case "values/0":
      case "objects/0":
      case "arrays/0":
        return at.input(path);
      case "first/0":
      case "last/0":
      case "min_by/1":
      case "max_by/1":
        return at.input(["[]", ...path]);
      case "group_by/1":
        return path[0] === "[]" && path[1] === "[]" ? at.input(path.slice(1)) : undefined;
      case "to_entries/0":
        return path[0] === "[]" && path[1] === "value" ? at.input(["[]", ...path.slice(2)]) : undefined;
      case "INDEX/1":
        return path.length > 0 ? at.input(["[]", ...path.slice(1)]) : undefined;
      case "with_entries/1":
        return first?.kind === "Call" && first.name.text === "select" ? at.input(path) : undefined;
      default:
        return undefined;
    }
  }
}

/** Each once, and what is made on the spot only where nothing else is told: it says least. */
function told(sources: readonly ValueSource[]): readonly ValueSource[] {
  const found = new Map<unknown, ValueSource>();
  for (const source of sources)
    found.set(source.kind === "made" ? source.node : JSON.stringify(source), source);
  const all = [...found.values()];
  const read = all.filter(({ kind }) => kind !== "made");
  return read.length > 0 ? read : all;
}

/** What suffixes lead to; undefined where one is computed. */
export function stepsOf(suffixes: readonly Suffix[]): ValuePath | undefined {
  const steps: string[] = [];
  for (const suffix of suffixes) {
    if (suffix.kind === "Optional" || suffix.kind === "Slice") continue;
    const step = suffix.kind === "Iterate" ? "[]" : keyOf(suffix);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

function keyOf(suffix: Extract<Suffix, { kind: "Field" | "Index" }>): string | undefined {
  const key = suffix.kind === "Index" ? suffix.index : suffix.key;
  if (key.kind === "Name") return key.text;
  if (key.kind === "Hole") return undefined;
  const value = constantOf(key);
  if (typeof value === "number") return "[]";
  return typeof value === "string" ? value : undefined;
}
