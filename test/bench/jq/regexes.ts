import { compile } from "@configc/jq";

interface Work {
  readonly what: string;
  readonly program: (pattern: string) => string;
  readonly pattern: string;
  /** The same by hand, in JavaScript. */
  readonly hand: (text: string) => unknown;
  /** A part of the texts; the short ones have one of it, the long ones many. */
  readonly part: string;
}

const quoted = (text: string) => JSON.stringify(text);

/** What programs of integration configs do with regular expressions. */
const works: readonly Work[] = [
  {
    what: "test",
    program: (pattern) => `test(${quoted(pattern)})`,
    pattern: "^a.*b$",
    hand: (text) => /^a.*b$/.test(text),
    part: "a text with an a and a b",
  },
  {
    what: "test",
    program: (pattern) => `test(${quoted(pattern)})`,
    pattern: "@example\\.com$",
    hand: (text) => /@example\.com$/.test(text),
    part: "someone@else.example.org; someone@example.com",
  },
  {
    what: "ascii_downcase | test",
    program: (pattern) => `ascii_downcase | test(${quoted(pattern)})`,
    pattern: "(?:foo|bar)",
    hand: (text) => /foo|bar/.test(text.toLowerCase()),
    part: "Some Text Without Either; ",
  },
  {
    what: "capture",
    program: (pattern) => `capture(${quoted(pattern)})`,
    pattern: "(?<y>\\d{4})-(?<m>\\d{2})",
    hand: (text) => ({ .../(?<y>\d{4})-(?<m>\d{2})/.exec(text)?.groups }),
    part: "no date here; ordered on 2026-11-21",
  },
  {
    what: "gsub",
    program: (pattern) => `gsub(${quoted(pattern)}; " ")`,
    pattern: "\\s+",
    hand: (text) => text.replace(/\s+/g, " "),
    part: "words  with   blanks\n\tbetween them ",
  },
  {
    what: "gsub",
    program: (pattern) => `gsub(${quoted(pattern)}; "")`,
    pattern: "(?:^\\s+|\\s+$)",
    hand: (text) => text.replace(/^\s+|\s+$/g, ""),
    part: "  blanks around   and between  ",
  },
  {
    what: "split",
    program: (pattern) => `split(${quoted(pattern)}; null)`,
    pattern: ", *",
    hand: (text) => text.split(/, */),
    part: "one, two,three,   four",
  },
];

const REPEATED = 500;
/** Matches nothing, and is nothing that JavaScript has: with it, a pattern is left to the matcher. */
const KEPT = "(?>)";

/**
 * Typical uses of regular expressions, on short and on long texts, as Markdown: the time by hand in JavaScript, and how many times
 * that a program takes with our matcher, and where JavaScript's engine runs the pattern.
 */
export function compareRegexes(): string {
  const lines = [
    "| program | pattern | text | hand-written JS | our matcher | JavaScript's engine |",
    "|---|---|---|---|---|---|",
  ];
  for (const { what, program, pattern, hand, part } of works) {
    for (const times of [1, REPEATED]) {
      const text = part.repeat(times);
      const base = timeOf(() => hand(text));
      const cells = [pattern + KEPT, pattern].map((each) => {
        const { filter } = compile(program(each));
        return `${(timeOf(() => filter!.first(text)) / base).toFixed(1)}×`;
      });
      const shown = pattern.replaceAll("|", "\\|");
      const length = times === 1 ? `${text.length}` : `${(text.length / 1000).toFixed(0)} k`;
      lines.push(
        `| ${what.replace("|", "\\|")} | \`${shown}\` | ${length} | ${(base * 1000).toFixed(2)} µs | ${cells.join(" | ")} |`,
      );
    }
  }
  return lines.join("\n");
}

/** Milliseconds of one run: the best of many batches. */
function timeOf(work: () => unknown): number {
  let runs = 1;
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + 500;
  while (performance.now() < end) {
    const start = performance.now();
    for (let i = 0; i < runs; i++) work();
    const time = performance.now() - start;
    if (time < 0.5) runs *= 2;
    else best = Math.min(best, time / runs);
  }
  return best;
}
