import { parseDocument } from "@configc/compiler/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodedOffset, documentOffset } from "../src/parse/string-map.ts";
import type { StringNode } from "../src/parse/syntax-tree.ts";
import {
  type ExpansionSyntax,
  isSegment,
  isWhole,
  parseTemplate,
  type Template,
} from "../src/parse/template.ts";

/**
 * How expansions are read: D6 and D7 case by case.
 *
 * Each case is a text and what is read of it, one line an expansion, every part with its offsets in the text:
 * `0-9 custom_data@2-5 …`, `[0]@…` for an index in brackets, `::` before a segment written the old way, `| name@…:argument@…`
 * for a filter, `! kind@…` for a mistake, and `$ literal@…` or `$ kept@…` for the first dollar of `$${`.
 */
type Case = readonly [text: string, ...lines: string[]];

const D6: Readonly<Record<string, readonly Case[]>> = {
  "nothing to expand": [
    ["no dollar"],
    ["$"],
    ["$5 and $$"],
    ["{a} <b> $a"],
    ["$ {a}"],
    // `$<` opens an expansion only before a known root.
    ["$<b>bold</b>"],
    ["$<>"],
    ["$<database.x>"],
    ["$<data-x>"],
  ],
  openers: [
    ["${data.a.b}", "0-11 data@2-6 a@7-8 b@9-10"],
    ["$<data.a.b>", "0-11 data@2-6 a@7-8 b@9-10"],
    ["x ${a} y", "2-6 a@4-5"],
    ["${a}${b}", "0-4 a@2-3", "4-8 b@6-7"],
    ["$<webhook.url>", "0-14 webhook@2-9 url@10-13"],
    ["$<polling_state>", "0-16 polling_state@2-15"],
    ["$< subdomain >", "0-14 subdomain@3-12"],
    // The opener decides the closer; the other one is a mistake in the path.
    ["$<data.a}b>", "0-11 data@2-6 a@7-8 ! unexpected-character@8-9"],
    ["${data.a>b}", "0-11 data@2-6 a@7-8 ! unexpected-character@8-9"],
  ],
  paths: [
    ["${ a.b }", "0-8 a@3-4 b@5-6"],
    ["${\ta\n}", "0-6 a@3-4"],
    ["${custom_data.dropdown-input-1.value}", "0-37 custom_data@2-13 dropdown-input-1@14-30 value@31-36"],
    ["${a/b?c&d=e,f;g@h#i*j(k)\"l'm\\n}", "0-31 a/b?c&d=e,f;g@h#i*j(k)\"l'm\\n@2-30"],
    ["${größe.名.😀}", "0-13 größe@2-7 名@8-9 😀@10-12"],
    ["${a$.b}", "0-7 a$@2-4 b@5-6"],
    ["${piped_content.1.items.0}", "0-26 piped_content@2-15 1@16-17 items@18-23 0@24-25"],
    ["${__proto__.constructor}", "0-24 __proto__@2-11 constructor@12-23"],
  ],
  "the old separator": [
    ["${a::b}", "0-7 a@2-3 ::@3-5b@5-6"],
    ["${a::b.c::d}", "0-12 a@2-3 ::@3-5b@5-6 c@7-8 ::@8-10d@10-11"],
    ["${a::}", "0-6 a@2-3 ! empty-segment@5-6"],
    ["${a:b}", "0-6 a@2-3 ! unexpected-character@3-4"],
    ["${a:::b}", "0-8 a@2-3 ! empty-segment@5-6"],
  ],
  "indexes in brackets": [
    ["${a[0]}", "0-7 a@2-3 [0]@3-6"],
    ["${a[ 12 ].b}", "0-12 a@2-3 [12]@3-9 b@10-11"],
    ["${a[0][1]::b}", "0-13 a@2-3 [0]@3-6 [1]@6-9 ::@9-11b@11-12"],
    ["${a[]}", "0-6 a@2-3 ! bad-index@3-4"],
    ["${a[x]}", "0-7 a@2-3 ! bad-index@3-4"],
    ["${a[-1]}", "0-8 a@2-3 ! bad-index@3-4"],
    ["${a[1.5]}", "0-9 a@2-3 ! bad-index@3-4"],
    ["${a[0}", "0-6 a@2-3 ! bad-index@3-4"],
    ["${a]}", "0-5 a@2-3 ! unexpected-character@3-4"],
    ["${[0]}", "0-6 ! unexpected-character@2-3"],
    ["${a[0]b}", "0-8 a@2-3 [0]@3-6 ! unexpected-character@6-7"],
  ],
  "empty paths and segments": [
    ["${}", "0-3 ! empty@0-3"],
    ["x${  }", "1-6 ! empty@1-6"],
    ["${.a}", "0-5 ! empty-segment@2-3"],
    ["${a.}", "0-5 a@2-3 ! empty-segment@4-5"],
    ["${a..b}", "0-7 a@2-3 ! empty-segment@4-5"],
    ["${a. b}", "0-7 a@2-3 ! empty-segment@4-5"],
    ["${a.|default}", "0-13 a@2-3 ! empty-segment@4-5"],
    ["${|default}", "0-11 ! empty-segment@2-3"],
  ],
  "unexpected characters": [
    ["${{a}}", "0-5 ! unexpected-character@2-3"],
    ["${a b}", "0-6 a@2-3 ! unexpected-character@4-5"],
    ["${a.b c.d}", "0-10 a@2-3 b@4-5 ! unexpected-character@6-7"],
    ["${a{b}", "0-6 a@2-3 ! unexpected-character@3-4"],
    ["${a 😀}", "0-7 a@2-3 ! unexpected-character@4-5"],
    // Only the first mistake counts.
    ["${a b | nope c}", "0-15 a@2-3 ! unexpected-character@4-5"],
  ],
  "unclosed: an error at the opener": [
    ["${", "0-2 ! unclosed@0-2"],
    ["x ${a.b", "2-7 a@4-5 b@6-7 ! unclosed@2-4"],
    ["$<data.a", "0-8 data@2-6 a@7-8 ! unclosed@0-2"],
    ["${a>", "0-4 a@2-3 ! unclosed@0-2"],
    ["$<data}", "0-7 data@2-6 ! unclosed@0-2"],
    ["${a | default:x", "0-15 a@2-3 | default@6-13:x@14-15 ! unclosed@0-2"],
    // What follows is read as usual.
    ["${a ${b}", "0-4 a@2-3 ! unclosed@0-2", "4-8 b@6-7"],
    ["${a.b${c}", "0-5 a@2-3 b@4-5 ! unclosed@0-2", "5-9 c@7-8"],
    ["${${a}", "0-2 ! unclosed@0-2", "2-6 a@4-5"],
    ["${a $<data.b>", "0-4 a@2-3 ! unclosed@0-2", "4-13 data@6-10 b@11-12"],
    ["${a b ${c}", "0-6 a@2-3 ! unclosed@0-2", "6-10 c@8-9"],
    ["${a|${b}", "0-4 a@2-3 ! unclosed@0-2", "4-8 b@6-7"],
    ["${a|x${b}", "0-5 a@2-3 | x@4-5 ! unclosed@0-2", "5-9 b@7-8"],
    ["${a$<b>}", "0-8 a$@2-4 ! unexpected-character@4-5"],
  ],
  "a doubled dollar": [
    ["$${a}", "$ literal@0-1"],
    ["$${", "$ literal@0-1"],
    ["a $${x} ${b}", "$ literal@2-3", "8-12 b@10-11"],
    ["$${piped_content.1.total}", "$ kept@0-1", "1-25 piped_content@3-16 1@17-18 total@19-24"],
    ["$${ data.a.b}", "$ kept@0-1", "1-13 data@4-8 a@9-10 b@11-12"],
    ["$$<data.a.b>", "$ kept@0-1", "1-12 data@3-7 a@8-9 b@10-11"],
    // Nothing to escape: `$<b>` is text anyway.
    ["$$<b>"],
    // Of three dollars the last two belong together.
    ["$$${a}", "$ literal@1-2"],
    ["$$ ${a}", "3-7 a@5-6"],
  ],
};

