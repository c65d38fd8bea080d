import type {
  Call,
  Definition,
  Expression,
  Node,
  Parameter,
  Pattern,
  Pipeline,
  Resolution,
  Variable,
  VariablePattern,
} from "@configc/jq";
import { children } from "@configc/jq";
import { argumentInput } from "./builtin-sources.ts";
import { nameOf } from "./literal-object.ts";
import type { Trace, ValuePath, ValueSource } from "./value-path.ts";

/** Where an expression stands: what its input comes from, and what the names there stand for. */
export interface ProgramScope {
  readonly input: Trace;
  readonly names: Names;
  /** The definitions by whose calls it is reached: another call of one of them isn't followed, so that none is endless. */
  readonly active: readonly Definition[];
}

/** The names that are known somewhere, innermost first. */
type Names = Name | undefined;
interface Name {
  readonly declared: VariablePattern | Parameter | Definition;
  /** What a variable holds. */
  readonly value?: Trace;
  /** What a function evaluates, with what is around that. */
  readonly body?: ScopedNode;
  readonly outer: Names;
}

/** An expression, and where it stands. */
export interface ScopedNode<N extends Node = Expression> {
  readonly node: N;
  readonly at: ProgramScope;
}

/** Where the program's own expression stands. */
export const rootScope: ProgramScope = {
  input: (path) => [{ kind: "input", path }],
  names: undefined,
  active: [],
};

const nowhere: Trace = () => [];

/** What an expression's value comes from. */
type TraceAt = (node: Expression, path: ValuePath, at: ProgramScope) => readonly ValueSource[];

/** Nodes in which some part has another input or other names than the node itself. */
export const changesScope: ReadonlySet<Node["kind"]> = new Set([
  "Pipeline",
  "Call",
  "Reduce",
  "Foreach",
  "Assignment",
]);

/** Leads from an expression to those in it, with their surroundings: the body of a definition stands in each call of it. */
export class Places {
  private readonly resolution: Resolution;
  private readonly trace: TraceAt;

  constructor(resolution: Resolution, trace: TraceAt) {
    this.resolution = resolution;
    this.trace = trace;
  }

  /** The nodes right below one. */
  below(node: Node, at: ProgramScope): readonly ScopedNode<Node>[] {
    switch (node.kind) {
      case "Pipeline":
        return this.stages(node, at);
      case "Call":
        return this.ofCall(node, at);
      case "Reduce":
      case "Foreach": {
        const { source, patterns, initial, update } = node;
        const bound = this.bound(patterns, source, at);
        // What accumulates depends on values.
        const inside = { ...bound, input: nowhere };
        const extract = node.kind === "Foreach" && node.extract !== undefined ? [node.extract] : [];
        return [
          ...placed([source, initial], at),
          ...placed(patterns, bound),
          ...placed([update, ...extract], inside),
        ];
      }
      case "Assignment": {
        // The right side of `|=` takes what the left one selects.
        if (node.operator !== "|=") return placed([node.target, node.value], at);
        const selected: Trace = (path) => this.trace(node.target, path, at);
        return [...placed([node.target], at), ...placed([node.value], { ...at, input: selected })];
      }
      default:
        return placed(children(node), at);
    }
  }

  /** The expressions of a pipeline. */
  private stages({ stages }: Pipeline, at: ProgramScope): readonly ScopedNode<Node>[] {
    const found: ScopedNode<Node>[] = [];
    let around = at;
    for (const stage of stages) {
      const before = around;
      switch (stage.kind) {
        case "Label":
          break;
        case "Definition": {
          const body = { node: stage.body, at: before };
          around = { ...before, names: { declared: stage, body, outer: before.names } };
          break;
        }
        case "Binding":
          around = this.bound(stage.patterns, stage.source, before);
          found.push({ node: stage.source, at: before }, ...placed(stage.patterns, around));
          break;
        default:
          found.push({ node: stage, at: before });
          around = { ...before, input: (path) => this.trace(stage, path, before) };
      }
    }
    return found;
  }

  /** The stage that gives a pipeline's outputs. */
  last(node: Pipeline, at: ProgramScope): ScopedNode | undefined {
    return this.stages(node, at).at(-1) as ScopedNode | undefined;
  }

