import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { entries } from "./entries.ts";
import { readFacts } from "./facts.ts";
import { publishedSchemas } from "./schemas.ts";

// Tells for each registry what goes there and what is missing before it can; writes the files with --out. Publishes nothing.
// Usage: npm run registries [-- --out FOLDER]

const { values } = parseArgs({ options: { out: { type: "string" } } });
const facts = readFacts();
let failed = false;
/** What is missing, and for whom: most want the same two addresses. */
const missing = new Map<string, string[]>();

for (const entry of entries) {
  const files = entry.files(facts);
  const problems = await entry.problems(files, facts);
  const wanted = entry.missing(facts);
  for (const what of wanted) missing.set(what, [...(missing.get(what) ?? []), entry.name]);
  const state = problems.length > 0 ? "✗" : wanted.length > 0 ? "…" : "✓";
  console.log(`${state} ${entry.name}: ${entry.goes}.`);
  for (const path of Object.keys(files)) console.log(`    ${entry.id}/${path}`);
  for (const problem of problems) console.log(`    ✗ ${problem}`);
  failed ||= problems.length > 0;
  if (values.out !== undefined)
    for (const [path, text] of Object.entries(files)) write(join(values.out, entry.id, path), text);
}
if (values.out !== undefined)
  for (const [file, text] of publishedSchemas()) write(join(values.out, "schemas", file), text);

if (missing.size > 0) console.log(`\nMissing before version ${facts.version} can be published:`);
for (const [what, names] of missing) console.log(`  ${what} (${names.join(", ")})`);
if (values.out === undefined) console.log("\nWrite the files: npm run registries -- --out FOLDER");
if (failed) process.exitCode = 1;

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
