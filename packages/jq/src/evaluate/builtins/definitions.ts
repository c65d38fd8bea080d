import { parse } from "../../syntax/parser.ts";
import type { Definition, Expression, Node, ObjectEntry, Postfix, Span } from "../../syntax-tree.ts";
import { walk } from "../../walk.ts";
import { withDefinition } from "../pipeline-code.ts";
import { findFunction, outermostScope, type Scope } from "../scope.ts";
import { prelude } from "./prelude.ts";

let definitions: Map<string, Definition> | undefined;

/** A builtin that is defined in jq, by `name/arity`. */
export function preludeDefinition(key: string): Definition | undefined {
  if (definitions === undefined) {
    const { body } = parse(`${prelude} .`).program;
    const stages = body.kind === "Pipeline" ? body.stages : [];
    definitions = new Map();
    for (const stage of stages) {
      if (stage.kind === "Definition")
        definitions.set(`${stage.name.text}/${stage.parameters.length}`, stage);
    }
  }
  return definitions.get(key);
}

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
  const definition = preludeDefinition(`${name}/${arity}`);
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
  const definition = preludeDefinition(`${name}/${args.length}`);
  if (definition === undefined) return undefined;
  if (name === "pick") return pickedMembers(args[0]!, call);
  const names = definition.parameters.map((parameter) => parameter.name);
  for (const node of nodesOf(definition.body)) {
    if (binders.has(node.kind)) return undefined;
    if (node.kind !== "Call" || names.includes(node.name.text)) continue;
    if (findFunction(scope, node.name.text, node.arguments.length) !== undefined) return undefined;
  }
  const given = new Map(names.map((parameter, at) => [parameter, args[at]!]));
  return movedTo(call, definition.body, given);
}

/** `pick(.id, .name)` is `{id: .id, name: .name}`; undefined for all other paths. */
function pickedMembers(paths: Expression, { start, end }: Span): Expression | undefined {
  if (paths.kind === "Group") return pickedMembers(paths.body, { start, end });
  const entries: ObjectEntry[] = [];
  for (const path of paths.kind === "Comma" ? paths.items : [paths]) {
    const [suffix] = path.kind === "Postfix" && path.head.kind === "Identity" ? path.suffixes : [];
    if (suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
    if ((path as Postfix).suffixes.length > 1) return undefined;
    entries.push({ kind: "Entry", key: suffix.key, start, end });
  }
  return { kind: "Object", entries, start, end };
}

const binders: ReadonlySet<Node["kind"]> = new Set([
  ...(["Definition", "Binding", "Label", "Reduce", "Foreach", "Variable"] as const),
]);

function nodesOf(root: Expression): readonly Node[] {
  const nodes: Node[] = [];
  walk(root, {
    enter: (node) => {
      nodes.push(node);
      return true;
    },
  });
  return nodes;
}

/** A copy of a part of a tree in which everything has the same span, but for what is given for calls of parameters. */
function movedTo<Part>({ start, end }: Span, part: Part, given?: ReadonlyMap<string, Expression>): Part {
  const copy = (from: unknown): unknown => {
    if (typeof from !== "object" || from === null) return from;
    if (Array.isArray(from)) return from.map(copy);
    const argument = given?.get(parameterOf(from as Node));
    if (argument !== undefined) return { kind: "Group", body: argument, start, end };
    const members = Object.entries(from).map(([name, value]) => [name, copy(value)] as const);
    return Object.assign(Object.fromEntries(members), "start" in from ? { start, end } : {});
  };
  return copy(part) as Part;
}

/** The name of what may be a call of a parameter. */
function parameterOf(node: Node): string {
  return node.kind === "Call" && node.arguments.length === 0 ? node.name.text : "";
}
