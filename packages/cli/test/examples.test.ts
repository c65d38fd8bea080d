import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { configc } from "./support/cli.ts";

/** The examples do what their readmes say: `configc test examples`, with recorded answers of the services. */
const root = fileURLToPath(new URL("../../../", import.meta.url));
const configs = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.app\.jsonc?$/.test(path) && !path.startsWith("broken"))
  .map((path) => relative("", join("examples", path)).replaceAll("\\", "/"));

/** Commands that no run can reach, with the reason. */
const unreachable: Readonly<Record<string, readonly string[]>> = {
  // D22: pages are followed backwards only where there is no `next_result_token`.
  "examples/calendar/calendar.app.json": ["/api/pagination/parser/previous_result_token"],
};

interface Report {
  readonly files: readonly {
    readonly cases: readonly { readonly name: string; readonly reasons?: unknown }[];
  }[];
  readonly coverage: Readonly<
    Record<string, Readonly<Record<"commands" | "switchCases", { readonly missing: readonly string[] }>>>
  >;
}

test("every command of every example runs, and gives what is expected", () => {
  const { status, stdout, stderr } = configc(["test", "examples", "--coverage", "--format", "json"], {
    cwd: root,
  });
  const { files, coverage } = JSON.parse(stdout) as Report;
  const failed = files.flatMap(({ cases }) => cases.filter(({ reasons }) => reasons !== undefined));
  expect(failed).toEqual([]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(Object.keys(coverage).sort()).toEqual([...configs].sort());
  for (const [config, { commands, switchCases }] of Object.entries(coverage))
    expect([config, [...commands.missing, ...switchCases.missing]]).toEqual([
      config,
      unreachable[config] ?? [],
    ]);
});
