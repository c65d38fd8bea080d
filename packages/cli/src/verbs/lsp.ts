import { fileURLToPath } from "node:url";
import type { Settings } from "@configc/compiler";
import { startStdioServer } from "@configc/language-server";
import { packageInfo } from "../package-info.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { note } from "../terminal/output.ts";

/** @returns at once; the process ends with the client's `exit` */
export function run(): number {
  startStdioServer({ version: packageInfo().version, settingsOf });
  return 0;
}

/** Looked for each time: the file may have changed. Documents that aren't on disk have none. */
function settingsOf(uri: string): Partial<Settings> {
  if (!uri.startsWith("file:")) return {};
  try {
    return new SettingsFinder({ kind: "search" }, {}).ofFile(fileURLToPath(uri));
  } catch (error) {
    // A wrong settings file mustn't take the diagnostics of all documents away; `configc check` tells what is wrong with it.
    note(`configc: ${error instanceof Error ? error.message : error}`);
    return {};
  }
}