  private bound(patterns: readonly Pattern[], source: Expression, at: ProgramScope): ProgramScope {
    const [only, ...others] = patterns;
    if (only === undefined || others.length > 0) return at;
    const names = boundPaths(only, []).reduce<Names>(
      (outer, { variable, path }) => ({
        declared: variable,
        value: (rest) => this.trace(source, [...path, ...rest], at),
        outer,
      }),
      at.names,
    );
    return { ...at, names };
  }

  private ofCall(node: Call, at: ProgramScope): readonly ScopedNode<Node>[] {
    const declared = this.resolution.functions.get(node);
    if (declared === undefined)
      return node.arguments.map((argument, index) => ({
        node: argument,
        at: this.argument(node, index, at),
      }));
    // Arguments stand where their parameters are used, and those by value here.
    const values =
      declared.kind === "Parameter"
        ? []
        : node.arguments.filter((_, index) => declared.parameters[index]?.byValue);
    const body = this.called(node, at);
    return [...placed(values, at), ...(body === undefined ? [] : [body])];
  }

  /** An argument of a builtin. */
  argument(node: Call, index: number, at: ProgramScope): ProgramScope {
    const outputs: Trace = (path) => this.trace(node.arguments[0]!, path, at);
    return { ...at, input: argumentInput(node, index, at.input, outputs) ?? nowhere };
  }

  /** What a call of a definition or a parameter evaluates; undefined for other calls, and for one within itself. */
  called(node: Call, at: ProgramScope): ScopedNode | undefined {
    const declared = this.resolution.functions.get(node);
    const known = declared === undefined ? undefined : find(declared, at)?.body;
    if (declared === undefined || known === undefined) return undefined;
    const { node: body, at: own } = known;
    if (declared.kind === "Parameter") return { node: body, at: { ...own, input: at.input } };
    if (at.active.includes(declared)) return undefined;
    const names = declared.parameters.reduce<Names>(
      (outer, parameter, index) => {
        const argument = node.arguments[index]!;
        const value: Trace = (path) => this.trace(argument, path, at);
        return {
          declared: parameter,
          ...(parameter.byValue ? { value } : {}),
          body: { node: argument, at },
          outer,
        };
      },
      { declared, body: known, outer: own.names },
    );
    return { node: body, at: { input: at.input, names, active: [...at.active, declared] } };
  }

  /** What a variable holds. */
  variable(node: Variable, at: ProgramScope): Trace {
    const declared = this.resolution.variables.get(node);
    return (declared === undefined ? undefined : find(declared, at)?.value) ?? nowhere;
  }
}

function find(declared: Name["declared"], { names }: ProgramScope): Names {
  let name = names;
  while (name !== undefined && name.declared !== declared) name = name.outer;
  return name;
}

function placed<N extends Node>(nodes: readonly N[], at: ProgramScope): readonly ScopedNode<N>[] {
  return nodes.map((node) => ({ node, at }));
}

/** The variables of a pattern, each with the part of the value that it holds. */
function boundPaths(
  pattern: Pattern,
  path: ValuePath,
): readonly { readonly variable: VariablePattern; readonly path: ValuePath }[] {
  switch (pattern.kind) {
    case "VariablePattern":
      return [{ variable: pattern, path }];
    case "ArrayPattern":
      return pattern.items.flatMap((item) => boundPaths(item, [...path, "[]"]));
    case "ObjectPattern":
      return pattern.entries.flatMap(({ key, pattern: below }) => {
        const name = patternName(key);
        if (name === undefined) return [];
        const inner = [
          ...(key.kind === "VariablePattern" ? [key] : []),
          ...(below === undefined ? [] : [below]),
        ];
        return inner.flatMap((each) => boundPaths(each, [...path, name]));
      });
  }
}

/** The member that an entry of an object pattern reads; undefined where its name is computed. */
export function patternName(
  key: Extract<Pattern, { kind: "ObjectPattern" }>["entries"][number]["key"],
): string | undefined {
  return key.kind === "VariablePattern" ? key.name : nameOf(key);
}
