import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedSchemas } from "./schemas.ts";

// Writes the schemas as the site serves them. Usage: node scripts/ts.mjs scripts/registries/write-schemas.ts FOLDER

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("It needs the folder that the schemas go to.");
mkdirSync(folder, { recursive: true });
for (const [file, text] of publishedSchemas()) writeFileSync(join(folder, file), text);