const D7: Readonly<Record<string, readonly Case[]>> = {
  "without an argument": [
    ["${a|default}", "0-12 a@2-3 | default@4-11"],
    ["${ a | default }", "0-16 a@3-4 | default@7-14"],
    ["$<data.a|default>", "0-17 data@2-6 a@7-8 | default@9-16"],
  ],
  "the argument goes up to the next bar or the closer, without outer blanks": [
    ["${a|default:x}", "0-14 a@2-3 | default@4-11:x@12-13"],
    ["${a | default : some text  }", "0-28 a@2-3 | default@6-13:some text@16-25"],
    ["${a|default:}", "0-13 a@2-3 | default@4-11:@12-12"],
    ["${a|default:  }", "0-15 a@2-3 | default@4-11:@14-14"],
    ["${a|default:b:c.d[0]>}", "0-22 a@2-3 | default@4-11:b:c.d[0]>@12-21"],
    ["$<data.a|default:b}c>", "0-21 data@2-6 a@7-8 | default@9-16:b}c@17-20"],
    ["${a|default:$5 $<b>}", "0-20 a@2-3 | default@4-11:$5 $<b>@12-19"],
    ["${a|default:x|default:y}", "0-24 a@2-3 | default@4-11:x@12-13 | default@14-21:y@22-23"],
    ["${a|default:😀 é}", "0-17 a@2-3 | default@4-11:😀 é@12-16"],
  ],
  "an opener inside the argument is an error": [
    ["${a|default:${b}}", "0-17 a@2-3 | default@4-11:@12-12 ! opener-in-argument@12-14"],
    ["${a|default:x ${b} y} z", "0-21 a@2-3 | default@4-11:x@12-13 ! opener-in-argument@14-16"],
    ["${a|default:$<data.b>}", "0-22 a@2-3 | default@4-11:@12-12 ! opener-in-argument@12-14"],
    [
      "${a|default:${b}} ${c}",
      "0-17 a@2-3 | default@4-11:@12-12 ! opener-in-argument@12-14",
      "18-22 c@20-21",
    ],
    ["${a|default:${b}", "0-16 a@2-3 | default@4-11:@12-12 ! unclosed@0-2"],
  ],
  "names and what follows them": [
    ["${a | upper}", "0-12 a@2-3 | upper@6-11"],
    ["${a | }", "0-7 a@2-3 ! missing-filter@4-5"],
    ["${a ||default}", "0-14 a@2-3 ! missing-filter@4-5"],
    ["${a | :x}", "0-9 a@2-3 ! missing-filter@4-5"],
    ["${a | default x}", "0-16 a@2-3 | default@6-13 ! unexpected-character@14-15"],
    ["${a | default.x}", "0-16 a@2-3 | default@6-13 ! unexpected-character@13-14"],
  ],
};

