import type { Json } from "@configc/jq";
import { describe, expect, test } from "vitest";
import { transform } from "../../src/mapping/transform.ts";

interface Case {
  readonly name: string;
  readonly source: Json;
  readonly mapping: Json;
  readonly defaultGroup?: string;
  readonly output: Json;
}

const field = (id: string | number, group?: string) => (group === undefined ? { id } : { group, id });
const entries = (...list: Json[]): Json => ({ v: 1, entries: list });
const from = (source: Json, target: Json): Json => ({ source, target });
const fixed = (value: Json, target: Json): Json => ({ value, target });
/** `__proto__` as a member, which a literal can't write. */
const json = (text: string): Json => JSON.parse(text);

const flat = { name: "Ada", mail: "a@x.test" };
const grouped = { person: { name: "Ada" }, account: { name: "Acme", size: 3 } };

const cases: readonly Case[] = [
  // The rows of the specification, with each of the forms in which a mapping may be saved.
  {
    name: "flat to flat, flat form",
    source: flat,
    mapping: { name: "first_name", mail: "email" },
    output: { first_name: "Ada", email: "a@x.test" },
  },
  {
    name: "flat to flat, kept form",
    source: flat,
    mapping: entries(from(field("name"), field("first_name")), from(field("name"), field("nick"))),
    output: { first_name: "Ada", nick: "Ada" },
  },
  {
    name: "flat to grouped, grouped form",
    source: flat,
    mapping: { contact: { name: "first_name" }, lead: { mail: "address" } },
    output: { contact: { first_name: "Ada" }, lead: { address: "a@x.test" } },
  },
  {
    name: "flat to grouped, kept form",
    source: flat,
    mapping: entries(from(field("name"), field("n", "contact")), from(field("mail"), field("m", "lead"))),
    output: { contact: { n: "Ada" }, lead: { m: "a@x.test" } },
  },
  {
    name: "grouped to grouped, kept form",
    source: grouped,
    mapping: entries(
      from(field("name", "account"), field("n", "company")),
      from(field("name", "person"), field("n", "human")),
    ),
    output: { company: { n: "Acme" }, human: { n: "Ada" } },
  },
  {
    name: "grouped to grouped, grouped form: the group of the same name first",
    source: grouped,
    mapping: { account: { name: "n" }, other: { size: "s" } },
    output: { account: { n: "Acme" }, other: { s: 3 } },
  },
  {
    name: "grouped to flat, kept form",
    source: grouped,
    mapping: entries(
      from(field("name", "person"), field("who")),
      from(field("size", "account"), field("size")),
    ),
    output: { who: "Ada", size: 3 },
  },
  {
    name: "grouped to flat, flat form",
    source: grouped,
    mapping: { name: "who", size: "s" },
    output: { who: "Ada", s: 3 },
  },
  {
    name: "default_group takes a flat form",
    source: flat,
    mapping: { name: "n" },
    defaultGroup: "g",
    output: { g: { n: "Ada" } },
  },
  {
    name: "default_group takes a kept form without groups, fixed values too",
    source: flat,
    mapping: entries(from(field("name"), field("n")), fixed(1, field("f"))),
    defaultGroup: "g",
    output: { g: { n: "Ada", f: 1 } },
  },
  {
    name: "default_group with a grouped source",
    source: grouped,
    mapping: { size: "s" },
    defaultGroup: "g",
    output: { g: { s: 3 } },
  },
  {
    name: "default_group with a kept form of before, and a source that has groups since",
    source: grouped,
    mapping: entries(from(field("size"), field("s")), fixed(1, field("f"))),
    defaultGroup: "g",
    output: { g: { s: 3, f: 1 } },
  },
  {
    name: "default_group with a kept form: the source's group of that name is meant first",
    source: { a: { id: 1 }, g: { id: 2 } },
    mapping: entries(from(field("id"), field("n"))),
    defaultGroup: "g",
    output: { g: { n: 2 } },
  },
  {
    name: "a flat source whose values are all objects isn't taken for groups",
    source: { company: { address: "work" }, address: { city: "Ur" } },
    mapping: entries(from(field("address"), field("a"))),
    defaultGroup: "g",
    output: { g: { a: { city: "Ur" } } },
  },
  {
    name: "default_group is ignored for a grouped form",
    source: flat,
    mapping: { other: { name: "n" } },
    defaultGroup: "g",
    output: { other: { n: "Ada" } },
  },
  {
    name: "default_group is ignored for a kept form with groups",
    source: flat,
    mapping: entries(from(field("name"), field("n", "other")), from(field("mail"), field("m"))),
    defaultGroup: "g",
    output: { m: "a@x.test", other: { n: "Ada" } },
  },
  // Values
  {
    name: "null is carried over, missing is left out, unmapped is dropped",
    source: { a: null, c: 1 },
    mapping: { a: "x", b: "y" },
    output: { x: null },
  },
  {
    name: "a missing group and one that is no object are left out",
    source: { a: 1 },
    mapping: entries(from(field("x", "a"), field("x")), from(field("y", "b"), field("y"))),
    output: {},
  },
  {
    name: "a nested object of a flat source is no group",
    source: { id: 1, address: { city: "Oslo" } },
    mapping: { city: "c", address: "a" },
    output: { a: { city: "Oslo" } },
  },
  {
    name: "fixed values keep their type and win wherever they stand",
    source: flat,
    mapping: entries(fixed(7, field("email")), from(field("mail"), field("email")), fixed(null, field("n"))),
    output: { email: 7, n: null },
  },
  {
    name: "ids may be integers",
    source: { 12: "twelve" },
    mapping: entries(from(field(12), field(34))),
    output: { 34: "twelve" },
  },
  {
    name: "the flat form may map to integers",
    source: flat,
    mapping: { name: 5 },
    output: { 5: "Ada" },
  },
  {
    name: "_tags pass at the root, flat to flat",
    source: { ...flat, _tags: ["a"] },
    mapping: { name: "n" },
    output: { _tags: ["a"], n: "Ada" },
  },
  {
    name: "_tags pass at the root, grouped to grouped",
    source: { ...grouped, _tags: ["a"] },
    mapping: { account: { size: "s" } },
    output: { _tags: ["a"], account: { s: 3 } },
  },
  {
    name: "an empty mapping keeps the tags",
    source: { a: 1, _tags: [] },
    mapping: {},
    output: { _tags: [] },
  },
  {
    name: "`v` and `entries` may be ids of a flat mapping",
    source: { v: 1, entries: 2 },
    mapping: { v: "a", entries: "b" },
    output: { a: 1, b: 2 },
  },
  {
    name: "names of the prototype are names",
    source: json('{"__proto__": 1, "b": 2}'),
    mapping: json('{"__proto__": "constructor", "b": "__proto__", "toString": "t"}'),
    output: json('{"constructor": 1, "__proto__": 2}'),
  },
  {
    name: "a group called __proto__",
    source: json('{"__proto__": {"toString": 1}}'),
    mapping: json(
      '{"v": 1, "entries": [{"source": {"group": "__proto__", "id": "toString"}, "target": {"group": "__proto__", "id": "x"}}]}',
    ),
    output: json('{"__proto__": {"x": 1}}'),
  },
];

