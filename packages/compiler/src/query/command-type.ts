import { type Type, types } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import { flowOf } from "../flow/flow.ts";
import { outputTrails, pathText } from "../flow/origin.ts";
import type { TypeFlow } from "../flow/type-flow.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { withoutHiddenBody } from "../samples/response.ts";
import { tellsMore, trailsText } from "./provenance-text.ts";

/** What a command takes and gives. */
export interface CommandType {
  readonly pointer: string;
  readonly key: string;
  readonly input: Type;
  readonly output: Type;
  /** Where the parts of the output come from that the command doesn't make, a text each: several lines for several sources. */
  readonly because: readonly string[];
}

/** The types of the command that a node is; of the commands in it, where it is none itself. In document order. */
export function commandTypes(model: Model, node: JsonNode): readonly CommandType[] {
  const flow = flowOf(model);
  const own = model.commands.filter((command) => command.node === node);
  const below = model.commands.filter(
    (command) =>
      command.parent === undefined && node.start <= command.node.start && command.node.end <= node.end,
  );
  return (own.length > 0 ? own : below).map((command) => ({
    pointer: pointerTo(command.node),
    key: command.key,
    input: withoutHiddenBody(flow.input(command)),
    output: withoutHiddenBody(flow.output(command)),
    because: becauseOfOutput(model, command, flow),
  }));
}

/** Lines of a trail; more say less. */
const LINES = 16;

function becauseOfOutput(model: Model, command: Command, flow: TypeFlow): string[] {
  const lines: string[] = [];
  for (const { path, type } of partsOf(flow.output(command), [])) {
    // Nobody asks where a constant comes from, or the response of the request itself.
    const trails = outputTrails(flow, command, path).filter(
      ({ origin }) => origin.kind !== "response" || origin.command !== command || path.length === 0,
    );
    if (tellsMore(trails)) lines.push(`${pathText(path)}: ${trailsText(model, type, trails)}`);
  }
  return lines.slice(0, LINES);
}

/** The members of an object, of the items of a list; of others, the whole. Several kinds of objects are taken as one. */
function partsOf(
  type: Type,
  path: readonly string[],
): { readonly path: readonly string[]; readonly type: Type }[] {
  const parts = types.partsOf(type).filter(({ kind }) => kind !== "null");
  const [first] = parts;
  if (first?.kind === "array" && parts.length === 1 && path.length < 2)
    return partsOf(first.items, [...path, "[]"]);
  const names = new Set(parts.flatMap((part) => (part.kind === "object" ? [...part.members.keys()] : [])));
  if (names.size === 0 || path.length > 1 || parts.some(({ kind }) => kind !== "object"))
    return [{ path, type }];
  return [...names].map((name) => ({ path: [...path, name], type: memberOf(parts, name) }));
}

/** What a member is where it is there. */
function memberOf(objects: readonly Type[], name: string): Type {
  return types.union(
    ...objects.flatMap((object) =>
      object.kind === "object" ? (object.members.get(name)?.type ?? object.rest ?? []) : [],
    ),
  );
}
