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

/** What a run knows of the world. */
export interface Surroundings {
  /** Seconds since 1970. */
  readonly clock: () => number;
  /** For `localtime` and `strflocaltime`, a name such as `Europe/Paris`; undefined means the system's. */
  readonly timeZone: string | undefined;
  readonly io: InputOutput | undefined;
  /** The program was compiled for exact numbers. */
  readonly exact: boolean;
  /** What the program was compiled with. */
  readonly modules: ModuleResolver | undefined;
}
