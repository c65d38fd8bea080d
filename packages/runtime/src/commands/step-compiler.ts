import type { App, AppCommand, CommandId } from "@configc/compiler";
import type { HttpService } from "../http/service.ts";
import type { Step } from "../step.ts";

/** What a command's closure is made with. */
export interface CompileContext {
  readonly app: App;
  /** The closure of another command. */
  step(id: CommandId): Step;
  /** Requests of this runtime: rate limits and tokens are shared by all its runs. */
  readonly http: HttpService;
}

/** Makes the closure of a command. */
export type StepCompiler = (command: AppCommand, making: CompileContext) => Step;
