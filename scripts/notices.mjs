// Licences of the packages of others that bundles contain, read from the packages themselves.
import { readdirSync, readFileSync } from "node:fs";

/**
 * @param {string} root of the repository
 * @param {import("esbuild").Metafile[]} metafiles of the bundles
 * @returns {string | undefined} a text with each package's name, version and licence; undefined if there are none
 * @throws Error for a package that doesn't say its licence: it may not be shipped
 */
export function noticesOf(root, metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles)
    for (const path of Object.keys(inputs)) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll("\\", "/")) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  const texts = [...folders].sort().map((folder) => notice(`${root}/${folder}`));
  if (texts.length === 0) return undefined;
  return ["This package contains the work of others, under these licences.", ...new Set(texts)].join(
    `\n\n${"=".repeat(80)}\n\n`,
  );
}

function notice(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  if (typeof license !== "string") throw new Error(`${name} doesn't say its licence`);
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const by = typeof author === "string" ? author : author?.name;
  const head = `${name} ${version} – ${license}${by === undefined ? "" : ` – ${by}`}`;
  return [head, ...files.map((file) => readFileSync(`${folder}/${file}`, "utf8").trim())].join("\n\n");
}
