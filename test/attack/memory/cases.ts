import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { type Attack, answer, chunked, head, type Move } from "../harness/index.ts";

/** An answer that is meant to exhaust the memory of whoever reads it. */
export interface MemoryAttack extends Attack {
  readonly ceiling: number;
  /** @param size bytes of a body: a megabyte, or ten in a long run */
  readonly moves: (size: number) => readonly Move[];
  /** How the runs may end, each of them. */
  readonly ends: readonly string[];
  readonly requestTime?: number;
  readonly pagination?: boolean;
  /** The pipe behind the request; by default it tells the type of the answer. */
  readonly steps?: readonly object[];
}

/** Of each kind of case, those that are tried each time; the others in a long run. */
export const always: ReadonlySet<string> = new Set([
  "chunks of one byte",
  "a body without a length that never ends",
  "one long text of escapes",
  "a text that is parsed to much",
  "a chunk that never ends",
  "headers without end",
  "informational answers without end",
  "a bomb of gzip",
  "a bomb of Brotli with its largest window",
  "a compressed body that breaks off",
  "empty lists",
  "one list nested as deep as it is long",
  "objects with names of their own",
  "objects with numbers for names",
  "empty lists and one number of 17 digits",
  "empty lists in UTF-16",
  "pages of lists without end",
  "a program that keeps all it makes",
  "what programs gave while others wait",
  "a value that has no end when it is written out",
]);

const json = { "content-type": "application/json" };
const encoded = (encoding: string) => ({ ...json, "content-encoding": encoding });

/** A list of as many values as fit. */
function list(size: number, value: (index: number) => string): string {
  const values: string[] = [];
  for (let length = 2, index = 0; ; index++) {
    const text = value(index);
    length += text.length + 1;
    if (length > size) return `[${values.join(",")}]`;
    values.push(text);
  }
}

/** The same as the members of one object. */
const members = (size: number, member: (index: number) => string): string =>
  `{${list(size, member).slice(1, -1)}}`;

const id = (index: number): string => index.toString(36);

/** Members in another order each time. */
function shuffled(index: number): string {
  const names = [..."abcdefgh"];
  const found: string[] = [];
  for (let rest = index * 2_654_435_761; names.length > 0; rest = Math.floor(rest / 8))
    found.push(...names.splice(rest % names.length, 1));
  return `{${found.map((name) => `"${name}":1`).join(",")}}`;
}

/** Reads with another ceiling: what the process needs anyway is 150 MB of it. */
const shape = (name: string, body: (size: number) => string | Uint8Array, more: Partial<MemoryAttack> = {}) =>
  ({
    name,
    ceiling: 440,
    moves: (size) => answer(body(size), json),
    ends: ["done", "LimitError", "MemoryError"],
    ...more,
  }) satisfies MemoryAttack;

const zeros = (size: number): Buffer => Buffer.alloc(30 * size, " ");
const tooMuch = ["LimitError", "MemoryError"];
const broken = ["NetworkError"];

/** More would take minutes to send. */
const MOST_CHUNKS = 2_000_000;

