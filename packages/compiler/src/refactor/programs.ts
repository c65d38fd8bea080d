import { type Expression, infer, type Node, resolve, type Stage, walk } from "@configc/jq";
import type { Command, JqProgram } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { flowOf } from "../flow/flow.ts";
import { inferNodes } from "../flow/inference.ts";
import { quoted, sourceOf } from "./layout.ts";

/** A `!jq` step whose program can be read. */
export type JqStep = Command & { readonly program: JqProgram };

export function isJqStep(command: Command | undefined): command is JqStep {
  return command?.key === "!jq" && command.program !== undefined && command.program.diagnostics.length === 0;
}

/** A `!jq` as it is written, with another program in it. */
export function withProgram({ document }: Model, { node, program }: JqStep, text: string): string {
  const { start, end } = program.node;
  return sourceOf(document, node, [{ start, end, newText: quoted(text) }]);
}

/**
 * Whether a program certainly has exactly one output: then a step more or less before or behind it changes nothing, since a `!jq`
 * gives its first output, and `null` if there is none (D23).
 */
export function givesOne(model: Model, program: JqProgram): boolean {
  return inferred(model, program).cardinality === "one";
}

/** The same of a part of a program that is evaluated with the program's own input. */
export function partGivesOne(model: Model, program: JqProgram, from: number, to: number): boolean {
  const flow = flowOf(model);
  const types = flow.holes(program);
  const holes = program.holes.flatMap(({ syntax: { start, end } }, index) =>
    from <= start && end <= to ? [{ start: start - from, end: end - from, type: types[index]! }] : [],
  );
  const text = program.node.value.slice(from, to);
  return infer(text, flow.programInput(program), { holes }).cardinality === "one";
}

function inferred(model: Model, program: JqProgram): ReturnType<typeof inferNodes> {
  const flow = flowOf(model);
  return inferNodes(program, flow.programInput(program), flow.holes(program));
}

/** The stages of a program that is a chain of them; the program itself where it is none. */
export function stagesOf({ tree: { body } }: JqProgram): readonly Stage[] {
  return body.kind === "Pipeline" ? body.stages : [body];
}

/**
 * Whether a program may read its input, as far as its words tell.
 *
 * @param without a part of it that doesn't count
 */
export function readsInput(program: JqProgram, without?: Expression): boolean {
  const [first] = stagesOf(program);
  // What stands behind a value is about that value.
  if (first?.kind === "Hole") return false;
  let reads = false;
  walk(program.tree.body, {
    enter(node) {
      if (node === without) return false;
      reads ||= isAboutInput(node);
      return undefined;
    },
  });
  return reads;
}

function isAboutInput(node: Node): boolean {
  switch (node.kind) {
    case "Identity":
    case "RecurseDefault":
    case "Call":
    case "Format":
      return true;
    case "If":
      return node.otherwise === undefined;
    case "Entry":
      return node.value === undefined && node.key.kind !== "Variable" && node.key.kind !== "SourceLocation";
    default:
      return false;
  }
}

/** Whether all names of a part of a program are builtin or declared in that part. */
export function isClosed({ tree }: JqProgram, from: number, to: number): boolean {
  const { functions, variables, labels } = resolve(tree);
  const isInside = ({ start, end }: Node) => from <= start && end <= to;
  const leaves = (names: ReadonlyMap<Node, Node>) =>
    [...names].some(([use, declaration]) => isInside(use) && !isInside(declaration));
  return !leaves(functions) && !leaves(variables) && !leaves(labels);
}

/** Whether it gives the same whenever it is evaluated, and wherever it stands. */
export function isConstantInTime(node: Expression | Node): boolean {
  let isSame = true;
  walk(node, {
    enter(part) {
      if (part.kind === "SourceLocation" || (part.kind === "Call" && timed.has(part.name.text)))
        isSame = false;
      return undefined;
    },
  });
  return isSame;
}

const timed: ReadonlySet<string> = new Set(["now", "localtime", "input_line_number"]);
