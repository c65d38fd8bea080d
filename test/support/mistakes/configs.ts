import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Every `*.app.json` of a folder, by its name without the ending. */
export const configsIn = (folder: URL): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(fileURLToPath(folder))
      .filter((name) => name.endsWith(".app.json"))
      .map((name) => [name.replace(/\.app\.json$/, ""), readFileSync(new URL(name, folder), "utf8")]),
  );
