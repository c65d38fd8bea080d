/** What whoever called the command has to change. */
export class UsageError extends Error {}

export interface Arguments {
  readonly operands: readonly string[];
  readonly config: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
  /** Those of the verb, by name without the hyphens; of one that takes no value `""`. */
  readonly options: Readonly<Record<string, string>>;
}

/** An option of a verb: what its value is called, or that it takes none. */
export interface Option {
  readonly value?: string;
  readonly help: string;
}

export interface Verb {
  readonly name: string;
  readonly operands: readonly string[];
  readonly optional?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  readonly summary: string;
  readonly help: string;
  run(args: Arguments, environment: Environment): Promise<number>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param known options of the verb, besides those that all have
 * @throws UsageError
 */
export function parseArguments(
  given: readonly string[],
  known: Readonly<Record<string, Option>> = {},
): Arguments {
  const operands: string[] = [];
  const options: Record<string, string> = {};
  let config: string | undefined;
  let json = false;
  let help = false;
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? "";
    if (argument === "--") {
      operands.push(...given.slice(index + 1));
      break;
    }
    const [name = "", inline] = split(argument);
    const value = (what: string): string => {
      const next = inline ?? given[++index];
      if (next === undefined) throw new UsageError(`\`${name}\` needs ${what}.`);
      return next;
    };
    const option =
      name.startsWith("--") && Object.hasOwn(known, name.slice(2)) ? known[name.slice(2)] : undefined;
    if (argument === "--help" || argument === "-h") help = true;
    else if (argument === "--json") json = true;
    else if (name === "--config" || name === "-c") config = value("a file");
    else if (option !== undefined && option.value === undefined && inline !== undefined)
      throw new UsageError(`\`${name}\` takes no value.`);
    else if (option !== undefined)
      options[name.slice(2)] = option.value === undefined ? "" : value(option.value);
    // Ids are random, and some begin with a hyphen.
    else if (/^--|^-.?$/.test(argument))
      throw new UsageError(
        `There is no option \`${argument}\`; there are ${["--config FILE", ...Object.entries(known).map(shown), "--json"].join(", ")} and --help.`,
      );
    else operands.push(argument);
  }
  return { operands, config, json, help, options };
}

/** An option as help shows it. */
export function shown([name, { value }]: readonly [string, Option]): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function split(argument: string): readonly [string, string | undefined] {
  const at = argument.startsWith("--") ? argument.indexOf("=") : -1;
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}
