import { builtin } from "./builtins/index.ts";
import { literalText } from "./constant.ts";
import type { Resolution } from "./resolve/resolve.ts";
import { resolve } from "./resolve/resolve.ts";
import type {
  Call,
  Expression,
  Foreach,
  ObjectEntry,
  Pattern,
  Postfix,
  Program,
  Reduce,
  Span,
  Stage,
  VariablePattern,
} from "./syntax-tree.ts";

/** One step of a path: the name of a member or the index of an item, with the place where it is written. */
export interface PathSegment extends Span {
  readonly key: string | number;
}

/** A constant path that the program reads from its input. */
export interface DemandedPath extends Span {
  readonly segments: readonly PathSegment[];
  /** Read in every run that doesn't fail before; otherwise only in a branch, a default, or the like. */
  readonly certain: boolean;
}

/**
 * The constant paths that a program reads from its input, such as `.custom_data.form.value`, in source
 * order and each as long as it is known: through pipes, bindings and `select`, up to `[]` or a computed
 * index. A path that is a part of a longer one at the same place isn't listed.
 */
export function demandedPaths(
  program: Program,
  resolution: Resolution = resolve(program),
): readonly DemandedPath[] {
  const collector = new Collector(resolution);
  collector.read(program.body, [], true);
  return collector.paths.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Where a value stands in the program's input; undefined if that isn't known. */
type Place = readonly PathSegment[] | undefined;

class Collector {
  readonly paths: DemandedPath[] = [];
  private readonly resolution: Resolution;
  private readonly variables = new Map<VariablePattern, Place>();

  constructor(resolution: Resolution) {
    this.resolution = resolution;
  }

  /** Collects what an expression reads; gives the place of its output if that is a part of the input. */
  read(node: Expression, input: Place, certain: boolean): Place {
    switch (node.kind) {
      case "Identity":
        return input;
      case "Group":
        return this.read(node.body, input, certain);
      case "Pipeline":
        return this.pipeline(node.stages, input, certain);
      case "Postfix":
        return this.postfix(node, input, certain);
      case "Variable": {
        const declaration = this.resolution.variables.get(node);
        return declaration?.kind === "VariablePattern" ? this.variables.get(declaration) : undefined;
      }
      case "Call":
        return this.call(node, input, certain);
      case "Comma":
        for (const item of node.items) this.read(item, input, certain);
        return undefined;
      case "Alternative":
      case "Logical":
        for (const [index, operand] of node.operands.entries()) {
          this.read(operand, input, certain && index === 0);
        }
        return undefined;
      case "Assignment":
        // What is assigned to need not exist before; an updated place is read, but as a path.
        this.read(node.value, node.operator === "|=" ? undefined : input, certain);
        return undefined;
      case "Comparison":
        this.read(node.left, input, certain);
        this.read(node.right, input, certain);
        return undefined;
      case "Arithmetic":
        this.read(node.first, input, certain);
        for (const { operand } of node.rest) this.read(operand, input, certain);
        return undefined;
      case "Negation":
        this.read(node.operand, input, certain);
        return undefined;
      case "Try":
        if (node.handler !== undefined) this.read(node.handler, undefined, false);
        return this.read(node.body, input, false);
      case "String":
        for (const part of node.parts) {
          if (part.kind === "Interpolation") this.read(part.expression, input, certain);
        }
        return undefined;
      case "Array":
        if (node.body !== undefined) this.read(node.body, input, certain);
        return undefined;
      case "Object":
        for (const entry of node.entries) this.entry(entry, input, certain);
        return undefined;
      case "If":
        for (const [index, { condition, body }] of node.branches.entries()) {
          this.read(condition, input, certain && index === 0);
          this.read(body, input, false);
        }
        if (node.otherwise !== undefined) this.read(node.otherwise, input, false);
        return undefined;
      case "Reduce":
      case "Foreach":
        return this.fold(node, input, certain);
      default:
        return undefined;
    }
  }

  private pipeline(stages: readonly Stage[], input: Place, certain: boolean): Place {
    let place = input;
    let sure = certain;
    for (const stage of stages) {
      switch (stage.kind) {
        case "Definition":
        case "Label":
          break;
        case "Binding": {
          const source = this.read(stage.source, place, sure);
          // With alternatives (`?//`) the variable may be null instead.
          for (const pattern of stage.patterns) {
            this.bind(pattern, stage.patterns.length === 1 ? source : undefined);
          }
          sure &&= isOne(stage.source);
          break;
        }
        default:
          place = this.read(stage, place, sure);
          sure &&= isOne(stage);
      }
    }
    return place;
  }

  private bind(pattern: Pattern, place: Place): void {
    if (pattern.kind === "VariablePattern") this.variables.set(pattern, place);
  }

  private postfix({ head, suffixes, start }: Postfix, input: Place, certain: boolean): Place {
    let place = this.read(head, input, certain);
    let sure = certain && !suffixes.some((suffix) => suffix.kind === "Optional");
    const before = place?.length ?? 0;
    let { end } = head;
    for (const suffix of suffixes) {
      if (suffix.kind === "Optional") continue;
      const segment = this.segment(suffix, input, sure);
      if (place !== undefined && segment !== undefined) {
        place = [...place, segment];
        ({ end } = suffix);
        continue;
      }
      if (place !== undefined && place.length > before) this.demand(place, start, end, sure);
      place = undefined;
      sure &&= suffix.kind !== "Iterate";
    }
    if (place !== undefined && place.length > before) this.demand(place, start, end, sure);
    return place;
  }

  private segment(
    suffix: Postfix["suffixes"][number],
    input: Place,
    certain: boolean,
  ): PathSegment | undefined {
    switch (suffix.kind) {
      case "Field": {
        const { key } = suffix;
        if (key.kind === "Hole") return undefined;
        const text = key.kind === "Name" ? key.text : literalText(key);
        if (text !== undefined) return { key: text, start: key.start, end: key.end };
        this.read(key as Expression, input, certain);
        return undefined;
      }
      case "Index": {
        const { index } = suffix;
        if (index.kind === "Number") return { key: index.value, start: index.start, end: index.end };
        const text = index.kind === "String" ? literalText(index) : undefined;
        if (text !== undefined) return { key: text, start: index.start, end: index.end };
        this.read(index, input, certain);
        return undefined;
      }
      case "Slice":
        if (suffix.from !== undefined) this.read(suffix.from, input, certain);
        if (suffix.to !== undefined) this.read(suffix.to, input, certain);
        return undefined;
      default:
        return undefined;
    }
  }

  private entry({ key, value }: ObjectEntry, input: Place, certain: boolean): void {
    if (key.kind === "Group" || key.kind === "String") this.read(key, input, certain);
    if (value !== undefined) {
      this.read(value, input, certain);
      return;
    }
    const name = key.kind === "Name" ? key.text : key.kind === "String" ? literalText(key) : undefined;
    if (name === undefined || input === undefined) return;
    this.demand([...input, { key: name, start: key.start, end: key.end }], key.start, key.end, certain);
  }

  private call(node: Call, input: Place, certain: boolean): Place {
    const known = this.resolution.functions.has(node)
      ? undefined
      : builtin(node.name.text, node.arguments.length);
    for (const [index, argument] of node.arguments.entries()) {
      const same = known !== undefined && takesInput(known.name, known.parameters[index]!);
      this.read(argument, same ? input : undefined, certain && same);
    }
    const passes = known?.name === "select" || (known !== undefined && typeFilters.has(known.name));
    return passes ? input : undefined;
  }

  private fold(node: Reduce | Foreach, input: Place, certain: boolean): Place {
    this.read(node.source, input, certain);
    this.read(node.initial, input, certain);
    this.read(node.update, undefined, false);
    if (node.kind === "Foreach" && node.extract !== undefined) this.read(node.extract, undefined, false);
    return undefined;
  }

  private demand(segments: readonly PathSegment[], start: number, end: number, certain: boolean): void {
    this.paths.push({ segments, start, end, certain });
  }
}

const typeFilters: ReadonlySet<string> = new Set([
  "values",
  "objects",
  "arrays",
  "iterables",
  "strings",
  "numbers",
  "booleans",
  "scalars",
  "nulls",
  "finites",
  "normals",
]);

/** Whether an argument is evaluated with the input of the call (and not with items of it). */
function takesInput(name: string, parameter: string): boolean {
  if (parameter.startsWith("$") || parameter === "generator" || parameter === "source") return true;
  return parameter === "container" || (name === "select" && parameter === "condition") || name === "error";
}

/** Whether an expression certainly gives exactly one output: a plain path, a literal, or a construction of such. */
function isOne(node: Expression): boolean {
  switch (node.kind) {
    case "Identity":
    case "Number":
    case "Variable":
    case "Array":
    case "Hole":
      return true;
    case "Group":
      return isOne(node.body);
    case "Object":
      return node.entries.every(
        ({ key, value }) => key.kind !== "Group" && (value === undefined || isOne(value)),
      );
    case "Postfix":
      return (
        isOne(node.head) &&
        node.suffixes.every((suffix) => suffix.kind === "Field" && suffix.key.kind !== "String")
      );
    default:
      return false;
  }
}
