import { printType, type Type } from "@configc/jq";
import type { Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import { flowOf } from "../flow/flow.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { withoutHiddenBody } from "../samples/response.ts";

/** What a command takes and gives. */
export interface CommandType {
  readonly pointer: string;
  readonly key: string;
  readonly input: Type;
  readonly output: Type;
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
  }));
}

/** A type over several lines where it is an object that doesn't fit on one. */
export function layOutType(type: Type, width = 80): string {
  const line = printType(type, { depth: 8, members: 100 });
  if (line.length <= width || type.kind !== "object") return line;
  const members = [...type.members].map(([name, { type: inner, optional }]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `  ${key}${optional ? "?" : ""}: ${layOutType(inner, width - 2).replaceAll("\n", "\n  ")},`;
  });
  if (type.rest !== undefined) members.push("  …");
  return `{\n${members.join("\n")}\n}`;
}
