import type { Model } from "../bind/model.ts";
import { builtinDialect } from "../language/index.ts";
import { dialectOf } from "../options/settings.ts";
import { emitApi } from "./api.ts";
import type { App } from "./app.ts";
import { emitAuth } from "./auth.ts";
import { emitCommand } from "./commands.ts";
import { contextOf, record } from "./context.ts";
import { emitIntake } from "./intakes.ts";
import { emitWorkflow } from "./workflows.ts";

export type { App } from "./app.ts";

/**
 * Turns the bound document into the plain app. What couldn't be read is left out; a name that isn't declared exactly so isn't
 * followed, although checks bind it to its nearest match.
 */
export function emit(model: Model): App {
  const context = contextOf(model);
  const { target } = dialectOf(model.settings);
  const commands = model.commands.map((command) => emitCommand(command, context));
  return {
    irVersion: 1,
    auth: record(
      model.auths
        .filter(({ member }) => !member.repeated)
        .map((auth) => [auth.name, emitAuth(auth, context)]),
    ),
    api: emitApi(context),
    ...(target === builtinDialect.target ? {} : { platformTarget: target }),
    intakes: model.intakes.map(emitIntake),
    workflows: model.workflows.map((workflow) => emitWorkflow(workflow, context)),
    commands: record(commands.map((command) => [command.pointer, command])),
  };
}
