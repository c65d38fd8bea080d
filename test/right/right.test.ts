import { readdirSync, readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { expect, test } from "vitest";

/*
 * Configs that are right, each for another kind of API and in another style. They were written from the specification, by somebody
 * who knew no rule, and committed before they were checked. Their services stay as they are described: a finding here is a false
 * alarm, so mend the rule and leave the config.
 */

const folder = new URL("configs/", import.meta.url);

test.each(readdirSync(folder))("nothing is said of %s", (name) => {
  const { diagnostics } = compile(readFileSync(new URL(name, folder), "utf8"), { uri: name });
  expect(diagnostics.map(({ finding: { rule, args } }) => `${rule.id}: ${rule.message(args)}`)).toEqual([]);
});
