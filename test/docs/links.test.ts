import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { anchor } from "../../scripts/docs/markdown.ts";
import { allPages, proseOf, readPage, root } from "./support/pages.ts";

/** Every link of every page leads somewhere: to a file or folder that is there, and to a heading that it has. */

const pages = allPages();
const anchorsByPage = new Map<string, ReadonlySet<string>>();

test.each(pages)("links of %s", (page) => {
  const links = linksOf(readPage(page));
  expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

test("there are links to follow, and broken ones are found", () => {
  expect(pages.length).toBeGreaterThan(200);
  expect(linksOf("[a](b.md) ![c](d.svg) <img src='e.png'>\n[f]: g.md#h\n`[x](y.md)`")).toEqual([
    "b.md",
    "d.svg",
    "e.png",
    "g.md#h",
  ]);
  expect(leadsSomewhere("README.md", "docs/start.md#check-it")).toBe(true);
  expect(leadsSomewhere("README.md", "docs/start.md#nothing")).toBe(false);
  expect(leadsSomewhere("docs/start.md", "nowhere.md")).toBe(false);
});

function linksOf(text: string): string[] {
  const prose = proseOf(text);
  return [
    ...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g),
    ...prose.matchAll(/<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=["']([^"']+)["']/g),
    ...prose.matchAll(/^\[[^\]]+\]: +(\S+)/gm),
  ].map(([, target]) => target!);
}

function leadsSomewhere(page: string, link: string): boolean {
  if (/^(?:https?|mailto|vscode):/.test(link)) return true;
  const [file = "", id] = link.split("#");
  const path =
    file === ""
      ? page
      : relative(root, resolve(root, dirname(page), decodeURIComponent(file))).replaceAll("\\", "/");
  if (path.startsWith("..") || !existsSync(join(root, path))) return false;
  if (id === undefined) return true;
  return path.endsWith(".md") && statSync(join(root, path)).isFile() && anchorsOf(path).has(id);
}

function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchorsByPage.get(page);
  if (known !== undefined) return known;
  const text = readPage(page);
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!));
  // A heading that comes again gets a number.
  const times = new Map<string, number>();
  for (const [, heading] of text.replace(/^(`{3,})[\s\S]*?^\1/gm, "").matchAll(/^#{1,6} (.*)$/gm)) {
    const id = anchor(heading!);
    const before = times.get(id) ?? 0;
    times.set(id, before + 1);
    anchors.add(before === 0 ? id : `${id}-${before}`);
  }
  anchorsByPage.set(page, anchors);
  return anchors;
}
