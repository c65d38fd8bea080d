/** A name that wasn't understood, and those that would have been: the nearest is suggested when the error is printed. */
interface Misspelling {
  readonly name: string;
  readonly candidates: readonly string[];
}

/** The command line, or a file that it names, can't be used: exit status 2. */
export class UsageError extends Error {
  /** Whose help tells more: a verb's, the command's if empty; undefined if the message says it all. */
  readonly seeHelpOf: string | undefined;
  readonly misspelling: Misspelling | undefined;

  constructor(message: string, seeHelpOf?: string, misspelling?: Misspelling) {
    super(message);
    this.name = "UsageError";
    this.seeHelpOf = seeHelpOf;
    this.misspelling = misspelling;
  }
}

/** Whether an error is one of them; verbs in files of their own bring their own copy of the class. */
export function isUsageError(error: unknown): error is UsageError {
  return error instanceof UsageError || (error instanceof Error && error.name === "UsageError");
}
