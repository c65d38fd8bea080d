import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Compilation, compile } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { replayHttp, replayRun, type SavedRun, saveRun } from "@configc/host";
import { type CaseGiven, caseEffects, caseOptions } from "@configc/host/internal";
import { type Json, parseExact, printExact } from "@configc/runtime";
import { describe, expect, test } from "vitest";

/** Every case of the examples' tests, saved as a file and replayed from it to the same file, byte by byte (issue 5, point 7). */
const folder = fileURLToPath(new URL("../../../examples/", import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".apptest.json"),
);
const compiled = new Map<string, Compilation>();

interface TestFile {
  readonly config: string;
  readonly cases: readonly (CaseGiven & {
    readonly name: string;
    readonly expect?: Json;
    readonly expectError?: object;
  })[];
}

function compilationOf(path: string): Compilation {
  let known = compiled.get(path);
  if (known === undefined) {
    known = compile(readFileSync(path), { uri: path });
    compiled.set(path, known);
  }
  return known;
}

describe.each(files)("%s", (path) => {
  const { config, cases } = parseExact(readFileSync(join(folder, path), "utf8")) as unknown as TestFile;
  const { app, model } = compilationOf(join(folder, path, "..", config));

  test.each(cases)("$name", async (given) => {
    const found = findNode(model, given.run);
    if (!("node" in found)) throw new Error(`${given.run} isn't there`);
    const pointer = pointerTo(found.node);
    const effects = caseEffects(given, replayHttp(given.http ?? []));
    const { saved } = await saveRun(app, pointer, caseOptions(given, app, pointer), { effects });
    expect("error" in saved.outcome).toBe(given.expectError !== undefined);
    expect(saved.trace.length).toBeGreaterThan(0);
    const text = printExact(saved as unknown as Json);
    for (const secret of secretsOf(given)) expect(text).not.toContain(secret);
    const again = await replayRun(app, parseExact(text) as unknown as SavedRun);
    expect(again.departure).toBeUndefined();
    expect(printExact(again.saved as unknown as Json)).toBe(text);
  });
});

function secretsOf({ credentials = {} }: CaseGiven): string[] {
  return Object.values(credentials).flatMap((credential) =>
    Object.entries(credential).flatMap(([name, value]) =>
      typeof value === "string" && /token|password|secret/.test(name) ? [value] : [],
    ),
  );
}
