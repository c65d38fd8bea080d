import { parseArgs } from "node:util";
import { type OptionSpec, takesPair } from "./option.ts";
import { either } from "./phrases.ts";
import { UsageError } from "./usage-error.ts";

/** An option as it stands on the line: a flag has no value, `--arg NAME VALUE` two. */
interface GivenOption {
  readonly name: string;
  readonly values: readonly string[];
  /** How many operands stand before it. */
  readonly after: number;
}

/** A command line, read against a table of options. */
export class Arguments {
  readonly operands: readonly string[];
  /** In the order of the line. */
  readonly options: readonly GivenOption[];

  constructor(operands: readonly string[], options: readonly GivenOption[]) {
    this.operands = operands;
    this.options = options;
  }

  has(name: string): boolean {
    return this.options.some((option) => option.name === name);
  }

  /** The value of an option; given more than once, the last one counts. */
  value(name: string): string | undefined {
    return this.values(name).at(-1);
  }

  values(name: string): string[] {
    return this.options.filter((option) => option.name === name).map(({ values }) => values[0] ?? "");
  }
}

/**
 * Reads a command line. Options may stand anywhere; after `--` everything is an operand.
 *
 * @param verb whose help is named in messages
 * @throws UsageError for an unknown option, a missing or an unexpected value, or one that isn't among the choices
 */
export function parseArguments(
  argv: readonly string[],
  specs: readonly OptionSpec[],
  verb: string,
): Arguments {
  const operands: string[] = [];
  const options: GivenOption[] = [];
  for (const token of tokensOf(argv, specs)) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const spec = specs.find(({ name }) => name === token.name);
    if (spec === undefined) throw unknownOption(token.rawName, specs, verb);
    options.push({ name: spec.name, values: valuesOf(spec, token, verb), after: operands.length });
  }
  return new Arguments(operands, options);
}

/** Takes the verb, the first operand, out of a line whose options may stand before it. */
export function splitVerb(
  argv: readonly string[],
  specs: readonly OptionSpec[],
): { readonly verb: string | undefined; readonly rest: readonly string[] } {
  const joined = joinPairs(argv, specs);
  const at = tokensOf(joined, specs).find(({ kind }) => kind === "positional")?.index;
  if (at === undefined) return { verb: undefined, rest: joined };
  return { verb: joined[at], rest: joined.filter((_, index) => index !== at) };
}

function tokensOf(argv: readonly string[], specs: readonly OptionSpec[]) {
  return parseArgs({
    args: joinPairs(argv, specs),
    // Our own messages say more than those of the strict mode.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      specs.map(({ name, short, value }) => [
        name,
        {
          type: value === undefined ? ("boolean" as const) : ("string" as const),
          multiple: true,
          ...(short === undefined ? {} : { short }),
        },
      ]),
    ),
  }).tokens;
}

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: "option" }>;

function valuesOf(spec: OptionSpec, token: OptionToken, verb: string): readonly string[] {
  const { value, rawName } = token;
  if (spec.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value.`, verb);
    return [];
  }
  if (takesPair(spec)) {
    if (value === undefined || !isPair(value))
      throw new UsageError(`${rawName} needs two values: ${rawName} ${spec.value}.`, verb);
    return JSON.parse(value) as string[];
  }
  if (value === undefined || (!token.inlineValue && /^-./.test(value))) {
    const accepted = spec.choices === undefined ? "" : ` (${either(spec.choices)})`;
    throw new UsageError(`${rawName} needs a value: ${rawName} ${spec.value}${accepted}.`, verb);
  }
  if (spec.choices !== undefined && !spec.choices.includes(value)) {
    throw new UsageError(`${rawName} is ${either(spec.choices)}, not “${value}”.`, verb, {
      name: value,
      candidates: spec.choices,
    });
  }
  return [value];
}

/** `--arg NAME VALUE` as one argument, which is all that the standard parser knows; VALUE may begin with a dash. */
function joinPairs(argv: readonly string[], specs: readonly OptionSpec[]): string[] {
  const pairs = new Set(specs.filter(takesPair).map(({ name }) => `--${name}`));
  const joined: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!;
    if (argument === "--") return [...joined, ...argv.slice(i)];
    const [first, second] = argv.slice(i + 1, i + 3);
    if (!pairs.has(argument) || first === undefined || second === undefined) joined.push(argument);
    else {
      joined.push(`${argument}=${JSON.stringify([first, second])}`);
      i += 2;
    }
  }
  return joined;
}

function isPair(value: string): boolean {
  return /^\[".*",".*"\]$/s.test(value);
}

function unknownOption(rawName: string, specs: readonly OptionSpec[], verb: string): UsageError {
  // Any letter is as near to another one as the next.
  const names = rawName.startsWith("--") ? specs.map(({ name }) => `--${name}`) : [];
  return new UsageError(`There is no option ${rawName}.`, verb, { name: rawName, candidates: names });
}