describe.each([
  ["D6", D6],
  ["D7", D7],
])("%s", (_, groups) => {
  describe.each(Object.entries(groups))("%s", (_name, cases) => {
    test.each(cases.map(([text, ...lines]) => ({ text, lines })))("$text", ({ text, lines }) => {
      const template = parseTemplate(text);
      expect(template === undefined ? [] : show(template)).toEqual(lines);
    });
  });
});

test.each([
  ["${a}", true],
  ["$<data.a.b>", true],
  ["${a | default:x}", true],
  [" ${a}", false],
  ["${a} ", false],
  ["${a}${b}", false],
  ["$${data.a.b}", false],
  ["$${a}", false],
] as const)("D8: %s is a whole expansion: %s", (text, whole) => {
  expect(isWhole(parseTemplate(text)!)).toBe(whole);
});

test.each([
  ["dropdown-input-1", true],
  ["名", true],
  ["__proto__", true],
  ["", false],
  ["my form", false],
  ["a.b", false],
  ["a:b", false],
  ["a|b", false],
  ["a[0]", false],
  ["<a>", false],
  ["{a}", false],
] as const)("D6: a path can name %j: %s", (name, can) => {
  expect(isSegment(name)).toBe(can);
  if (can) expect(parseTemplate(`\${x.${name}}`)?.expansions[0]?.path[1]?.text).toBe(name);
});

