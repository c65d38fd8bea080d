import * as compact from "./compact.ts";
import type { Formatter, LoadFormatter } from "./format.ts";
import * as github from "./github.ts";
import * as gitlab from "./gitlab.ts";
import * as json from "./json.ts";
import * as junit from "./junit.ts";
import type { FormatName } from "./names.ts";
import * as pretty from "./pretty.ts";

const formatters: Readonly<Record<Exclude<FormatName, "sarif">, Formatter>> = {
  pretty: pretty.format,
  compact: compact.format,
  json: json.format,
  github: github.format,
  gitlab: gitlab.format,
  junit: junit.format,
};

/**
 * What writes a format.
 *
 * @param sarif loads the format that explains each rule, so that all of them have to be loaded for it
 */
export async function formatterOf(name: FormatName, sarif: LoadFormatter): Promise<Formatter> {
  return name === "sarif" ? await sarif() : formatters[name];
}
