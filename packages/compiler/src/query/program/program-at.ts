import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { pointerTo } from "../../findings/pointer.ts";

/** The program that an offset is in, or that the innermost command around it has. */
export function programAt(model: Model, offset: number): JqProgram | undefined {
  let found: JqProgram | undefined;
  for (const program of model.programs) {
    const { start, end } = program.command.node;
    // Commands around others come before them.
    if (start <= offset && offset <= end) found = program;
  }
  return found;
}

/** The program that stands at a JSON Pointer: of its string, or of the command that has it. */
export function programByPointer(model: Model, pointer: string): JqProgram | undefined {
  return programsByPointer(model).get(pointer);
}

const programsByPointer = derived(({ programs }) => {
  const found = new Map<string, JqProgram>();
  for (const program of programs) {
    found.set(pointerTo(program.command.node), program);
    found.set(pointerTo(program.node), program);
  }
  return found;
});
