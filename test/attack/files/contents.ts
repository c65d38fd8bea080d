import type { Entry } from "../harness/index.ts";

const polluting = {
  __proto: 1,
  constructor: { prototype: { polluted: 1 } },
  prototype: { polluted: 1 },
};

/** What may stand in any file that we read, whoever wrote it. */
export const contents: Readonly<Record<string, Entry>> = {
  nothing: "",
  zeros: new Uint8Array(1_000),
  "no UTF-8": new Uint8Array([0xff, 0xfe, 0xfa, 0x7b, 0x80, 0x7d]),
  null: "null",
  "a list": "[]",
  "a text": '"text"',
  "a number that no computer has": "1e999999",
  "an object that breaks off": '{"a": ["b", {"c": ',
  "lists 200,000 deep": `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
  "objects 100,000 deep": `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  "a text of 5 MB": JSON.stringify({ $version: "2", name: "x".repeat(5_000_000) }),
  "20,000 members": JSON.stringify(
    Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, n])),
  ),
  "one name 10,000 times": `{${Array(10_000).fill('"a":1').join(",")}}`,
  "half surrogates": '{"\\ud800": "\\udfff", "a": "\ud83d"}',
  "names that reach prototypes": JSON.stringify(polluting).replace(
    '"__proto"',
    '"__proto__":{"polluted":1},"a"',
  ),
  "names of built-in members":
    '{"toString": 1, "hasOwnProperty": null, "valueOf": [], "then": {}, "toJSON": 2}',
  "a folder": "folder:",
  "a link to a device without an end": { link: "/dev/zero" },
  "a link to itself": { link: "./a-link" },
};
