import {
  children,
  type Definition,
  type Expression,
  type Node,
  type Parameter,
  type Pattern,
  resolve,
  type Suffix,
  type Type,
  types,
} from "@configc/jq";
import { itemType, memberType } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { inferNodes, inferredOnce } from "./inference.ts";
import { patternName } from "./program-scope.ts";
import type { TypeFlow } from "./type-flow.ts";
import { stepsOf } from "./value-path.ts";

/** A member that a program reads by name. */
export interface MemberRead {
  readonly name: string;
  /** Of the name, with its dot if it has one, in the decoded string. */
  readonly start: number;
  readonly end: number;
  /** What it is read of. */
  readonly target: Type;
  /** What that is itself a part of: of `.customer.phone`, what has a `customer`. Undefined where that isn't in the same path. */
  readonly around?: Type | undefined;
  /** The same as an expression, or as the input of one, and the path from its value. */
  readonly of: Expression;
  readonly ofInput: boolean;
  readonly path: readonly string[];
  readonly absence: Absence;
}

/** Whether the author has thought of it that the member may be absent. */
export type Absence =
  | "no"
  /** It is read in the condition of an `if` or a `select`. */
  | "tested"
  /** By `?`, `//` or `try`, or since only its path is asked for. */
  | "handled";

/** Every member that a program reads by name, with the type that it is read of. */
export function memberReads(program: JqProgram, flow: TypeFlow): readonly MemberRead[] {
  if (program.diagnostics.length > 0) return [];
  return readsOf(program, flow.programInput(program), flow.holes(program));
}

const readsOf = inferredOnce((program, input, holes): readonly MemberRead[] => {
  const { nodes } = inferNodes(program, input, holes);
  const { functions } = resolve(program.tree);
  const found: MemberRead[] = [];
  const taken = absences(program.tree.body, functions);
  // Parsing caps how deep expressions nest.
  const visit = (node: Node, absence: Absence): void => {
    if (node.kind === "Postfix") {
      let target = nodes.get(node.head)?.output ?? types.unknown;
      let around: Type | undefined;
      for (const [index, suffix] of node.suffixes.entries()) {
        const optional = node.suffixes.slice(index + 1).some(({ kind }) => kind === "Optional");
        const named = namedBy(suffix);
        if (named !== undefined) {
          found.push({
            ...named,
            target,
            around,
            of: node.head,
            ofInput: false,
            path: stepsOf(node.suffixes.slice(0, index)) ?? [],
            absence: optional ? "handled" : absence,
          });
        }
        around = target;
        target = stepType(target, suffix);
      }
    }
    if (node.kind === "Binding" || node.kind === "Reduce" || node.kind === "Foreach") {
      const { source, patterns } = node;
      const target = nodes.get(source)?.output ?? types.unknown;
      const own = patterns.length > 1 ? "handled" : absence;
      for (const pattern of patterns)
        for (const read of patternReads(pattern, target, []))
          found.push({ ...read, of: source, ofInput: false, absence: own });
    }
    if (node.kind === "Object") {
      const target = nodes.get(node)?.input ?? types.unknown;
      for (const { key, value } of node.entries)
        if (value === undefined && key.kind === "Name") {
          const { text: name, start, end } = key;
          found.push({ name, start, end, target, of: node, ofInput: true, path: [], absence });
        }
    }
    eachPart(node, functions, taken, (inner, own) => visit(inner, stronger(absence, own)));
  };
  visit(program.tree.body, "no");
  return found;
});

type Functions = ReturnType<typeof resolve>["functions"];
type Taken = ReadonlyMap<Definition | Parameter, Absence>;

/** Definitions that call one another so often are followed. */
const ROUNDS = 8;

/** How absence is taken where functions are called: their bodies, and what parameters stand for, are evaluated there. */
function absences(body: Expression, functions: Functions): Taken {
  const taken = new Map<Definition | Parameter, Absence>();
  if (functions.size === 0) return taken;
  let isSettled = false;
  const visit = (node: Node, absence: Absence): void => {
    const declared = node.kind === "Call" ? functions.get(node) : undefined;
    const before = declared === undefined ? absence : (taken.get(declared) ?? "no");
    if (declared !== undefined && stronger(before, absence) !== before) {
      taken.set(declared, stronger(before, absence));
      isSettled = false;
    }
    eachPart(node, functions, taken, (inner, own) => visit(inner, stronger(absence, own)));
  };
  // Calls stand in bodies that are called in turn.
  for (let round = 0; round < ROUNDS && !isSettled; round++) {
    isSettled = true;
    visit(body, "no");
  }
  return taken;
}

