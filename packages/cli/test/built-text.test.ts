import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "./build.ts";

/** `bin/load.js` reads these as Latin-1: in UTF-8 a pattern such as `/[–—]/` would look for other characters than its author wrote. */

beforeAll(ensureBuilt);

test.each(["main", "modules"])("%s.cjs is ASCII", (name) => {
  const file = fileURLToPath(new URL(`../dist/${name}.cjs`, import.meta.url));
  const found = readFileSync(file, "utf8").match(/.{0,30}[^\0-\x7f].{0,30}/g) ?? [];
  expect(found).toEqual([]);
});
