/** The command line, or a file that it names, can't be used: exit status 2. */
export class UsageError extends Error {
  /** Where more is told: a verb, or undefined if the message says it all. */
  readonly seeHelpOf: string | undefined;

  constructor(message: string, seeHelpOf?: string) {
    super(message);
    this.name = "UsageError";
    this.seeHelpOf = seeHelpOf;
  }
}
