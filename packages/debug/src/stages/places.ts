import type { AppProgram } from "@configc/compiler";
import { children, type Expression, type Node, type Pattern, parse } from "@configc/jq";

/** A place in a jq program at which a run of it can be looked at: an expression that takes the value of the one before it. */
export interface StagePlace {
  /** In the list of the program's stages. */
  readonly index: number;
  /** UTF-16 offsets in the program's text. */
  readonly start: number;
  readonly end: number;
  /** The stage that it stands in; undefined at the top. */
  readonly outer: number | undefined;
  /** How many stages it stands in. */
  readonly nesting: number;
  /** Number in its own pipeline, from 1, and how many stages that has. */
  readonly number: number;
  readonly of: number;
  /** Names of the variables that can be read there, without `$`. */
  readonly variables: readonly string[];
}

interface Around {
  readonly outer: number | undefined;
  readonly nesting: number;
  readonly variables: readonly string[];
}

/** What has nothing to look at: it is what it says. */
const plain: ReadonlySet<Node["kind"]> = new Set([
  "String",
  "Number",
  "Format",
  "Variable",
  "Hole",
  "Missing",
]);

/**
 * The stages of a program in source order: those of each pipeline in it, and the bodies of what is called, built or chosen.
 *
 * @returns empty for a program that can't be read
 */
export function stagesOf({ text, holes }: AppProgram): readonly StagePlace[] {
  const { program, diagnostics } = parse(text, { holes });
  if (diagnostics.length > 0) return [];
  const stages: StagePlace[] = [];
  const stage = (
    node: Expression | Node,
    { outer, nesting, variables }: Around,
    number = 1,
    of = 1,
  ): Around => {
    const index = stages.length;
    stages.push({ index, start: node.start, end: node.end, outer, nesting, number, of, variables });
    return { outer: index, nesting: nesting + 1, variables };
  };
  /** An expression that is a stage, or several. */
  const body = (node: Expression, around: Around): void => {
    if (node.kind === "Pipeline") visit(node, around);
    else if (!plain.has(node.kind)) visit(node, stage(node, around));
  };
  const visit = (node: Node, around: Around): void => {
    switch (node.kind) {
      case "Pipeline": {
        let inner = around;
        const of = node.stages.filter(({ kind }) => kind !== "Definition" && kind !== "Label").length;
        let number = 0;
        for (const each of node.stages) {
          if (each.kind === "Definition") visit(each, inner);
          else if (each.kind !== "Label") visit(each, stage(each, inner, ++number, of));
          if (each.kind === "Binding") inner = withNames(inner, each.patterns.flatMap(namesOf));
        }
        return;
      }
      case "Definition": {
        const values = node.parameters.flatMap(({ name, byValue }) => (byValue ? [name] : []));
        // What is bound where it is defined can be read in it, and what is around the call isn't known here.
        return body(node.body, withNames(around, values));
      }
      case "Call":
        for (const argument of node.arguments) body(argument, around);
        return;
      case "Array":
        if (node.body !== undefined) body(node.body, around);
        return;
      case "If":
        for (const { condition, body: then } of node.branches) {
          visit(condition, around);
          body(then, around);
        }
        if (node.otherwise !== undefined) body(node.otherwise, around);
        return;
      case "Reduce":
      case "Foreach": {
        visit(node.source, around);
        visit(node.initial, around);
        const inner = withNames(around, node.patterns.flatMap(namesOf));
        body(node.update, inner);
        if (node.kind === "Foreach" && node.extract !== undefined) body(node.extract, inner);
        return;
      }
      default:
        for (const child of children(node)) visit(child, around);
    }
  };
  body(program.body, { outer: undefined, nesting: 0, variables: [] });
  return stages;
}

function withNames(around: Around, names: readonly string[]): Around {
  return names.length === 0
    ? around
    : { ...around, variables: [...new Set([...around.variables, ...names])] };
}

function namesOf(pattern: Pattern): string[] {
  switch (pattern.kind) {
    case "VariablePattern":
      return [pattern.name];
    case "ArrayPattern":
      return pattern.items.flatMap(namesOf);
    case "ObjectPattern":
      return pattern.entries.flatMap(({ key, pattern: inner }) => [
        ...(key.kind === "VariablePattern" ? [key.name] : []),
        ...(inner === undefined ? [] : namesOf(inner)),
      ]);
  }
}