test("D6: whatever the text, the parts lie in it, in order and apart", () => {
  const pieces = fc.constantFrom(
    ..."${ $< } > $$ . :: : | [ ] [0] { < data custom_data default a ğ 😀 \ud800 \udc00 \n".split(" "),
    " ",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
      const text = parts.join("");
      const template = parseTemplate(text);
      let end = 0;
      for (const { start, end: to, path, filters, problem, opener } of template?.expansions ?? []) {
        expect(start).toBeGreaterThanOrEqual(end);
        expect(text.startsWith(opener, start)).toBe(true);
        end = to;
        const spans = [
          ...path,
          ...filters.flatMap(({ nameSpan, argument }) => [nameSpan, argument ?? nameSpan]),
        ];
        for (const [index, span] of spans.entries()) {
          expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.start ?? start + 2);
          expect(span.end).toBeLessThanOrEqual(to);
        }
        for (const { text: name, start: from, end: until, bracketed } of path)
          if (!bracketed) expect(text.slice(from, until)).toBe(name);
        if (problem === undefined) expect(path.length).toBeGreaterThan(0);
        else expect(problem.start).toBeGreaterThanOrEqual(start);
      }
    }),
  );
});

/** Each a hundred thousand times: what is read must not be read again for each opener. */
test.each([
  ["${", 100_000],
  ["${a[", 100_000],
  ["${a|", 100_000],
  ["$<data.", 100_000],
  ["$${data.a ", 100_000],
  ["$< ", 0],
  ["$$<", 0],
  // The argument reaches to the end, as no closer follows.
  ["${a|default:${", 1],
  // The closer of the first is that of the expansion inside the next one.
  ["${a|default:${b}", 50_000],
] as const)("D6: %s, again and again", (piece, count) => {
  expect(parseTemplate(piece.repeat(100_000))?.expansions.length ?? 0).toBe(count);
});

/**
 * Offsets in the decoded value lead to the characters in the document. `source` is the string as it stands in the JSON; `parts`
 * are the sources of path segments, and of the filter's argument.
 */
const escaped: readonly (readonly [
  title: string,
  source: string,
  whole: string,
  parts: readonly string[],
])[] = [
  ["no escape", "x ${data.a.b} y", "${data.a.b}", ["data", "a", "b"]],
  ["escapes before", '\\"\\\\\\/\\n ${data.a.b}', "${data.a.b}", ["data", "a", "b"]],
  ["a line break inside", "${\\n data.a.b\\t}", "${\\n data.a.b\\t}", ["data", "a", "b"]],
  ["a \\u escape before", "\\u00e9${data.a.b}", "${data.a.b}", ["data", "a", "b"]],
  ["a pair before, as it is", "😀${data.a.b}", "${data.a.b}", ["data", "a", "b"]],
  ["a pair before, escaped", "\\ud83d\\ude00${data.a.b}", "${data.a.b}", ["data", "a", "b"]],
  [
    "a pair in a segment, escaped",
    "${data.\\uD83D\\uDE00.b}",
    "${data.\\uD83D\\uDE00.b}",
    ["data", "\\uD83D\\uDE00", "b"],
  ],
  ["a lone surrogate in a segment", "${data.\\ud83d.b}", "${data.\\ud83d.b}", ["data", "\\ud83d", "b"]],
  [
    "escaped delimiters",
    "\\u0024\\u007bdata\\u002ea.b\\u007d",
    "\\u0024\\u007bdata\\u002ea.b\\u007d",
    ["data", "a", "b"],
  ],
  ["an escaped letter", "${d\\u0061ta.a.b}", "${d\\u0061ta.a.b}", ["d\\u0061ta", "a", "b"]],
  ["a quote in a segment", '${data.a\\"b.c}', '${data.a\\"b.c}', ["data", 'a\\"b', "c"]],
  [
    "an argument with escapes",
    '${data.a|default:\\"é\\u00e9😀\\"}',
    '${data.a|default:\\"é\\u00e9😀\\"}',
    ["data", "a", '\\"é\\u00e9😀\\"'],
  ],
];

