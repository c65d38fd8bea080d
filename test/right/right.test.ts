import { readdirSync, readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";

/** Right configs of strangers, who knew the specification and none of our rules: nothing is to be said of them. */

const folder = new URL("configs/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".app.json"));

test.each(files)("%s", (name) => {
  const { diagnostics } = compile(readFileSync(new URL(name, folder), "utf8"), { uri: name });
  expect(diagnostics.map(({ finding: { rule, args } }) => `${rule.id}: ${rule.message(args)}`)).toEqual([]);
});
