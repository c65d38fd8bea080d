import { readFileSync } from "node:fs";
import { exportSchema } from "@configc/compiler";
import { filesBelow, root } from "./facts.ts";

const SCHEMAS = "packages/cli/schemas";

/** The schemas that editors without a server use, by file name. The site serves them below `schemas/`. */
export function publishedSchemas(): ReadonlyMap<string, string> {
  const schemas = new Map([
    ["integration-app.schema.json", `${JSON.stringify(exportSchema(), undefined, 2)}\n`],
  ]);
  for (const file of filesBelow(SCHEMAS))
    schemas.set(file, readFileSync(`${root}${SCHEMAS}/${file}`, "utf8"));
  return schemas;
}
