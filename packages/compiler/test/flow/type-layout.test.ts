import { layOutType } from "@configc/compiler/internal";
import { type Type, types } from "@configc/jq";
import { expect, test } from "vitest";

/** Types over several lines, as `configc type` prints them. */

const { string, number, nullType } = types;
const item = types.record({ id: number, title: string });
const titles = ["{", "  id: number,", "  title: string,", "}"].join("\n");

test.each<[string, Type, string]>([
  ["what fits on a line", types.object([["id", { type: number, optional: true }]]), "{id?: number}"],
  ["members", item, titles],
  ["a list", types.array(item), `${titles}[]`],
  [
    "a list in a member",
    types.record({ item: types.array(item) }),
    `{\n  item: ${titles.replaceAll("\n", "\n  ")}[],\n}`,
  ],
  [
    "what may be absent, and names in quotes",
    types.object([["first name", { type: string, optional: true }]]),
    '{\n  "first name"?: string,\n}',
  ],
  ["what may be null", types.union(nullType, item), `${titles} | null`],
  ["a list of what may be null", types.array(types.union(nullType, item)), `(${titles} | null)[]`],
  [
    "further members",
    types.object([["identifier", { type: string, optional: false }]], types.unknown),
    "{\n  identifier: string,\n  …\n}",
  ],
  [
    "further members of a type",
    types.object([], types.array(item)),
    `{\n  [string]: ${titles.replaceAll("\n", "\n  ")}[],\n}`,
  ],
  [
    "one of several kinds of objects a line",
    types.array(types.union(nullType, types.record({ a: string }), types.record({ bcd: string }))),
    "(\n  | {a: string}\n  | {bcd: string}\n  | null\n)[]",
  ],
  [
    "the same in a member",
    types.record({ e: types.union(types.record({ a: string }), types.record({ bcd: string })) }),
    "{\n  e:\n    | {a: string}\n    | {bcd: string},\n}",
  ],
  [
    "what can't be divided",
    types.union(types.literal("a long text"), types.literal("another one")),
    '"a long text" | "another one"',
  ],
])("%s", (_, type, expected) => {
  expect(layOutType(type, 16)).toBe(expected);
});
