import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { root, sitePages, titleOf } from "../map.mjs";
import { braces } from "./braces.mjs";
import { fences } from "./fences.mjs";
import { sidebar } from "./sidebar.mjs";

const grammar = (name, id) => ({
  ...JSON.parse(readFileSync(join(root, "grammars", `${name}.tmLanguage.json`), "utf8")),
  name: id,
});
const pages = sitePages();
const sources = new Map([...pages].map(([from, to]) => [to, from]));

/** Whether only a part of the rules' pages is wanted: they are alike, and five of six pages are theirs. */
const isPart = process.env["CONFIGC_SITE"] === "part";

/** Whether a link leads to the page of a rule, however it is written. */
const isOfRules = (link) => {
  const [, rule] = /([a-z]+\/[a-z0-9-]+)(?:\.md|\.html)?(?:#.*)?$/.exec(link) ?? [];
  return rule !== undefined && existsSync(join(root, "docs/rules", `${rule}.md`));
};

/** All pages of rules but each eighth. */
const leftOut = (paths) =>
  paths
    .filter((path) => path.startsWith("rules/") && path !== "rules/index.md")
    .filter((_, index) => index % 8 !== 0);

/** As GitHub makes them, so that one link serves both. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

export default defineConfig({
  title: "configc",
  description: "A compiler and language server for integration app configs",
  lang: "en",
  srcDir: ".pages",
  outDir: "dist",
  lastUpdated: false,
  // What all pages share stands in a file of its own, not in each page.
  metaChunk: true,
  // Examples are full of addresses on this machine; pages that are left out can't be found.
  ignoreDeadLinks: [/^https?:\/\/(?:localhost|127\.)/, ...(isPart ? [isOfRules] : [])],
  srcExclude: isPart ? leftOut([...sources.keys()]) : [],
  head: [
    [
      "link",
      {
        rel: "icon",
        href: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%232457c5'/><path d='M13 8c-4 0-1 7-5 8 4 1 1 8 5 8M19 8c4 0 1 7 5 8-4 1-1 8-5 8' fill='none' stroke='white' stroke-width='2.6' stroke-linecap='round'/></svg>",
      },
    ],
  ],
  markdown: {
    anchor: { slugify },
    languages: [grammar("jq", "jq"), grammar("expansion", "expansion"), grammar("appconfig", "appconfig")],
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    config: (md) => {
      fences(md);
      braces(md);
    },
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  transformPageData(page) {
    const source = sources.get(page.relativePath);
    if (source === undefined) return;
    const text = readFileSync(join(root, source), "utf8");
    // The first paragraph says what the page is about.
    const [, lead] = /^# .*\n\n([^\n#|<`>-][^\n]*)/m.exec(text) ?? [];
    if (lead !== undefined)
      page.description = lead.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1").slice(0, 200);
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/start", activeMatch: "^/(?!rules|language|examples|command-line)[a-z]" },
      { text: "Language", link: "/language/", activeMatch: "^/language/" },
      { text: "Rules", link: "/rules/", activeMatch: "^/rules/" },
      { text: "Command line", link: "/command-line" },
      { text: "Examples", link: "/examples/", activeMatch: "^/examples/" },
    ].filter(
      ({ link }) => existsSync(join(root, "docs", `${link}.md`)) || link.endsWith("/") || link === "/start",
    ),
    sidebar: sidebar(pages, titleOf),
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        // Long tables of links, which would stand before every page that is meant.
        _render: (source, env, md) => (env.relativePath === "coverage.md" ? "" : md.render(source, env)),
      },
    },
    externalLinkIcon: true,
  },
});
