// Which page of the repository stands where on the site, and what its links become.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Pages outside of `docs/`, by their path on the site. */
const others = {
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
  "test/bench/README.md": "benchmark-numbers.md",
  ...Object.fromEntries(
    readdirSync(join(root, "packages")).map((name) => [`packages/${name}/README.md`, packagePage(name)]),
  ),
};

/** The page of a package on the site. */
function packagePage(name) {
  return name === "playground" ? "playground.md" : `${name}-package.md`;
}

/** Every page of the site: from its path in the repository to its path on the site. */
export function sitePages() {
  const docs = markdownBelow("docs").filter((path) => !path.startsWith("docs/site/"));
  const examples = markdownBelow("examples");
  const types = existsSync(join(root, "test/types")) ? markdownBelow("test/types") : [];
  return new Map([
    ...types.map((path) => [path, indexed(path.slice("test/".length))]),
    ...docs.map((path) => [path, indexed(path.slice("docs/".length))]),
    ...examples.map((path) => [path, path === "examples/README.md" ? "examples/index.md" : indexed(path)]),
    ...Object.entries(others).filter(([path]) => existsSync(join(root, path))),
  ]);
}

function markdownBelow(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name !== "node_modules" && !name.startsWith("."))
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      if (statSync(join(root, path)).isDirectory()) return markdownBelow(path);
      return name.endsWith(".md") ? [path] : [];
    })
    .sort();
}

/** `README.md` is the page of its folder. */
function indexed(path) {
  return path.replace(/(^|\/)README\.md$/, "$1index.md");
}

/** Files that aren't pages but that a reader may want to open: configs, tests, schemas. */
const files = /\.(?:jsonc?|svg|png)$/;

/**
 * A page as it stands on the site: with links that lead to pages of the site, to files that are copied along (reported to
 * `keep`), or to the repository. Where a link leads to source and no address of the repository is known, its text stays.
 */
export function onSite(path, text, { pages, keep, repository }) {
  const here = dirname(pages.get(path));
  return outsideOfCode(text, (prose) =>
    prose.replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, mark, label, target) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return whole;
      const [file, id] = target.split("#");
      const there = relative(root, resolve(root, dirname(path), file)).replaceAll("\\", "/");
      const hash = id === undefined ? "" : `#${id}`;
      const page = there === "README.md" ? "index.md" : (pages.get(there) ?? pages.get(`${there}/README.md`));
      if (page !== undefined) return `${mark}[${label}](${relativeLink(here, page)}${hash})`;
      if (files.test(there)) {
        keep(there);
        return mark === "!"
          ? `![${label}](/files/${there})`
          : `<a href="/files/${there}" target="_blank">${label}</a>`;
      }
      return repository === undefined ? label : `[${label}](${repository}/${there}${hash})`;
    }),
  );
}

function relativeLink(from, to) {
  const path = relative(from, to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Changes what stands outside of fenced blocks. */
function outsideOfCode(text, change) {
  return text
    .split(/(^(`{3,})[^\n]*\n[\s\S]*?^\2`*[ ]*$)/gm)
    .filter((part) => part === undefined || !/^`{3,}$/.test(part))
    .map((part = "") => (/^`{3,}/.test(part) ? part : change(part)))
    .join("");
}

/** The first heading of a page. */
export function titleOf(path) {
  const text = readFileSync(join(root, path), "utf8");
  return (/^# (.*)$/m.exec(text)?.[1] ?? path).replace(/`/g, "");
}
