import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The walks of docs/architecture.md name functions and files that exist. */

const page = new URL("../../docs/architecture.md", import.meta.url);
const [, rest = ""] = readFileSync(page, "utf8").split("\n## Four walks\n");
const walks = rest.split(/\n## /)[0]!.split("\n### ").slice(1);
const stops = walks.flatMap((walk) =>
  [...walk.matchAll(/`(\w+)` in \[([^\]]+)\]\(([^)]+)\)/g)].map(
    ([, name, , path]) => [name!, path!] as const,
  ),
);

test("there are four, of at most eight stops each", () => {
  expect(walks.map((walk) => walk.split("\n")[0])).toEqual([
    "A config through `configc check`",
    "A keystroke in the editor",
    "The program of a `!jq`",
    "A polling cycle",
  ]);
  for (const walk of walks) expect(walk.match(/^\d+\. /gm)?.length).toBeLessThanOrEqual(8);
});

test.each(stops)("`%s` is declared in %s", (name, path) => {
  const source = readFileSync(new URL(path, page), "utf8");
  const declaration = new RegExp(
    `(?:function|class|const) ${name}\\b|^ +(?:async )?(?:get )?${name}\\(`,
    "m",
  );
  expect(source).toMatch(declaration);
});
