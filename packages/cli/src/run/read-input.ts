import { type Json, parseExact } from "@configc/jq";
import { readWhole } from "@configc/language-server/samples";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";

/** JSON from the command line, or from the file behind an `@`. Big numbers keep their digits. */
export function readJsonArgument(option: string, given: string): Json {
  return given.startsWith("@") ? readJsonFile(given.slice(1)) : parse(given, `--${option}`);
}

export function readJsonFile(path: string): Json {
  try {
    return parse(readWhole(path).toString("utf8"), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${reasonOf(error)}.`, "run");
  }
}

/** A file that has to hold an object, such as the context. */
export function readObjectFile(path: string, members: readonly string[]): Readonly<Record<string, Json>> {
  if (path.trimStart().startsWith("{"))
    throw new UsageError(`The name of a file is wanted that has this object in it: ${path}`, "run");
  const value = readJsonFile(path);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${path} must hold an object.`, "run");
  for (const name of Object.keys(value)) {
    if (members.length > 0 && !members.includes(name))
      throw new UsageError(`${path} has a member “${name}”.`, "run", { name, candidates: members });
  }
  return value as Readonly<Record<string, Json>>;
}

function parse(text: string, where: string): Json {
  try {
    return parseExact(text);
  } catch {
    const advice = where.startsWith("--")
      ? ` The shell takes quotes away: ${where} '{"name": "Ada"}', or ${where} @FILE.`
      : "";
    throw new UsageError(`${where} isn't JSON: ${reasonOfBadJson(text)}.${advice}`, "run");
  }
}

/** In the words that programmers know: the reader of exact numbers speaks of the tokens of jq. */
function reasonOfBadJson(text: string): string {
  try {
    JSON.parse(text);
    return "it can't be read";
  } catch (error) {
    return (error as Error).message;
  }
}