function stronger(a: Absence, b: Absence): Absence {
  if (a === "no" || b === "handled") return b;
  return a;
}

/** `.name`, and `["name"]` where it is written as it is. */
function namedBy(suffix: Suffix): Pick<MemberRead, "name" | "start" | "end"> | undefined {
  const { kind } = suffix;
  if (kind === "Field" && suffix.key.kind === "Name") {
    const { text: name, start, end } = suffix.key;
    return suffix.inBrackets === true ? { name, start, end } : { name, start: suffix.start, end: suffix.end };
  }
  if (kind !== "Index" || suffix.index.kind !== "String") return undefined;
  const [name] = stepsOf([suffix]) ?? [];
  const { start: from, end: to } = suffix.index;
  return name?.length === to - from - 2 ? { name, start: from + 1, end: to - 1 } : undefined;
}

/** What a pattern reads of the value that it takes. */
function patternReads(
  pattern: Pattern,
  target: Type,
  path: readonly string[],
): Pick<MemberRead, "name" | "start" | "end" | "target" | "path">[] {
  switch (pattern.kind) {
    case "VariablePattern":
      return [];
    case "ArrayPattern":
      return pattern.items.flatMap((item) => patternReads(item, itemType(target), [...path, "[]"]));
    case "ObjectPattern":
      return pattern.entries.flatMap(({ key, pattern: below }) => {
        const name = patternName(key);
        if (name === undefined) return [];
        // Of `"name"` and `$name`, what stands between the quotes and behind the sign.
        const end = key.kind === "String" ? key.end - 1 : key.end;
        const start = key.kind === "Name" ? key.start : key.start + 1;
        const own = start + name.length === end ? [{ name, start, end, target, path }] : [];
        if (below === undefined) return own;
        return [...own, ...patternReads(below, memberType(target, name), [...path, name])];
      });
  }
}

/** What a suffix gives of a value. */
export function stepType(target: Type, suffix: Suffix): Type {
  switch (suffix.kind) {
    case "Field":
      return suffix.key.kind === "Name" ? memberType(target, suffix.key.text) : types.unknown;
    case "Iterate":
      return itemType(target);
    case "Index": {
      const key = stepsOf([suffix])?.[0];
      if (key === undefined) return types.unknown;
      return key === "[]" ? itemType(target) : memberType(target, key);
    }
    default:
      return target;
  }
}

/** Goes to the parts of a node, with how absence is taken in them. */
function eachPart(
  node: Node,
  functions: Functions,
  taken: Taken,
  visit: (part: Node, absence: Absence) => void,
): void {
  switch (node.kind) {
    case "Postfix":
      visit(node.head, node.suffixes.some(({ kind }) => kind === "Optional") ? "handled" : "no");
      for (const suffix of node.suffixes) visit(suffix, "no");
      return;
    case "Try":
      visit(node.body, "handled");
      if (node.handler !== undefined) visit(node.handler, "no");
      return;
    case "Alternative": {
      const last = node.operands.length - 1;
      for (const [index, operand] of node.operands.entries()) visit(operand, index < last ? "handled" : "no");
      return;
    }
    case "Branch":
      visit(node.condition, "tested");
      visit(node.body, "no");
      return;
    case "Assignment":
      visit(node.target, "handled");
      visit(node.value, "no");
      return;
    case "Definition":
      visit(node.body, taken.get(node) ?? "no");
      return;
    case "Call": {
      const { text } = node.name;
      const declared = functions.get(node);
      if (declared?.kind === "Definition") {
        const { parameters } = declared;
        const absences = node.arguments.map((_, index) => taken.get(parameters[index]!) ?? "no");
        for (const [index, each] of node.arguments.entries()) visit(each, absences[index]!);
        return;
      }
      const own = text === "select" ? "tested" : pathFunctions.has(text) ? "handled" : "no";
      for (const each of node.arguments) visit(each, own);
      return;
    }
    default:
      for (const each of children(node)) visit(each, "no");
  }
}

const pathFunctions: ReadonlySet<string> = new Set(["del", "path", "paths", "pick", "delpaths"]);
