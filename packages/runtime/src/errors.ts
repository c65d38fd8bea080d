import type { AppCommand } from "@configc/compiler";

/** Why a run failed. `AppError` is the app's own `!error`; the rest is about the command or its surroundings. */
export type RunErrorKind = "AppError" | "JqError" | "DataError" | "NotSupported" | "Cancelled" | "NotFound";

/** A failed run, with the place in the config. */
export class RunError extends Error {
  readonly kind: RunErrorKind;
  /** JSON Pointer of the command. */
  readonly pointer: string;
  /** UTF-16 offsets in the config's source; undefined where no command is at fault. */
  readonly span: AppCommand["span"] | undefined;

  constructor(
    kind: RunErrorKind,
    message: string,
    command: Pick<AppCommand, "pointer" | "span"> | undefined,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RunError";
    this.kind = kind;
    this.pointer = command?.pointer ?? "";
    this.span = command?.span;
  }
}
