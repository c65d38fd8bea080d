// The pages of the rules, for what is published: editors open them from a finding.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Copies `docs/rules` below a folder. What links to other pages, which aren't there, becomes plain text.
 *
 * @param {string} root of the repository
 * @param {string} folder gets `docs/rules`
 */
export function copyRulePages(root, folder) {
  const target = `${folder}/docs/rules`;
  rmSync(target, { recursive: true, force: true });
  cpSync(`${root}/docs/rules`, target, { recursive: true });
  for (const name of readdirSync(target, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const depth = name.split(/[\\/]/).length;
    const outside = new RegExp(`\\[([^\\]]*)\\]\\((?:\\.\\./){${depth}}[^)]*\\)`, "g");
    const file = `${target}/${name}`;
    writeFileSync(file, readFileSync(file, "utf8").replace(outside, "$1"));
  }
}
