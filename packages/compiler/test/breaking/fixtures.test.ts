import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { breakingChanges, compile, type Model, render, rules } from "@configc/compiler";
import { describe, expect, test } from "vitest";

/**
 * D40, by folders: a published version, a new one, and what is said of it. `npx vitest run packages/compiler/test/breaking -u`
 * writes `expected.json` anew.
 */

const folder = fileURLToPath(new URL("./fixtures/", import.meta.url));
const names = readdirSync(folder);

function read(name: string, version: "previous" | "current"): Model {
  const file = `${version}.app.json`;
  return compile(readFileSync(join(folder, name, file), "utf8"), { uri: file }).model;
}

function findings(name: string) {
  const current = read(name, "current");
  return breakingChanges(read(name, "previous"), current).map((diagnostic) => {
    const { rule, severity, message, help, pointer, range, related } = render(current, diagnostic, {
      fixes: false,
    });
    const at = ({ start, end }: typeof range) => current.document.text.slice(start.offset, end.offset);
    return {
      rule,
      severity,
      message,
      help,
      pointer,
      at: at(range),
      related: related?.map((each) => `${each.message}: ${at(each.range)}`).join("; "),
    };
  });
}

describe.each(names)("%s", (name) => {
  test("D40: what is said", async () => {
    const text = `${JSON.stringify(findings(name), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(folder, name, "expected.json"));
  });

  test("D40: neither version breaks anything for itself", () => {
    for (const version of ["previous", "current"] as const)
      expect(breakingChanges(read(name, version), read(name, version))).toEqual([]);
  });
});

test("D40: each rule has a folder in which it speaks", () => {
  const said = new Set(names.flatMap((name) => findings(name).map(({ rule }) => rule)));
  const all = rules.filter(({ concerns }) => concerns !== undefined).map(({ id }) => id);
  expect(all.filter((id) => !said.has(id))).toEqual([]);
  expect(all.length).toBeGreaterThan(25);
});