const chunkShapes: readonly MemoryAttack[] = [
  {
    name: "chunks of one byte",
    ceiling: 250,
    moves: (size) =>
      chunked(
        list(Math.min(size, MOST_CHUNKS), () => "1"),
        1,
      ),
    ends: ["done"],
  },
  {
    name: "chunks of seven bytes",
    ceiling: 250,
    moves: (size) =>
      chunked(
        list(size, () => "1"),
        7,
      ),
    ends: ["done"],
  },
  {
    name: "chunks of one byte that end without their last one",
    ceiling: 250,
    moves: (size) => [
      { send: head({ ...json, "transfer-encoding": "chunked" }) },
      { repeat: "1\r\nx\r\n", times: Math.min(size, MOST_CHUNKS) },
    ],
    ends: broken,
  },
  {
    name: "each byte with a long extension of its chunk",
    ceiling: 250,
    moves: (size) => [
      { send: head({ ...json, "transfer-encoding": "chunked" }) },
      { repeat: `1;${"x".repeat(5_000)}\r\nx\r\n`, times: Math.floor(size / 5_000) },
      { send: "0\r\n\r\n" },
    ],
    ends: ["done", "NetworkError"],
  },
  {
    name: "a chunk that never ends",
    ceiling: 350,
    moves: () => [
      { send: `${head({ ...json, "transfer-encoding": "chunked" })}FFFFFFFF\r\n` },
      { repeat: "x".repeat(1_000) },
    ],
    ends: ["LimitError", "MemoryError"],
  },
  {
    name: "a body without a length that never ends",
    ceiling: 350,
    moves: () => [{ send: head(json) }, { repeat: "x".repeat(1_000) }],
    ends: ["LimitError", "MemoryError"],
  },
  {
    name: "a promised length that never comes",
    ceiling: 230,
    moves: () => [{ send: head({ ...json, "content-length": "10000000" }) }, { send: "[" }],
    ends: broken,
  },
];

const headerShapes: readonly MemoryAttack[] = [
  {
    name: "headers without end",
    ceiling: 250,
    moves: () => [{ send: "HTTP/1.1 200 OK\r\n" }, { repeat: "x-a: b\r\n" }],
    ends: broken,
  },
  {
    name: "one header without end",
    ceiling: 250,
    moves: () => [{ send: "HTTP/1.1 200 OK\r\nx-a: " }, { repeat: "b".repeat(1_000) }],
    ends: broken,
  },
  {
    name: "informational answers without end",
    ceiling: 290,
    moves: () => [{ repeat: "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" }],
    ends: broken,
    requestTime: 1_000,
  },
  {
    name: "trailers without end",
    ceiling: 290,
    moves: () => [
      { send: `${head({ ...json, "transfer-encoding": "chunked" })}1\r\n1\r\n0\r\n` },
      { repeat: "x-a: b\r\n" },
    ],
    ends: broken,
    requestTime: 1_000,
  },
];

const compression: readonly MemoryAttack[] = [
  {
    name: "a bomb of gzip",
    ceiling: 350,
    moves: (size) => answer(gzipSync(zeros(size)), encoded("gzip")),
    ends: tooMuch,
  },
  {
    name: "a bomb of deflate",
    ceiling: 350,
    moves: (size) => answer(deflateSync(zeros(size)), encoded("deflate")),
    ends: tooMuch,
  },
  {
    name: "a bomb of Brotli with its largest window",
    ceiling: 410,
    moves: (size) =>
      answer(
        brotliCompressSync(zeros(size), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 24 },
        }),
        encoded("br"),
      ),
    ends: tooMuch,
  },
  {
    name: "a bomb in a bomb in a bomb",
    ceiling: 350,
    moves: (size) => answer(gzipSync(gzipSync(gzipSync(zeros(size)))), encoded("gzip, gzip, gzip")),
    ends: tooMuch,
  },
  {
    name: "a hundred encodings",
    ceiling: 230,
    moves: () => answer(gzipSync("1"), encoded(Array(100).fill("gzip").join(", "))),
    ends: broken,
  },
  {
    name: "a compressed body that breaks off",
    ceiling: 290,
    moves: (size) => answer(gzipSync(list(size, id)).subarray(0, -100), encoded("gzip")),
    ends: broken,
  },
  {
    name: "a compressed body in chunks of one byte",
    ceiling: 290,
    moves: (size) => chunked(gzipSync(list(size, (index) => `"${id(index)}"`)), 1, encoded("gzip")),
    ends: ["done"],
  },
];

