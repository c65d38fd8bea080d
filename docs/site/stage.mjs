// Lays the pages out as the site has them, in `.pages`, from where VitePress takes them.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { llmsText } from "./llms.mjs";
import { onSite, root, sitePages, titleOf } from "./map.mjs";

const staged = fileURLToPath(new URL(".pages", import.meta.url));

/** @param {{repository?: string}} options the address before a path of the repository, such as `https://…/blob/main` */
export function stage({ repository } = {}) {
  rmSync(staged, { recursive: true, force: true });
  const pages = sitePages();
  const kept = new Set();
  for (const [from, to] of pages) {
    const text = onSite(from, readFileSync(join(root, from), "utf8"), {
      pages,
      keep: (file) => kept.add(file),
      repository,
    });
    write(to, text);
    // The same as Markdown, for agents: they needn't read a page's frame.
    write(`public/${to}`, text);
  }
  write("public/llms.txt", llmsText(pages, titleOf));
  write("index.md", readFileSync(new URL("home.md", import.meta.url), "utf8"));
  for (const file of [...kept, "docs/images/check.svg"])
    cpSync(join(root, file), join(staged, "public/files", file), { recursive: true });
  return pages.size + 1;
}

function write(path, text) {
  mkdirSync(dirname(join(staged, path)), { recursive: true });
  writeFileSync(join(staged, path), text);
}