describe("D6: through JSON escapes and surrogate pairs", () => {
  test.each(escaped)("%s", (_, source, whole, parts) => {
    const { text, node } = stringIn(source);
    const [expansion] = parseTemplate(node.value)!.expansions;
    const sourceOf = ({ start, end }: { start: number; end: number }) =>
      text.slice(documentOffset(text, node, start), documentOffset(text, node, end));
    expect(sourceOf(expansion!)).toBe(whole);
    const argument = expansion!.filters[0]?.argument;
    expect([...expansion!.path, ...(argument === undefined ? [] : [argument])].map(sourceOf)).toEqual(parts);
  });

  test.each(escaped)("and back: %s", (_, source) => {
    const { text, node } = stringIn(source);
    for (let offset = 0; offset <= node.value.length; offset++) {
      expect(decodedOffset(text, node, documentOffset(text, node, offset))).toBe(offset);
    }
  });

  test("an offset inside an escape belongs to the character that it writes", () => {
    const { text, node } = stringIn("a\\u00e9b");
    const written = text.indexOf("\\u00e9");
    for (let within = 0; within < 6; within++) expect(decodedOffset(text, node, written + within)).toBe(1);
    expect(decodedOffset(text, node, written + 6)).toBe(2);
  });

  test("any string, escaped in any way", () => {
    const unit = fc.oneof(
      fc.constantFrom("a", "😀", "é", "$", "{", "}", ".", '\\"', "\\\\", "\\/", "\\n", "\\t"),
      fc.integer({ min: 0, max: 0xffff }).map((code) => `\\u${code.toString(16).padStart(4, "0")}`),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const { text, node } = stringIn(units.join(""));
        let decoded = 0;
        let at = node.start + 1;
        for (const piece of units) {
          expect(documentOffset(text, node, decoded)).toBe(at);
          expect(decodedOffset(text, node, at)).toBe(decoded);
          decoded += piece.startsWith("\\") ? 1 : piece.length;
          at += piece.length;
        }
        expect(documentOffset(text, node, node.value.length)).toBe(node.end - 1);
      }),
    );
  });
});

function stringIn(source: string): { text: string; node: StringNode } {
  const text = `{"é": ["${source}"]}`;
  const { root } = parseDocument(text, "a.app.json");
  const list = root?.kind === "object" ? root.get("é") : undefined;
  const node = list?.kind === "array" ? list.items[0] : undefined;
  if (node?.kind !== "string") throw new Error(`not a string: ${text}`);
  expect(node.value).toBe((JSON.parse(text) as { é: string[] }).é[0]);
  return { text, node };
}

function show({ expansions, doubledDollars }: Template): string[] {
  const lines = [
    ...expansions.map((expansion) => ({ start: expansion.start, line: showExpansion(expansion) })),
    ...doubledDollars.map(({ start, end, literal }) => ({
      start,
      line: `$ ${literal ? "literal" : "kept"}@${start}-${end}`,
    })),
  ];
  return lines.sort((a, b) => a.start - b.start).map(({ line }) => line);
}

function showExpansion({ start, end, path, filters, problem }: ExpansionSyntax): string {
  const segments = path.map(
    ({ text, start: from, end: to, bracketed, legacySeparator: old }) =>
      `${old === undefined ? "" : `::@${old.start}-${old.end}`}${bracketed ? `[${text}]` : text}@${from}-${to}`,
  );
  const filtered = filters.map(({ name, nameSpan, argument }) => {
    const tail = argument === undefined ? "" : `:${argument.text}@${argument.start}-${argument.end}`;
    return `| ${name}@${nameSpan.start}-${nameSpan.end}${tail}`;
  });
  const mistake = problem === undefined ? [] : [`! ${problem.kind}@${problem.start}-${problem.end}`];
  return [`${start}-${end}`, ...segments, ...filtered, ...mistake].join(" ");
}