const jsonShapes: readonly MemoryAttack[] = [
  shape("empty lists", (size) => list(size, () => "[]")),
  shape("empty objects", (size) => list(size, () => "{}")),
  shape("objects in objects", (size) => list(size, () => '{"a":{}}')),
  shape("lists nested a thousand deep", (size) => list(size, () => "[".repeat(999) + "]".repeat(999))),
  shape("one list nested as deep as it is long", (size) => "[".repeat(size / 2) + "]".repeat(size / 2)),
  shape("objects with names of their own", (size) => list(size, (index) => `{"${id(index)}z":1}`)),
  shape("objects with the same names in any order", (size) => list(size, shuffled)),
  shape("objects with numbers for names", (size) => list(size, () => '{"17":1}')),
  shape("one object with all names", (size) => members(size, (index) => `"${id(index)}z":1`)),
  shape("one name again and again", (size) => members(size, () => '"a":[]')),
  shape("one long text", (size) => `"${"x".repeat(size)}"`),
  shape("one long text of other letters", (size) => `"${"\u4e00".repeat(size / 3)}"`),
  shape("one long text of escapes", (size) => `"${"\\u4e00".repeat(size / 6)}"`),
  shape("short texts", (size) => list(size, (index) => `"${id(index)}"`)),
  shape("numbers of 17 digits", (size) =>
    list(size, (index) => `${12_345_678_901_234_500n + BigInt(index)}`),
  ),
  shape("empty lists and one number of 17 digits", (size) =>
    list(size, (index) => (index === 0 ? "12345678901234567" : "[[]]")),
  ),
  shape("one number with all digits", (size) => `1${"0".repeat(size)}`),
  shape("a list that is no JSON at its end", (size) => `${list(size, () => "[]")}!`),
  shape("empty lists in UTF-16", (size) => Buffer.from(`\ufeff${list(size / 2, () => "[]")}`, "utf16le")),
  shape("a long failure", (size) => "x".repeat(size), {
    moves: (size) => answer("x".repeat(size), json, "400 Bad Request"),
    ends: ["HttpError"],
    ceiling: 290,
  }),
  {
    name: "pages of lists without end",
    ceiling: 440,
    moves: (size) => answer(`{"next":"${Math.random()}","items":${list(size / 4, () => "[]")}}`, json),
    ends: ["LimitError", "MemoryError"],
    pagination: true,
  },
];

/** Programs of a config that somebody else wrote: what they make, and what is made of it. */
const program = (name: string, steps: readonly object[], ends: readonly string[]): MemoryAttack => ({
  name,
  ceiling: 440,
  moves: () => answer("1", json),
  steps,
  ends,
});
const unfolding = { "!jq": "reduce range(60) as $i ([]; [., .])" };

const programs: readonly MemoryAttack[] = [
  program("a program that keeps all it makes", [{ "!jq": "[range(1e9)]" }], tooMuch),
  program("a program that keeps objects", [{ "!jq": '[range(1e9) | {"\\(.)": .}] | length' }], tooMuch),
  program("a program that doubles a text", [{ "!jq": 'reduce range(60) as $i ("x"; . + .)' }], tooMuch),
  program(
    "a program that makes garbage only",
    [{ "!jq": "reduce range(3e5) as $i (0; [$i] | .[0])" }],
    ["done"],
  ),
  program(
    "what programs gave while others wait",
    [{ "!jq": "[range(4e5) | tostring]" }, { "!http": { path: "/slow" } }, { "!jq": "type" }],
    ["done", ...tooMuch],
  ),
  program("a value that has no end when it is written out", [unfolding, { "!jq": "type" }], ["LimitError"]),
  program(
    "a value that is long when it is written out",
    [
      { "!jq": "reduce range(22) as $i ([]; [., .])" },
      { "!http": { path: "/small", method: "POST", body: "${piped_content.2}" } },
      { "!jq": "type" },
    ],
    tooMuch,
  ),
  program(
    "a text that is parsed to much",
    [
      { "!jq": '{t: ("[" + ("[]," * 2000000) + "[]]")}' },
      { "!extract": { item_keys: ["t"], to_json: true } },
      { "!jq": "type" },
    ],
    ["done", ...tooMuch],
  ),
];

export const memoryAttacks: readonly MemoryAttack[] = [
  ...chunkShapes,
  ...headerShapes,
  ...compression,
  ...jsonShapes,
  ...programs,
];
