import type { App, CommandId } from "@configc/compiler";
import { failingStep } from "./commands/failing-step.ts";
import { makers } from "./commands/index.ts";
import { RunError } from "./errors.ts";
import type { HttpService } from "./http/service.ts";
import type { Step } from "./step.ts";
import { traced } from "./traced.ts";

/** The commands of an app as closures, each made when it is first asked for. */
export function stepsOf(app: App, http: HttpService): (id: CommandId) => Step {
  const steps = new Map<CommandId, Step>();
  const making = { app, http, step };
  function step(id: CommandId): Step {
    let made = steps.get(id);
    if (made === undefined) {
      const command = Object.hasOwn(app.commands, id) ? app.commands[id] : undefined;
      if (command === undefined)
        throw new RunError("NotFound", `There is no command at \`${id}\`.`, undefined);
      const make = makers.get(command.key);
      made = traced(
        command,
        make === undefined ? failingStep(command, "this version doesn't know it") : make(command, making),
      );
      steps.set(id, made);
    }
    return made;
  }
  return step;
}
