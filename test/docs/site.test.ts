import { join } from "node:path";
import { expect, test } from "vitest";
import { allPages, root } from "./support/pages.ts";

/** The site has every page, and its links lead to where the pages stand there. VitePress itself isn't needed for that. */

interface SiteMap {
  readonly sitePages: () => ReadonlyMap<string, string>;
  readonly titleOf: (path: string) => string;
  readonly onSite: (
    path: string,
    text: string,
    options: { pages: ReadonlyMap<string, string>; keep: (file: string) => void; repository?: string },
  ) => string;
}

// Scripts of the site, which has no types.
const scriptOf = async (name: string): Promise<unknown> => import(join(root, "docs/site", name));
const { sitePages, titleOf, onSite } = (await scriptOf("map.mjs")) as SiteMap;
const pages = sitePages();

/** What a line of a page becomes, and the files that it needs. */
function moved(path: string, text: string, repository?: string): readonly [string, readonly string[]] {
  const kept: string[] = [];
  const keep = (file: string) => void kept.push(file);
  return [onSite(path, text, { pages, keep, ...(repository === undefined ? {} : { repository }) }), kept];
}

test("has every page below docs and examples, each in one place", () => {
  const expected = allPages().filter(
    (path) => /^(?:docs|examples)\//.test(path) && !path.startsWith("docs/site/"),
  );
  expect([...pages.keys()]).toEqual(expect.arrayContaining(expected));
  expect(new Set(pages.values()).size).toBe(pages.size);
});

test.each([
  ["docs/start.md", "[a](testing.md#recording)", "[a](./testing.md#recording)"],
  ["docs/start.md", "[a](rules/README.md)", "[a](./rules/index.md)"],
  ["docs/start.md", "[a](../examples/README.md)", "[a](./examples/index.md)"],
  ["docs/architecture.md", "[a](../CONTRIBUTING.md)", "[a](./contributing.md)"],
  ["docs/architecture.md", "[parse](../packages/compiler/src/parse)", "parse"],
  ["docs/rules/README.md", "[`a`](api/base-url.md)", "[`a`](./api/base-url.md)"],
  ["docs/rules/api/base-url.md", "[a](../../coverage.md#d12)", "[a](../../coverage.md#d12)"],
  [
    "CONTRIBUTING.md",
    "[a](docs/jq.md), [b](https://example.com/c.md)",
    "[a](./jq.md), [b](https://example.com/c.md)",
  ],
  [
    "docs/jq.md",
    "```sh\n[a](../x.md)\n```\n[a](#in-a-config)",
    "```sh\n[a](../x.md)\n```\n[a](#in-a-config)",
  ],
])("%s: %s", (path, text, expected) => {
  expect(moved(path, text)[0]).toBe(expected);
});

test("takes pictures and configs along, and leads to source where the repository's address is known", () => {
  expect(moved("docs/architecture.md", "![a](images/house.svg)")).toEqual([
    "![a](/files/docs/images/house.svg)",
    ["docs/images/house.svg"],
  ]);
  expect(moved("examples/forms/README.md", "[a](forms.app.json)")[1]).toEqual([
    "examples/forms/forms.app.json",
  ]);
  const [text] = moved("docs/jq.md", "[a](../scripts)", "https://example.com/blob/main");
  expect(text).toBe("[a](https://example.com/blob/main/scripts)");
});

test("lists every page beside the others", async () => {
  const { sidebar } = (await scriptOf(".vitepress/sidebar.mjs")) as {
    readonly sidebar: (pages: ReadonlyMap<string, string>, title: (path: string) => string) => object;
  };
  const bars = Object.entries(sidebar(pages, titleOf)).sort(([a], [b]) => b.length - a.length);
  const listed = new Map(
    bars.map(([folder, bar]) => [
      folder,
      new Set([...JSON.stringify(bar).matchAll(/"link":"([^"#]+)/g)].map(([, link]) => link!)),
    ]),
  );
  const fileOf = (link: string) => (link.endsWith("/") ? `${link}index.md` : `${link}.md`);
  const leadTo = new Set([...listed.values()].flatMap((links) => [...links].map(fileOf)));
  const files = [...pages.values()].map((path) => `/${path}`);
  expect([...leadTo].sort()).toEqual(files.toSorted());
  // Each stands in the list that is shown beside it.
  const missing = files.filter((file) => {
    const [, links] = [...listed].find(([folder]) => file.startsWith(folder))!;
    return ![...links].some((link) => fileOf(link) === file);
  });
  expect(missing).toEqual([]);
});

test("the index for agents has every page once, and no rule by itself", async () => {
  const { llmsText } = (await scriptOf("llms.mjs")) as {
    readonly llmsText: (pages: ReadonlyMap<string, string>, title: (path: string) => string) => string;
  };
  const text = llmsText(pages, titleOf);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)$/gm)].map(([, page]) => page!);
  expect(new Set(links).size).toBe(links.length);
  expect([...links].sort()).toEqual(
    [...pages.values()].filter((page) => !/^rules\/(?!index)/.test(page)).sort(),
  );
  expect(text.startsWith("# configc\n\n> ")).toBe(true);
});
