import { constantOf } from "../../constant.ts";
import { nodesWithin } from "../../nodes-within.ts";
import type {
  Definition,
  Expression,
  Name,
  Node,
  ObjectEntry,
  Postfix,
  Span,
  Suffix,
} from "../../syntax-tree.ts";
import { withDefinition } from "../pipeline-code.ts";
import { findFunction, outermostScope, type Scope } from "../scope.ts";

/**
 * A builtin that is defined in jq, for one call: its scope, outside of every environment. All of it stands where the call
 * does, so that what fails within it fails at the call.
 */
export function preludeScope(
  name: string,
  arity: number,
  call: Span,
  { compiler }: Scope,
): Scope | undefined {
  const definition = compiler.functions.definition(`${name}/${arity}`);
  return definition && withDefinition(outermostScope(compiler), movedTo(call, definition));
}

/**
 * What a call of a builtin that is defined in jq stands for, with its arguments in their places: `with_entries(f)` is
 * `to_entries | map(f) | from_entries`. So no closure is made for an argument, and what is known of it, as that it has one
 * output, is known of the call. Undefined where a name would mean something else then: for definitions that bind
 * names, and where the program has defined one that the builtin uses.
 */
export function expanded(
  name: string,
  args: readonly Expression[],
  call: Span,
  scope: Scope,
): Expression | undefined {
  if (name === "getpath") return constantPath(args[0]!, call);
  const definition = scope.compiler.functions.definition(`${name}/${args.length}`);
  if (definition === undefined) return undefined;
  if (name === "pick") return pickedMembers(args[0]!, call);
  const names = definition.parameters.map((parameter) => parameter.name);
  for (const node of nodesWithin(definition.body)) {
    if (binders.has(node.kind)) return undefined;
    if (node.kind !== "Call" || names.includes(node.name.text)) continue;
    if (findFunction(scope, node.name.text, node.arguments.length) !== undefined) return undefined;
  }
  const given = new Map(names.map((parameter, at) => [parameter, args[at]!]));
  return movedTo(call, definition.body, given);
}

/** Members that are picked, by name; undefined for one that is picked as a whole. */
type Picked = Map<
  string,
  { readonly key: Name; readonly path: Expression; readonly below: Picked | undefined }
>;

/** `pick(.id, .a.b)` is `{id: .id, a: {b: .a.b}}`; undefined for all other paths. */
function pickedMembers(paths: Expression, span: Span): Expression | undefined {
  if (paths.kind === "Group") return pickedMembers(paths.body, span);
  const all: Picked = new Map();
  for (const path of paths.kind === "Comma" ? paths.items : [paths]) {
    const keys = path.kind === "Postfix" && path.head.kind === "Identity" ? namesOf(path) : undefined;
    if (keys === undefined) return undefined;
    let members = all;
    for (const [at, key] of keys.entries()) {
      const isLast = at === keys.length - 1;
      const known = members.get(key.text);
      // One path is a part of another: what is set last counts.
      if (known !== undefined && (isLast || known.below === undefined)) return undefined;
      const below = known?.below ?? (isLast ? undefined : new Map());
      if (known === undefined) members.set(key.text, { key, path, below });
      if (below !== undefined) members = below;
    }
  }
  return objectOf(all, span);
}

function objectOf(members: Picked, { start, end }: Span): Expression {
  const entries = [...members.values()].map(({ key, path, below }): ObjectEntry => {
    const value = below === undefined ? path : objectOf(below, { start, end });
    return { kind: "Entry", key, value, start, end };
  });
  return { kind: "Object", entries, start, end };
}

function namesOf({ suffixes }: Postfix): readonly Name[] | undefined {
  const keys: Name[] = [];
  for (const suffix of suffixes) {
    if (suffix.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
    keys.push(suffix.key);
  }
  return keys;
}

/** `getpath(["a", "b"])` is `.a.b`; undefined for paths that aren't constant names. */
function constantPath(path: Expression, { start, end }: Span): Expression | undefined {
  const keys = constantOf(path);
  if (!Array.isArray(keys) || keys.length === 0) return undefined;
  if (!keys.every((key) => typeof key === "string")) return undefined;
  const suffixes = keys.map((text): Suffix => {
    return { kind: "Field", key: { kind: "Name", text, start, end }, start, end };
  });
  return { kind: "Postfix", head: { kind: "Identity", start, end }, suffixes, start, end };
}

/** Nodes of a body, and of an argument, that are compiled again for each call. */
const MOST_NODES = 30;

/**
 * What a call of the program's own definition stands for, as `expanded` does for builtins, so that what is known of its
 * arguments is known of the call. Only for short bodies and arguments that call nothing of the program: one within
 * another would become longer with each level.
 */
export function inlined(
  definition: Definition,
  args: readonly Expression[],
  scope: Scope,
): Expression | undefined {
  const { parameters, body } = definition;
  if (parameters.some(({ byValue }) => byValue)) return undefined;
  const names = parameters.map(({ name }) => name);
  const callsOwn = (node: Node): boolean =>
    node.kind === "Call" && findFunction(scope, node.name.text, node.arguments.length) !== undefined;
  for (const argument of args) {
    if (fewNodes(argument)?.some(callsOwn) !== false) return undefined;
  }
  const nodes = fewNodes(body);
  if (nodes === undefined) return undefined;
  for (const node of nodes) {
    if (binders.has(node.kind)) return undefined;
    const isParameter = node.kind === "Call" && node.arguments.length === 0 && names.includes(node.name.text);
    if (!isParameter && callsOwn(node)) return undefined;
  }
  return movedTo(undefined, body, new Map(names.map((parameter, at) => [parameter, args[at]!])));
}

/** All nodes of a part; undefined if there are too many. */
function fewNodes(root: Expression): readonly Node[] | undefined {
  const nodes: Node[] = [];
  for (const node of nodesWithin(root)) if (nodes.push(node) > MOST_NODES) return undefined;
  return nodes;
}

const binders: ReadonlySet<Node["kind"]> = new Set([
  ...(["Definition", "Binding", "Label", "Reduce", "Foreach", "Variable"] as const),
]);

/** A copy of a part of a tree, in which everything has the same span if one is given, but for what is given for calls of parameters. */
function movedTo<Part>(span: Span | undefined, part: Part, given?: ReadonlyMap<string, Expression>): Part {
  const place = span === undefined ? {} : { start: span.start, end: span.end };
  const copy = (from: unknown): unknown => {
    if (typeof from !== "object" || from === null) return from;
    if (Array.isArray(from)) return from.map(copy);
    const argument = given?.get(parameterOf(from as Node));
    if (argument !== undefined) {
      const { start, end } = argument;
      return { kind: "Group", body: argument, start, end, ...place };
    }
    const members = Object.entries(from).map(([name, value]) => [name, copy(value)] as const);
    return Object.assign(Object.fromEntries(members), "start" in from ? place : {});
  };
  return copy(part) as Part;
}

/** The name of what may be a call of a parameter. */
function parameterOf(node: Node): string {
  return node.kind === "Call" && node.arguments.length === 0 ? node.name.text : "";
}
