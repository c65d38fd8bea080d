/**
 * The compiled app: plain JSON, for the runtime, `build`, replay and the distributed engine. References are ids of symbols,
 * jq is its text with a table of holes, and every command keeps its pointer and span in the source.
 */
export interface App {
  readonly irVersion: 1;
  readonly commands: Readonly<Record<CommandId, AppCommand>>;
}

/** The JSON Pointer of the command in the document. */
export type CommandId = string;

export interface AppCommand {
  readonly key: string;
  readonly pointer: string;
  /** UTF-16 offsets in the source. */
  readonly span: { readonly start: number; readonly end: number };
  /** The argument as written, commands in it replaced by nothing: they stand in `children`. */
  readonly argument?: unknown;
  readonly children?: readonly (CommandId | null)[];
  readonly program?: AppProgram;
}

export interface AppProgram {
  readonly text: string;
  /** Offsets in `text`, ascending, with what each expands to. */
  readonly holes: readonly AppHole[];
}

export interface AppHole {
  readonly start: number;
  readonly end: number;
  readonly path: readonly string[];
  /** Value of `| default`, if there is one. */
  readonly default?: string;
}
