import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { generateDocs, generatedFolders } from "./docs/generate.ts";

// Writes the generated documentation: rule pages, language reference, coverage, tables of the readme.
// With --lenient, gaps in the coverage are listed but don't fail: for work in progress.

const root = fileURLToPath(new URL("..", import.meta.url));
const lenient = process.argv.includes("--lenient");
const { files, problems } = generateDocs((path) => readFileSync(`${root}${path}`, "utf8"));

const changed: string[] = [];
for (const [path, text] of files) {
  const file = `${root}${path}`;
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  changed.push(path);
}
const stale = generatedFolders.flatMap((folder) => filesBelow(folder)).filter((path) => !files.has(path));
for (const path of stale) rmSync(`${root}${path}`);
console.log(`${files.size} pages: ${changed.length} changed, ${stale.length} removed.`);
for (const path of changed) console.log(`  ${path}`);
for (const path of stale) console.log(`  ${path}, removed`);
for (const problem of problems) console.error(problem);
if (problems.length > 0 && !lenient) process.exitCode = 1;

function filesBelow(folder: string): string[] {
  if (!existsSync(`${root}${folder}`)) return [];
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, `${entry.parentPath}${sep}${entry.name}`).replaceAll(sep, "/"));
}