const place = { pointer: "/workflows/0/setup/map", span: { start: 3, end: 9 } };
const mapWith = (defaultGroup?: string) => (defaultGroup === undefined ? place : { ...place, defaultGroup });

describe("D36, D37 the transform", () => {
  test.each(cases)("$name", ({ source, mapping, defaultGroup, output }) => {
    const result = transform(source, mapWith(defaultGroup), mapping);
    expect(JSON.stringify(result)).toBe(JSON.stringify(output));
    expect(Object.prototype).not.toHaveProperty("x");
  });

  test("without a map step, or before a mapping is saved, it is the identity", () => {
    const source = { a: 1, _tags: ["x"] };
    expect(transform(source, undefined, { a: "b" })).toBe(source);
    expect(transform(source, place, undefined)).toBe(source);
    expect(transform([1], undefined, undefined)).toEqual([1]);
  });

  test.each<[string, Json, Json, RegExp]>([
    ["an array from the source", [1], {}, /an array.*must give an object/],
    ["a text from the source", "x", {}, /gave a string/],
    ["a mapping that is no object", {}, [], /isn't an object/],
    ["a target that is no id", {}, { a: true }, /target of `a`/],
    ["an entry without a target", {}, entries({ source: { id: "a" } }), /entry 0 has no `target`/],
    ["an entry without a source", {}, entries({ target: { id: "a" } }), /neither/],
    [
      "a field that is a group, too",
      { a: 1 },
      entries(from(field("a"), field("g")), from(field("a"), field("x", "g"))),
      /both as a field and as a group/,
    ],
  ])("refuses %s", (_name, source, mapping, message) => {
    expect(() => transform(source, place, mapping)).toThrow(
      expect.objectContaining({
        kind: "DataError",
        pointer: place.pointer,
        message: expect.stringMatching(message),
      }),
    );
  });
});
