import { existsSync } from "node:fs";
import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { reasonOfBadJson, worldFile } from "@configc/language-server/samples";
import { readWorldFile, type WorldFile } from "@configc/simulate";
import { UsageError } from "../command-line/usage-error.ts";
import { readNamedFile } from "../files/read.ts";

/** What is known of a config's service, if it stands beside it. @throws UsageError where it can't be used */
export function readWorldFileBeside(file: string, app: App): WorldFile | undefined {
  const path = worldFile(file);
  return existsSync(path) ? readWorldFileAt(path, app) : undefined;
}

/** @throws UsageError that says what is wrong with it */
export function readWorldFileAt(path: string, app: App): WorldFile {
  let json: Json;
  try {
    json = JSON.parse(new TextDecoder().decode(readNamedFile(path, "simulate"))) as Json;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(`${path} is no JSON: ${reasonOfBadJson(error)}.`, "simulate");
    throw error;
  }
  const names = app.intakes.map(({ name }) => name);
  const { file, problems } = readWorldFile(json, names);
  if (problems.length > 0) throw new UsageError(`${path} can't be used. ${problems.join(" ")}`, "simulate");
  return file;
}
