import type { BoundTemplate, Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import type { Document } from "../parse/document.ts";
import type { JsonNode, ObjectNode, StringNode, SyntaxNode } from "../parse/syntax-tree.ts";
import type { AppNode, CommandId } from "./app.ts";

/** What emitting a part looks up in the whole. */
export interface EmitContext {
  readonly model: Model;
  readonly document: Document;
  /** The strings that are expanded: the binder decides which are (D11). */
  readonly templates: ReadonlyMap<StringNode, BoundTemplate>;
  readonly commands: ReadonlyMap<ObjectNode, Command>;
}

export function contextOf(model: Model): EmitContext {
  return {
    model,
    document: model.document,
    templates: new Map(model.templates.map((template) => [template.node, template])),
    commands: new Map(model.commands.map((command) => [command.node, command])),
  };
}

/** Pointer and span of a node. */
export function placeOf(node: SyntaxNode): AppNode {
  return { pointer: pointerTo(node), span: { start: node.start, end: node.end } };
}

/** The id of the command that a value is; undefined where it is none. */
export function commandIdOf(node: JsonNode | undefined, { commands }: EmitContext): CommandId | undefined {
  return node?.kind === "object" && commands.has(node) ? pointerTo(node) : undefined;
}

/** The member with that name, if there is a value: `{}` otherwise, to be spread into an object with optional members. */
export function optional<K extends string, V>(name: K, value: V | undefined): { [name in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [name in K]: V });
}

/** A record whose names come from the document: `__proto__` is one like any other. */
export function record<V>(entries: Iterable<readonly [string, V]>): Record<string, V> {
  return Object.fromEntries(entries);
}
