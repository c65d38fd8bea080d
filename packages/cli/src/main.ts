import { type Arguments, parseArguments, splitVerb } from "./command-line/arguments.ts";
import { firstSteps } from "./command-line/first-steps.ts";
import { commandHelp, verbHelp } from "./command-line/help.ts";
import type { OptionSpec } from "./command-line/option.ts";
import { either } from "./command-line/phrases.ts";
import { isUsageError, UsageError } from "./command-line/usage-error.ts";
import type { VerbSpec } from "./command-line/verb.ts";
import { packageInfo } from "./package-info.ts";
import { hasColour, note, print, surviveClosedPipes } from "./terminal/output.ts";
import { styleOf } from "./terminal/style.ts";
import { commonOptions, verbs } from "./verbs/table.ts";

/** Status of a failure of our own; neither a finding (1) nor wrong usage (2). */
const INTERNAL_ERROR = 70;

/**
 * Runs the command.
 *
 * @param argv the arguments after the command's name
 * @returns the exit status; never throws
 */
export async function main(argv: readonly string[]): Promise<number> {
  surviveClosedPipes();
  try {
    return await dispatch(argv);
  } catch (error) {
    if (isUsageError(error)) {
      await complain(error);
      return 2;
    }
    note(
      `configc: this is a mistake in configc, please report it.\n${error instanceof Error ? error.stack : error}`,
    );
    return INTERNAL_ERROR;
  }
}

async function complain({ message, misspelling, seeHelpOf }: UsageError): Promise<void> {
  let suggestion = "";
  if (misspelling !== undefined) {
    const { didYouMean } = await import("./verbs/modules.ts");
    suggestion = didYouMean(misspelling.name, misspelling.candidates);
  }
  note(`configc: ${message}${suggestion}`);
  if (seeHelpOf !== undefined) {
    note(`See “${["configc", seeHelpOf, "--help"].filter((part) => part !== "").join(" ")}”.`);
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  // Options may stand before the verb, so their values must be told from it.
  const { verb: name, rest } = splitVerb(argv, everyOption());
  if (name === undefined) return withoutVerb(parseArguments(rest, commonOptions, ""));
  if (name === "help") return help(rest[0]);
  const verb = verbNamed(name);
  const specs = [...verb.options, ...commonOptions];
  const args = parseArguments(rest, specs, verb.name);
  if (args.has("help")) return help(verb.name);
  if (args.has("version")) return version();
  checkOperands(verb, args.operands);
  return (await verb.load()).run(args, verbs);
}

function withoutVerb(args: Arguments): number {
  if (args.has("version")) return version();
  if (args.has("help")) return help(undefined);
  throw new UsageError(firstSteps(process.cwd()), "");
}

function verbNamed(name: string): VerbSpec {
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb !== undefined) return verb;
  const names = verbs.map((candidate) => candidate.name);
  throw new UsageError(`There is no verb “${name}”. Verbs are ${either(names)}.`, "", {
    name,
    candidates: names,
  });
}

function checkOperands(verb: VerbSpec, operands: readonly string[]): void {
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY, choices } = verb;
  if (operands.length < atLeast) {
    const missing =
      operands.length === 0 ? "" : `, and ${verb.operands.split(" ")[operands.length]} is missing`;
    throw new UsageError(`${verb.name} needs ${verb.operands}${missing}.`, verb.name);
  }
  if (operands.length > atMost) {
    throw new UsageError(`“${operands[atMost]}” is one operand too many for ${verb.name}.`, verb.name);
  }
  const wrong = operands.find((operand) => choices !== undefined && !choices.includes(operand));
  if (wrong !== undefined && choices !== undefined) {
    throw new UsageError(`${verb.operands} is ${either(choices)}, not “${wrong}”.`, verb.name, {
      name: wrong,
      candidates: choices,
    });
  }
}

function help(verbName: string | undefined): number {
  const style = styleOf(hasColour(process.stdout));
  if (verbName === undefined) print(commandHelp(verbs, commonOptions, style));
  else {
    const verb = verbNamed(verbName);
    print(verbHelp(verb, [...verb.options, ...commonOptions], style));
  }
  return 0;
}

function version(): number {
  print(`configc ${packageInfo().version}\n`);
  return 0;
}

/** The options of all verbs; those of one name agree about whether they take a value. */
function everyOption(): OptionSpec[] {
  const byName = new Map(
    [...commonOptions, ...verbs.flatMap(({ options }) => options)].map((o) => [o.name, o]),
  );
  return [...byName.values()];
}
