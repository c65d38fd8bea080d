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

test("a program that is kept doesn't keep the document that it was read from", () => {
  // Its characters are what the engine would have to keep; what is made of the programs takes a few kilobytes each.
  const text = appWith(40);
  const at = text.indexOf('"!jq": "', text.length >> 1) + '"!jq": "'.length;
  let compilation = compile(text);
  const edit = (number: number): void => {
    compilation = recompile(compilation, `${text.slice(0, at)}{n: ${number}} as $each | ${text.slice(at)}`);
  };
  const heap = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  for (let number = 0; number < 20; number++) edit(number);
  const before = heap();
  for (let number = 20; number < 120; number++) edit(number);
  const kept = heap() - before;
  expect(kept).toBeLessThan(50 * text.length);
});
