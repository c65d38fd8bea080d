import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { infer, printType, typeOfTypeScript } from "../../src/index.ts";
import { isSubtype } from "../../src/internal.ts";

const [declarations = "", ...entries] = readFileSync(new URL("pipelines.txt", import.meta.url), "utf8")
  .replace(/^#.*\n/gm, "")
  .trim()
  .split(/\n\n(?=\w+ \| )/);

interface Entry {
  readonly input: string;
  readonly program: string;
  readonly written: string;
  readonly wider: string | undefined;
}

const pipelines = entries.map((entry): Entry => {
  const [head = "", ...lines] = entry.split("\n");
  const [input = "", program = ""] = [head.slice(0, head.indexOf(" ")), head.slice(head.indexOf("|") + 2)];
  const line = (mark: string): string | undefined =>
    lines.find((text) => text.startsWith(`${mark} `))?.slice(2);
  return { input, program, written: line("=") ?? "", wider: line("~") };
});

/** Whether two types, as they are printed, are the same but for the order of members. */
function areSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => typeOfTypeScript(`${declarations}\ntype Read = ${text}`));
  return isSubtype(a!, b!) && isSubtype(b!, a!);
}

describe("usual pipelines have the type that a person would write", () => {
  test.each(pipelines)("$input | $program", ({ input, program, written, wider }) => {
    const { type, diagnostics } = infer(program, typeOfTypeScript(declarations, input));
    expect(diagnostics).toEqual([]);
    const printed = printType(type, { depth: 9, members: 50 });
    const expected = wider ?? written;
    expect(areSame(printed, expected) ? expected : printed).toBe(expected);
  });
});

test("at least forty, of which at most four are wider", () => {
  expect(pipelines.length).toBeGreaterThanOrEqual(40);
  expect(pipelines.filter(({ wider }) => wider !== undefined).length).toBeLessThanOrEqual(4);
});
