import v8 from "node:v8";
import vm from "node:vm";
import { type Compilation, compile, recompile, render } from "@configc/compiler";
import { expect, test } from "vitest";
import { appWith } from "../../../../test/bench/generate.ts";

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

test("versions of a document that nobody holds are collected", async () => {
  const text = appWith(3);
  // In each workflow and intake by turns, so that each part was last checked in another version.
  const places = [...text.matchAll(/"(?:label|description|path)": "/g)].map(
    ({ index, 0: { length } }) => index + length,
  );
  let compilation: Compilation = compile(text);
  const models: WeakRef<object>[] = [];
  for (let edit = 0; edit < 40; edit++) {
    const at = places[(edit * 7) % places.length]!;
    compilation = recompile(compilation, `${text.slice(0, at)}x${text.slice(at)}`);
    for (const diagnostic of compilation.diagnostics) render(compilation.model, diagnostic, { fixes: true });
    models.push(new WeakRef(compilation.model));
  }
  let alive = models;
  // A collection that had begun takes what died since for alive, and code that is being optimised holds what it has met.
  for (let turns = 0; turns < 10 && alive.length > 1; turns++) {
    // What a weak reference was asked for lives until the end of the turn.
    await new Promise((resolve) => setTimeout(resolve, 10 * turns));
    collectGarbage();
    alive = models.filter((model) => model.deref() !== undefined);
  }
  expect(alive).toHaveLength(1);
  expect(alive[0]!.deref()).toBe(compilation.model);
});
