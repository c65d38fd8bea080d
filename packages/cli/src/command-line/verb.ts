import type { Arguments } from "./arguments.ts";
import type { Completes, OptionSpec } from "./option.ts";

/** A verb of the command, as data. Its code is loaded only when it runs. */
export interface VerbSpec {
  readonly name: string;
  readonly summary: string;
  /** As in the synopsis: `[PATH…]`. */
  readonly operands: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /** Paragraphs below the synopsis. */
  readonly details: readonly string[];
  readonly options: readonly OptionSpec[];
  /** Command line → what it does. */
  readonly examples: Readonly<Record<string, string>>;
  /** Status → when. */
  readonly exit: Readonly<Record<number, string>>;
  load(): Promise<VerbModule>;
}

interface VerbModule {
  /**
   * @param verbs every verb of the command, for one that tells of the others
   * @returns the exit status
   */
  run(args: Arguments, verbs: readonly VerbSpec[]): number | Promise<number>;
}
