import { dirname, join, relative, resolve, sep } from "node:path";
import { writeAtomically } from "../files/write.ts";
import { SETTINGS_NAME } from "../settings/finder.ts";
import { nearestSettings } from "../settings/nearest.ts";

/**
 * Makes types come from the document that a config was written from: where no settings are, it writes some that name it.
 *
 * @param config path of the config, whose folder exists
 * @param place folder from which paths are told; by default that of the command
 * @returns what to tell, also where there are settings, which stay as they are
 * @throws Error with a `syscall` if the settings can't be written
 */
export function keepDocument(config: string, document: string, place = ""): string {
  const folder = dirname(resolve(config));
  const settings = nearestSettings().ofFolder(folder);
  const from = settings === undefined ? folder : dirname(settings.path);
  const samples = relative(from, resolve(document)).split(sep).join("/");
  const entry = `"samples": [${JSON.stringify(samples)}]`;
  const shown = (path: string): string => relative(place, path).split(sep).join("/");
  if (settings !== undefined)
    return `Types come from ${shown(document)} if ${shown(settings.path)} names it: ${entry}.`;
  const path = join(folder, SETTINGS_NAME);
  writeAtomically(path, `{\n  ${entry}\n}\n`, { throughLinks: false });
  return `${shown(path)} names ${shown(document)}: types come from there.`;
}
