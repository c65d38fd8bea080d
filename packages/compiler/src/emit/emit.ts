import type { Command, Expansion, JqProgram, Model } from "../bind/model.ts";
import { pointerTo } from "../findings/pointer.ts";
import { toJson } from "../parse/syntax-tree.ts";
import type { App, AppCommand, AppHole, AppProgram } from "./app.ts";

export type { App } from "./app.ts";

/** Turns the bound document into the plain app. Commands that couldn't be read are left out. */
export function emit(model: Model): App {
  const commands: Record<string, AppCommand> = {};
  for (const command of model.commands) commands[pointerTo(command.node)] = emitCommand(command);
  return { irVersion: 1, commands };
}

function emitCommand(command: Command): AppCommand {
  const { key, node, argument, children, program } = command;
  const nested = key === "!pipe" || key === "!switch";
  return {
    key,
    pointer: pointerTo(node),
    span: { start: node.start, end: node.end },
    ...(nested || argument === undefined ? {} : { argument: toJson(argument) }),
    ...(nested
      ? { children: children.map((child) => (child === undefined ? null : pointerTo(child.node))) }
      : {}),
    ...(program === undefined ? {} : { program: emitProgram(program) }),
  };
}

function emitProgram({ node, holes }: JqProgram): AppProgram {
  return { text: node.value, holes: holes.map(emitHole) };
}

function emitHole({ syntax }: Expansion): AppHole {
  const filter = syntax.filters.find(({ name }) => name === "default");
  return {
    start: syntax.start,
    end: syntax.end,
    path: syntax.path.map(({ text }) => text),
    ...(filter === undefined ? {} : { default: filter.argument?.text ?? "" }),
  };
}
