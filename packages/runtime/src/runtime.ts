import type { App, CommandId } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { makers, makeUnsupported } from "./commands.ts";
import type { Effects, RunContext } from "./effects.ts";
import { RunError } from "./errors.ts";
import type { Step } from "./step.ts";

export interface Runtime {
  /**
   * Runs one command.
   *
   * @param node JSON Pointer of the command in the config
   * @param options.input what the command takes; `null` by default
   * @param options.context values of the roots that expansions read
   * @param options.signal cancels between steps
   * @returns its output
   * @throws RunError with the place in the config
   */
  run(node: CommandId, options?: RunOptions): Promise<Json>;
}

export interface RunOptions {
  readonly input?: Json;
  readonly context?: RunContext;
  readonly signal?: AbortSignal;
}

/**
 * Makes a runtime for a compiled app. Each command becomes a closure when it first runs.
 *
 * @param app from `compile` of `@configc/compiler`
 * @param effects everything a run may do to the world
 */
export function createRuntime(app: App, effects: Effects): Runtime {
  const steps = new Map<CommandId, Step>();
  const step = (id: CommandId): Step => {
    let made = steps.get(id);
    if (made === undefined) {
      const command = app.commands[id];
      if (command === undefined) throw new RunError("NotFound", `There is no command at ${id}.`, undefined);
      const maker = Object.hasOwn(makers, command.key) ? makers[command.key]! : makeUnsupported;
      made = maker(command, step, app);
      steps.set(id, made);
    }
    return made;
  };
  return {
    async run(node, { input = null, context = {}, signal } = {}) {
      return step(node)(input, { effects, context, signal, piped: undefined });
    },
  };
}
