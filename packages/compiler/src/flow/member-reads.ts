import {
  children,
  type Expression,
  itemType,
  memberType,
  type Node,
  type Pattern,
  type Suffix,
  type Type,
  types,
} from "@configc/jq";
import type { JqProgram } from "../bind/model.ts";
import type { TypeFlow } from "./flow.ts";
import { inferNodes, inferredOnce } from "./inference.ts";
import { patternName } from "./surroundings.ts";
import { stepsOf } from "./value-path.ts";

/** A member that a program reads by name. */
export interface MemberRead {
  readonly name: string;
  /** Of the name, with its dot if it has one, in the decoded string. */
  readonly start: number;
  readonly end: number;
  /** What it is read of. */
  readonly target: Type;
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
  const found: MemberRead[] = [];
  // Parsing caps how deep expressions nest.
  const visit = (node: Node, absence: Absence): void => {
    if (node.kind === "Postfix") {
      let target = nodes.get(node.head)?.output ?? types.unknown;
      for (const [index, suffix] of node.suffixes.entries()) {
        const optional = node.suffixes.slice(index + 1).some(({ kind }) => kind === "Optional");
        const named = namedBy(suffix);
        if (named !== undefined) {
          found.push({
            ...named,
            target,
            of: node.head,
            ofInput: false,
            path: stepsOf(node.suffixes.slice(0, index)) ?? [],
            absence: optional ? "handled" : absence,
          });
        }
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
    for (const [inner, own] of partsOf(node))
      visit(inner, absence === "handled" || own === "no" ? absence : own);
  };
  visit(program.tree, "no");
  return found;
});

/** `.name`, and `["name"]` where it is written as it is. */
function namedBy(suffix: Suffix): Pick<MemberRead, "name" | "start" | "end"> | undefined {
  const { kind, start, end } = suffix;
  if (kind === "Field" && suffix.key.kind === "Name") return { name: suffix.key.text, start, end };
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

/** The parts of a node, and how absence is taken in them. */
function partsOf(node: Node): (readonly [Node, Absence])[] {
  const all = (absence: Absence, ...nodes: readonly (Node | undefined)[]) =>
    nodes.flatMap((each) => (each === undefined ? [] : [[each, absence] as const]));
  switch (node.kind) {
    case "Postfix": {
      const isOptional = node.suffixes.some(({ kind }) => kind === "Optional");
      return [...all(isOptional ? "handled" : "no", node.head), ...all("no", ...node.suffixes)];
    }
    case "Try":
      return [...all("handled", node.body), ...all("no", node.handler)];
    case "Alternative":
      return [...all("handled", ...node.operands.slice(0, -1)), ...all("no", node.operands.at(-1))];
    case "Branch":
      return [...all("tested", node.condition), ...all("no", node.body)];
    case "Assignment":
      return [...all("handled", node.target), ...all("no", node.value)];
    case "Call": {
      const { text } = node.name;
      return all(
        text === "select" ? "tested" : pathFunctions.has(text) ? "handled" : "no",
        ...node.arguments,
      );
    }
    default:
      return all("no", ...children(node));
  }
}

const pathFunctions: ReadonlySet<string> = new Set(["del", "path", "paths", "pick", "delpaths"]);
