import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { removeMember } from "../src/check/edits.ts";
import type { ObjectNode } from "../src/parse/syntax-tree.ts";

/** The object without its member `gone`. */
function without(text: string): string {
  const { document } = compile(text, { uri: "a.app.jsonc" }).model;
  const object = document.root as ObjectNode;
  const member = object.members.find(({ name }) => name === "gone")!;
  const { start, end, newText } = removeMember(document, member);
  return text.slice(0, start) + newText + text.slice(end);
}

describe("a member that is removed takes its comma, its blanks and the comment on its line along, and no other comment", () => {
  test.each([
    ["the first", '{"gone": 1, "b": 2}', '{"b": 2}'],
    ["the last", '{"a": 1, "gone": 2}', '{"a": 1}'],
    ["the only one", '{ "gone": 1 }', "{ }"],
    ["on lines", '{\n  "gone": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
    ["its own comment", '{\n  "gone": 1, // wrong\n  "b": 2\n}', '{\n  "b": 2\n}'],
    [
      "one about the next, on a line of its own",
      '{\n  "gone": 1, // wrong\n  // why b\n  "b": 2\n}',
      '{\n  // why b\n  "b": 2\n}',
    ],
    ["one about the next, on the same line", '{"gone": 1, /* why b */ "b": 2}', '{/* why b */ "b": 2}'],
    ["one before the comma", '{"gone": 1 /* a, b */, "b": 2}', '{"b": 2}'],
    [
      "one about the member before the last",
      '{\n  "a": 1, // why a\n  "gone": 2\n}',
      '{\n  "a": 1 // why a\n}',
    ],
    ["one that would take the bracket in", '{ "a": 1, // why a\n  "gone": 2 }', '{ "a": 1 // why a\n   }'],
    ["one at the beginning", '{ // why\n  "gone": 1\n}', "{ // why\n}"],
    ["one with a comma in it", '{"a": 1 /* x, y */, "gone": 2}', '{"a": 1 /* x, y */}'],
  ])("%s", (_name, text, expected) => {
    expect(without(text)).toBe(expected);
    expect(compile(expected, { uri: "a.app.jsonc" }).model.document.problems).toEqual([]);
  });
});
