/** What whoever called the command has to change. */
export class UsageError extends Error {}

export interface Arguments {
  readonly operands: readonly string[];
  readonly config: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

export interface Verb {
  readonly name: string;
  readonly operands: readonly string[];
  readonly optional?: readonly string[];
  readonly summary: string;
  readonly help: string;
  run(args: Arguments, environment: Environment): Promise<number>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws UsageError */
export function parseArguments(given: readonly string[]): Arguments {
  const operands: string[] = [];
  let config: string | undefined;
  let json = false;
  let help = false;
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? "";
    if (argument === "--") {
      operands.push(...given.slice(index + 1));
      break;
    }
    if (argument === "--help" || argument === "-h") help = true;
    else if (argument === "--json") json = true;
    else if (argument === "--config" || argument === "-c") {
      config = given[++index];
      if (config === undefined) throw new UsageError("`--config` needs a file.");
    } else if (argument.startsWith("--config=")) config = argument.slice("--config=".length);
    // Ids are random, and some begin with a hyphen.
    else if (/^--|^-.?$/.test(argument))
      throw new UsageError(`There is no option \`${argument}\`; there are --config FILE, --json and --help.`);
    else operands.push(argument);
  }
  return { operands, config, json, help };
}
