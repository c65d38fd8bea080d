import { SettingsFinder } from "./finder.ts";
import { parseSettings } from "./validate.ts";

/** The settings that are found from each file's folder on, as they stand in their files. */
export function nearestSettings(): SettingsFinder {
  return new SettingsFinder({ kind: "search" }, {}, parseSettings);
}
