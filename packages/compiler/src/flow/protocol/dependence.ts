import {
  type Call,
  children,
  type Definition,
  type Expression,
  type Node,
  type Pattern,
  resolve,
  type Variable,
} from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";
import { nodesIn } from "../nodes.ts";
import { ownInputs } from "./stage-before.ts";

/** On what a value may depend, by its data or by a condition around it. What isn't listed certainly has no part in it. */
export interface Dependence {
  /** Expansions, by their index in the program. */
  readonly holes: ReadonlySet<number>;
  /** The program's input. */
  readonly input: boolean;
  /** The time. */
  readonly clock: boolean;
}

const clockFunctions: ReadonlySet<string> = new Set(["now", "localtime", "strflocaltime"]);
/** Built-in functions that are the same whatever comes in. */
export const constants: ReadonlySet<string> = new Set(["null", "true", "false", "empty", "nan", "infinite"]);

/**
 * Everything that some nodes of a program may depend on, through variables, definitions and the stages before them.
 *
 * @param isKnown whether the caller knows all that a node depends on, so that nothing of it is listed, or what it doesn't know of it
 */
export function dependenceOf(
  program: JqProgram,
  nodes: readonly Node[],
  isKnown: (node: Node) => boolean | readonly Node[] = () => false,
): Dependence {
  const names = namesOf(program);
  const holes = new Set<number>();
  let input = false;
  let clock = false;
  let wentThrough = false;
  const own = names.earlier.length > 0 ? ownInputs(program) : new Set<Node>();
  const seen = new Set<Node>();
  const fed = new Set<Node>();
  const pending = [...nodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const known = isKnown(node);
    if (known !== false) {
      if (known !== true) pending.push(...known);
      continue;
    }
    if (node.kind === "Hole") holes.add(node.hole);
    if (isClock(node, names)) clock = true;
    // `floor` of `now - 60 | floor` has what stands before it, and that is looked at by itself.
    if (node.kind === "Pipeline")
      for (const stage of stagesOf(node).slice(1)) if (stage.kind === "Call") fed.add(stage);
    if (!fed.has(node) && readsInput(node, names)) {
      input = true;
      // What comes in went through the stages before, but for what is the program's own input, or is looked at where it is made.
      if (!wentThrough && !own.has(node) && !names.accumulated.has(node)) {
        wentThrough = true;
        pending.push(...names.earlier);
      }
    }
    for (const child of children(node)) pending.push(child);
    const meant = meaningOf(node, names);
    if (meant !== undefined) pending.push(meant);
  }
  return { holes, input, clock };
}

function isClock(node: Node, { functions }: Names): boolean {
  return node.kind === "Call" && !functions.has(node) && clockFunctions.has(node.name.text);
}

/** Whether the value of a node may depend on the input beyond what its children read of it. */
function readsInput(node: Node, { functions }: Names): boolean {
  switch (node.kind) {
    case "Identity":
    case "RecurseDefault":
      return true;
    case "Call":
      return !functions.has(node) && !clockFunctions.has(node.name.text) && !constants.has(node.name.text);
    case "Entry":
      return node.value === undefined && node.key.kind !== "Variable";
    case "If":
      return node.otherwise === undefined;
    default:
      return false;
  }
}

/** What a name stands for; the arguments of a call are its children. */
function meaningOf(node: Node, { variables, functions, sources }: Names): Node | undefined {
  if (node.kind === "Call") {
    const declared = functions.get(node);
    return declared?.kind === "Definition" ? declared.body : undefined;
  }
  const declared = node.kind === "Variable" ? variables.get(node) : undefined;
  return declared === undefined ? undefined : sources.get(declared)?.source;
}

/** What a variable was bound to as a whole; undefined where it holds a part of a value, or one of several. */
export function boundTo(program: JqProgram, variable: Variable): Expression | undefined {
  const { variables, sources } = namesOf(program);
  const declared = variables.get(variable);
  const bound = declared === undefined ? undefined : sources.get(declared);
  return bound?.whole === true ? bound.source : undefined;
}

/** The definition that a call is of; undefined for built-in functions and parameters. */
export function definitionOf(program: JqProgram, call: Call): Definition | undefined {
  // Most programs define nothing.
  if (!program.node.value.includes("def")) return undefined;
  const declared = namesOf(program).functions.get(call);
  return declared?.kind === "Definition" ? declared : undefined;
}

type Names = ReturnType<typeof namesOf>;

/** What names stand for in a program, and the stages before that of its outputs. */
const namesOf = derivedFromText((tree) => {
  const sources = new Map<Node, { readonly source: Expression; readonly whole: boolean }>();
  const accumulated = new Set<Node>();
  for (const node of nodesIn(tree)) {
    if (node.kind === "Binding" || node.kind === "Reduce" || node.kind === "Foreach") {
      const { source, patterns } = node;
      // `.` in what is done for each value is what was made so far.
      if (node.kind === "Reduce") for (const each of nodesIn(node.update)) accumulated.add(each);
      const whole =
        node.kind === "Binding" && patterns.length === 1 && patterns[0]?.kind === "VariablePattern";
      for (const variable of patterns.flatMap(variablesIn)) sources.set(variable, { source, whole });
    }
  }
  return { ...resolve(tree), sources, accumulated, earlier: earlierStages(tree.body) };
});

const variablesIn = (pattern: Pattern): readonly Node[] =>
  nodesIn(pattern).filter(({ kind }) => kind === "VariablePattern");

function earlierStages(body: Expression): readonly Expression[] {
  const earlier: Expression[] = [];
  for (let at: Expression | undefined = body; at !== undefined; ) {
    if (at.kind === "Group") at = at.body;
    else if (at.kind === "Pipeline") {
      const stages = stagesOf(at);
      earlier.push(...stages.slice(0, -1));
      at = stages.at(-1);
    } else at = undefined;
  }
  return earlier;
}

/** The stages of a pipeline through which values go. */
export function stagesOf({ stages }: Extract<Expression, { kind: "Pipeline" }>): readonly Expression[] {
  return stages.filter(
    (stage): stage is Expression =>
      stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label",
  );
}
