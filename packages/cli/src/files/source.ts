/** A config to check: a file, or standard input. */
export interface Source {
  /** What is printed: as given, or the given folder with the rest. */
  readonly path: string;
  /** The file, or where standard input would stand. */
  readonly absolute: string;
  /** The text of standard input; absent for a file. */
  readonly content?: Uint8Array;
}

/** A path that can't be opened: exit status 2, while the others are reported. */
export interface Failure {
  readonly path: string;
  readonly message: string;
}

/** What a search for configs has found. */
export interface Found {
  /** In the order of the operands, each file once. */
  readonly sources: readonly Source[];
  readonly failures: readonly Failure[];
  /** The folders that were looked through. */
  readonly folders: readonly string[];
}
