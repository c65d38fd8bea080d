import type { Node, Program, Span } from "./syntax-tree.ts";

/** The direct children of a node, in source order. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "Program":
      return [...node.directives, node.body];
    case "ModuleDirective":
      return present(node.path, node.alias, node.metadata);
    case "Pipeline":
      return node.stages;
    case "Definition":
      return [node.name, ...node.parameters, node.body];
    case "Binding":
      return [node.source, ...node.patterns];
    case "Label":
      return [node.name];
    case "Comma":
    case "ArrayPattern":
      return node.items;
    case "Alternative":
    case "Logical":
      return node.operands;
    case "Assignment":
      return [node.target, node.value];
    case "Comparison":
      return [node.left, node.right];
    case "Arithmetic":
      return [node.first, ...node.rest];
    case "ArithmeticOperand":
    case "Negation":
      return [node.operand];
    case "Try":
      return node.handler === undefined ? [node.body] : [node.body, node.handler];
    case "Postfix":
      return [node.head, ...node.suffixes];
    case "Field":
      return [node.key];
    case "Index":
      return [node.index];
    case "Slice":
      return present(node.from, node.to);
    case "String":
      return node.format === undefined ? node.parts : [node.format, ...node.parts];
    case "Interpolation":
      return [node.expression];
    case "Array":
      return node.body === undefined ? none : [node.body];
    case "Object":
    case "ObjectPattern":
      return node.entries;
    case "Entry":
      return node.value === undefined ? [node.key] : [node.key, node.value];
    case "PatternEntry":
      return present(node.key, node.pattern);
    case "Group":
      return [node.body];
    case "Call":
      return node.arguments.length === 0 ? [node.name] : [node.name, ...node.arguments];
    case "Break":
      return [node.label];
    case "If":
      return node.otherwise === undefined ? node.branches : [...node.branches, node.otherwise];
    case "Branch":
      return [node.condition, node.body];
    case "Reduce":
      return [node.source, ...node.patterns, node.initial, node.update];
    case "Foreach":
      return present(node.source, ...node.patterns, node.initial, node.update, node.extract);
    default:
      return none;
  }
}

const none: readonly never[] = [];

function present(...nodes: readonly (Node | undefined)[]): readonly Node[] {
  return nodes.filter((node) => node !== undefined);
}

/** What `walk` calls for each node. */
export interface Visitor {
  /** Called before the children; `false` skips them. */
  enter?(node: Node): boolean | undefined;
  /** Called after the children, also if they were skipped. */
  leave?(node: Node): void;
}

/** Visits a node and all below it in source order, without recursion. */
export function walk(root: Node, visitor: Visitor): void {
  if (visitor.leave === undefined) return enterAll(root, visitor);
  const stack: { node: Node; left: boolean }[] = [{ node: root, left: false }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.left) {
      visitor.leave?.(top.node);
      continue;
    }
    const descend = visitor.enter?.(top.node) !== false;
    stack.push({ node: top.node, left: true });
    if (!descend) continue;
    const below = children(top.node);
    for (let index = below.length - 1; index >= 0; index--) stack.push({ node: below[index]!, left: false });
  }
}

/** The same where nobody asks for the way back, as most don't. */
function enterAll(root: Node, visitor: Visitor): void {
  const pending: Node[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visitor.enter?.(node) === false) continue;
    const below = children(node);
    for (let index = below.length - 1; index >= 0; index--) pending.push(below[index]!);
  }
}

/**
 * The nodes around an offset, outermost first; the last is the smallest node that contains it.
 * A node contains the offset of its end too, so that a cursor behind a name finds the name; where two
 * nodes touch, the later one wins.
 */
export function nodesAt(program: Program, offset: number): readonly Node[] {
  const path: Node[] = [];
  for (let node: Node | undefined = program; node !== undefined; ) {
    path.push(node);
    node = children(node).findLast((child) => contains(child, offset));
  }
  return path;
}

/** The smallest node that contains the offset. */
export function nodeAt(program: Program, offset: number): Node {
  return nodesAt(program, offset).at(-1)!;
}

function contains(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end && span.end > span.start;
}
