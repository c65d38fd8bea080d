import { type Command, commandTypes, type Model, nodeAt } from "@configc/compiler";
import { layOutType, nodeTitle, pointerTo } from "@configc/compiler/internal";
import { compiled } from "./compiled.ts";
import type { Source, TypedCommand } from "./protocol.ts";

const WIDTH = 56;

/**
 * The outermost command at an offset and those in it, with what each takes and gives. Outside of commands: the outermost ones of
 * the smallest part around the offset that has any.
 */
export function types(source: Source, offset: number): TypedCommand[] {
  const { model } = compiled(source);
  const around = model.commands.filter(({ node }) => node.start <= offset && offset <= node.end);
  const outermost = around.find(({ parent }) => parent === undefined);
  if (outermost === undefined)
    return outline(model, offset).map((command) => typed(model, command, 0, false));
  // In document order, so the last one around is the innermost.
  const current = around.findLast((command) => depthOf(command, outermost) !== undefined);
  return model.commands.flatMap((command) => {
    const depth = depthOf(command, outermost);
    return depth === undefined ? [] : [typed(model, command, depth, command === current)];
  });
}

function outline(model: Model, offset: number): Command[] {
  const outermost = model.commands.filter(({ parent }) => parent === undefined);
  const { root } = model.document;
  let node = root === undefined ? undefined : nodeAt(root, offset);
  while (node !== undefined) {
    const { start, end, parent } = node;
    const inside = outermost.filter((command) => start <= command.node.start && command.node.end <= end);
    if (inside.length > 0) return inside;
    node = parent?.kind === "member" ? parent.parent : parent;
  }
  return outermost;
}

function depthOf(command: Command, outermost: Command): number | undefined {
  let depth = 0;
  for (let each: Command | undefined = command; each !== undefined; each = each.parent, depth++)
    if (each === outermost) return depth;
  return undefined;
}

function typed(model: Model, command: Command, depth: number, current: boolean): TypedCommand {
  const pointer = pointerTo(command.node);
  const [type] = commandTypes(model, command.node);
  const { start, end } = command.member.key;
  return {
    pointer,
    title: nodeTitle(model, pointer),
    key: command.key,
    start,
    end,
    depth,
    current,
    input: type === undefined ? "" : layOutType(type.input, WIDTH),
    output: type === undefined ? "" : layOutType(type.output, WIDTH),
    because: current ? (type?.because ?? []) : [],
  };
}
