import type { Call, Expression, Node, ObjectConstruction, Postfix } from "@configc/jq";
import { children, resolve } from "@configc/jq";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { outputGiven } from "./builtin-sources.ts";
import { entryOf, finalObject } from "./literal-object.ts";
import { changesScope, Places, type ProgramScope, rootScope } from "./program-scope.ts";
import { stepsOf, type ValuePath, type ValueSource } from "./value-path.ts";

/** Expressions that one question may look at: variables and functions may be asked for again and again. */
const STEPS = 500;
/** Nodes that may be looked at for where one stands. */
const PLACES = 10_000;

/**
 * Walks back from an expression of a program to what a part of its value may come from, without evaluating anything: several
 * sources for `.name // .login`, none where that depends on values.
 *
 * @param path the part that is asked for; empty for the whole value
 */
export function sourcesOf(program: JqProgram, node: Expression, path: ValuePath): readonly ValueSource[] {
  const known = knownSources(program);
  let own = known.get(node);
  if (own === undefined) known.set(node, (own = new Map()));
  const key = path.join("\0");
  let sources = own.get(key);
  if (sources === undefined) {
    const search = new Search(program);
    sources = told(search.placesOf(node).flatMap((at) => search.trace(node, path, at)));
    own.set(key, sources);
  }
  return sources;
}

/** What was found of each expression, by the path that was asked for: a dozen rules ask for the same, and programs stand in many documents. */
const knownSources = derivedFromText(() => new Map<Expression, Map<string, readonly ValueSource[]>>());

/** The same for the input of an expression. */
export function inputSources(program: JqProgram, node: Expression, path: ValuePath): readonly ValueSource[] {
  return told(new Search(program).placesOf(node).flatMap((at) => at.input(path)));
}

/** What a part of the program's output comes from. */
export function outputSources(program: JqProgram, path: ValuePath): readonly ValueSource[] {
  const made = finalObject(program);
  if (made !== undefined && path[0] !== undefined && entryOf(made, path[0]) === undefined)
    return [{ kind: "made", node: made }];
  return sourcesOf(program, program.tree.body, path);
}

class Search {
  private readonly body: Expression;
  private readonly resolution: ReturnType<typeof resolve>;
  private readonly places: Places;
  private steps = 0;
  private looked = 0;

  constructor({ tree }: JqProgram) {
    this.body = tree.body;
    this.resolution = resolve(tree);
    this.places = new Places(this.resolution, (...where) => this.trace(...where));
  }

  /** The surroundings of an expression of the program: one for each call by which it is reached. */
  placesOf(wanted: Expression): readonly ProgramScope[] {
    const hasFunctions = this.resolution.functions.size > 0;
    // A function may be called from anywhere.
    const mayHold = ({ start, end }: Node): boolean =>
      hasFunctions || (start <= wanted.start && wanted.end <= end);
    const within = (from: Node, at: ProgramScope): readonly ProgramScope[] => {
      if (from === wanted) return [at];
      if (++this.looked > PLACES) return [];
      const found: ProgramScope[] = [];
      if (!changesScope.has(from.kind)) {
        for (const child of children(from)) if (mayHold(child)) found.push(...within(child, at));
      } else {
        for (const inner of this.places.below(from, at))
          if (mayHold(inner.node)) found.push(...within(inner.node, inner.at));
      }
      return found;
    };
    return within(this.body, rootScope);
  }

  trace(node: Expression, path: ValuePath, at: ProgramScope): readonly ValueSource[] {
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
        const last = this.places.last(node, at);
        return last === undefined ? [] : this.trace(last.node, path, last.at);
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
        return this.places.variable(node, at)(path);
      case "Hole":
        return [{ kind: "hole", hole: node.hole, path }];
      case "Call":
        return this.call(node, path, at) ?? made;
      case "Assignment":
        return this.assignment(node, path, at);
      default:
        return made;
    }
  }

  private each(
    nodes: readonly (Expression | undefined)[],
    path: ValuePath,
    at: ProgramScope,
  ): readonly ValueSource[] {
    return nodes.flatMap((node) => (node === undefined ? [] : this.trace(node, path, at)));
  }

  private postfix({ head, suffixes }: Postfix, path: ValuePath, at: ProgramScope): readonly ValueSource[] {
    const steps = stepsOf(suffixes);
    return steps === undefined ? [] : this.trace(head, [...steps, ...path], at);
  }

  private member(node: ObjectConstruction, path: ValuePath, at: ProgramScope): readonly ValueSource[] {
    const [name = "", ...rest] = path;
    const entry = entryOf(node, name);
    if (entry === undefined) return [{ kind: "made", node }];
    if (entry.value !== undefined) return this.trace(entry.value, rest, at);
    return entry.key.kind === "Variable" ? this.places.variable(entry.key, at)(rest) : at.input(path);
  }

  /** `. + {a: 1}`: the last one that has the member, and all that may have it; `*` merges what is below a member. */
  private sum(
    { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
    path: ValuePath,
    at: ProgramScope,
  ): readonly ValueSource[] | undefined {
    if (path.length === 0 || rest.some(({ operator }) => operator !== "+" && operator !== "*"))
      return undefined;
    if (path.length > 1 && rest.some(({ operator }) => operator === "*")) return undefined;
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

  /** `.a = 1`: other members stay what they are. */
  private assignment(
    { target }: Extract<Expression, { kind: "Assignment" }>,
    path: ValuePath,
    at: ProgramScope,
  ): readonly ValueSource[] {
    const isMember = target.kind === "Postfix" && target.head.kind === "Identity";
    const set = isMember ? stepsOf(target.suffixes)?.[0] : undefined;
    const isOther = path[0] !== undefined && set !== undefined && set !== "[]" && set !== path[0];
    return isOther ? at.input(path) : [];
  }

  private call(node: Call, path: ValuePath, at: ProgramScope): readonly ValueSource[] | undefined {
    if (this.resolution.functions.has(node)) {
      const body = this.places.called(node, at);
      return body === undefined ? [] : this.trace(body.node, path, body.at);
    }
    const given = outputGiven(node, path);
    if (given === undefined) return undefined;
    const { argument: index } = given;
    if (index === undefined) return at.input(given.path);
    return this.trace(node.arguments[index]!, given.path, this.places.argument(node, index, at));
  }
}

/** Each once, and what is made on the spot only where nothing else is told: it says least. */
function told(sources: readonly ValueSource[]): readonly ValueSource[] {
  if (sources.length < 2) return sources;
  const found = new Map<unknown, ValueSource>();
  for (const source of sources)
    found.set(source.kind === "made" ? source.node : JSON.stringify(source), source);
  const all = [...found.values()];
  const read = all.filter(({ kind }) => kind !== "made");
  return read.length > 0 ? read : all;
}
