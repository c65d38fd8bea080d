import type { Json } from "../json.ts";
import type { ModuleResolver } from "../modules/module.ts";

/**
 * What reads or affects the surroundings of a program; each part may be left out. A run without `io` fails
 * where the program asks for any of it, and no `try` can catch that.
 */
export interface InputOutput {
  /** What `input` and `inputs` read. Without it they find nothing to read from. A `JqError` of kind `error` is a failure of the program. */
  readonly inputs?: Iterable<Json>;
  /** Takes what `debug` reports. */
  readonly debug?: (message: Json) => void;
  /** Takes what `stderr` writes: text as it is, other values as JSON, without an end of line. */
  readonly stderr?: (text: string) => void;
  /** What `env` and `$ENV` give. Without it, no variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** What `input_filename` gives; null if the input isn't a file. */
  readonly filename?: string | null;
  /** What `get_search_list` gives: the folders in which modules are looked for. */
  readonly searchList?: readonly string[];
  /** What `input_line_number` gives: how many lines of the input were read. Without it, 0. */
  readonly lineNumber?: number;
}

/** What a run may use. */
export interface Budget {
  /** Items of loops, calls (4 each), and work on values by its length; default 20 million, which is about a second. */
  readonly steps?: number;
  /** Default: no limit. The clock is looked at every few thousand steps. */
  readonly milliseconds?: number;
  /** Characters of one text or items of one array; default 50 million. */
  readonly size?: number;
  /**
   * Bytes of all that the run makes, whether it is still needed or not, estimated upwards; default 256 million. A run
   * never takes more memory than that.
   */
  readonly memory?: number;
}

/** Values for one run. */
export interface Bindings {
  /** By name without `$`; a variable without a value is null. */
  readonly variables?: Readonly<Record<string, Json>>;
  /** By the hole's index. */
  readonly holes?: readonly Json[];
}

/** What one run of a filter takes: its variables, where outputs go, and how much it may use. */
export interface RunOptions {
  readonly bindings?: Bindings;
  readonly budget?: Budget;
  /** What `now` gives: seconds since 1970. Default: the system's clock. */
  readonly clock?: () => number;
  /** For `localtime` and `strflocaltime`: a name such as `Europe/Paris`. Default: the system's zone. */
  readonly timeZone?: string;
  /** What `input`, `debug`, `$ENV`, `halt` and the like need; without it they fail (decision D23). */
  readonly io?: InputOutput;
  /** Is written when the run is over, also if it failed. */
  readonly spent?: Spent;
}

/** What a run took. */
export interface Spent {
  /** Bytes of all that it made, counted as by `Budget.memory`: more than that if it failed for it. */
  memory: number;
}

/** What was known of the world when a program was compiled. */
export interface Compiled {
  /** It was compiled for exact numbers. */
  readonly exact: boolean;
  readonly modules: ModuleResolver | undefined;
}
