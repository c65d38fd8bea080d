import { readFileSync } from "node:fs";
import { RunError } from "@configc/runtime";
import { note, print, surviveClosedPipes } from "./command/output.ts";
import { parseArguments, shown, UsageError, type Verb } from "./command/usage.ts";
import { verbs } from "./command/verbs.ts";

/**
 * Runs `configc-host`.
 *
 * @param args what follows the command's name
 * @returns the exit status: 0, 1 if it failed, 2 for wrong usage; never throws
 */
export async function main(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  try {
    surviveClosedPipes();
    const [name, ...rest] = args;
    if (name === "--version") {
      print(`configc-host ${version()}`);
      return 0;
    }
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      print(help());
      return name === undefined ? 2 : 0;
    }
    const verb = verbs.find((each) => each.name === name);
    if (verb === undefined)
      throw new UsageError(
        `There is no \`${name}\`; there are ${verbs.map((each) => each.name).join(", ")}.`,
      );
    const given = parseArguments(rest, verb.options);
    if (given.help) {
      print([usageOf(verb), sentence(verb.summary), verb.help, ...optionsOf(verb)].join("\n\n"));
      return 0;
    }
    const most = verb.operands.length + (verb.optional?.length ?? 0);
    if (given.operands.length < verb.operands.length || given.operands.length > most)
      throw new UsageError(`This is how it is called: ${usageOf(verb)}`);
    return await verb.run(given, environment);
  } catch (error) {
    const usage = error instanceof UsageError || error instanceof RangeError;
    const message = error instanceof Error ? error.message : String(error);
    note(`configc-host: ${message}`);
    if (!usage && !(error instanceof RunError) && error instanceof Error) note(`${error.stack}`);
    return usage ? 2 : 1;
  }
}

function usageOf({ name, operands, optional = [], options = {} }: Verb): string {
  const more = Object.keys(options).length === 0 ? [] : ["[OPTIONS]"];
  return [
    "configc-host",
    name,
    ...operands,
    ...optional.map((one) => `[${one}]`),
    ...more,
    "[--config FILE]",
  ].join(" ");
}

function optionsOf({ options = {} }: Verb): readonly string[] {
  const entries = Object.entries(options);
  if (entries.length === 0) return [];
  const longest = Math.max(...entries.map((entry) => shown(entry).length));
  return [entries.map((entry) => `  ${shown(entry).padEnd(longest)}  ${entry[1].help}`).join("\n")];
}

function help(): string {
  const longest = Math.max(...verbs.map(({ name }) => name.length));
  return [
    "configc-host: apps on a fleet of workers",
    "",
    ...verbs.map(({ name, summary }) => `  ${name.padEnd(longest)}  ${summary}`),
    "",
    "`configc-host VERB --help` says more, `--version` which one this is. All of them need DATABASE_URL.",
  ].join("\n");
}

function version(): string {
  // Of the sources and of what is built alike.
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
