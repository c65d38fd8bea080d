// Pages of the documentation, for what is published: editors and agents open them.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Copies folders of `docs` below a folder. What links to pages outside of them, which aren't there, becomes plain text.
 *
 * @param {string} root of the repository
 * @param {string} folder gets `docs/NAME` for each name
 * @param {readonly string[]} names of folders of `docs`
 */
export function copyPages(root, folder, names) {
  for (const name of names) copyFolder(`${root}/docs/${name}`, `${folder}/docs/${name}`);
}

function copyFolder(source, target) {
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true });
  for (const name of readdirSync(target, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const depth = name.split(/[\\/]/).length;
    const outside = new RegExp(`\\[([^\\]]*)\\]\\((?:\\.\\./){${depth}}[^)]*\\)`, "g");
    const file = `${target}/${name}`;
    writeFileSync(file, readFileSync(file, "utf8").replace(outside, "$1"));
  }
}
