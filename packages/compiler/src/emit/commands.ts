import type { Command, JqProgram } from "../bind/bound-nodes.ts";
import { evaluatedHoles } from "../bind/program.ts";
import { pointerTo } from "../findings/pointer.ts";
import type { AppCommand, AppProgram } from "./app.ts";
import { type EmitContext, placeOf } from "./context.ts";
import { emitExpansion, emitValue } from "./values.ts";

/** A command. The argument of a `!pipe` or `!switch` is said by its children and program, that of `!jq` by its program. */
export function emitCommand(command: Command, context: EmitContext): AppCommand {
  const { key, node, argument, children, program } = command;
  const nested = key === "!pipe" || key === "!switch";
  const told = nested || program !== undefined || argument === undefined;
  return {
    ...placeOf(node),
    key,
    ...(told ? {} : { argument: emitValue(argument, context) }),
    ...(nested
      ? { children: children.map((child) => (child === undefined ? null : pointerTo(child.node))) }
      : {}),
    ...(program === undefined ? {} : { program: emitProgram(program) }),
  };
}

/** The program with the holes that it evaluates: one in a comment is text (D10). */
export function emitProgram(program: JqProgram): AppProgram {
  return {
    text: program.node.value,
    holes: evaluatedHoles(program).map(({ syntax }) => ({
      start: syntax.start,
      end: syntax.end,
      ...emitExpansion(syntax),
    })),
  };
}
