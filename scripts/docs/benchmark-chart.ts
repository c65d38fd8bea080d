const figures = "test/bench/README.md";

/** A bar: how many times a reference something takes, and how many it may take. */
interface Bar {
  readonly name: string;
  readonly ratio: number;
  readonly budget?: number;
}

interface Group {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/**
 * `docs/images/benchmarks.svg`: the newest ratios beside what they are measured against, on a logarithmic scale.
 *
 * @param read gives the text of a file of the repository
 */
export function benchmarkChart(read: (path: string) => string): string {
  const text = read(figures);
  const byDate = rowsBelow(text, "## Ratios by date");
  const newest = byDate[0]!.length - 2;
  const rows = byDate.map((cells) => ({ what: cells[0]!, ratios: cells[newest]!, budgets: cells.at(-1)! }));
  const checks = rows
    .filter(({ what, ratios }) => /^`?check|^\d[\d,]*\b(?! workflows)/.test(what) && ratios !== "")
    .map(({ what, ratios, budgets }): Bar => {
      const count = /(?:check`, )?([\d,]*\d)/.exec(what)![1]!;
      const name = `${count} ${count === "1" ? "config" : "configs"} of 12 kB`;
      return { name, ratio: numbersIn(ratios)[0]!, budget: numbersIn(budgets)[0]! };
    });
  const edits = rows
    .filter(({ what }) => what.startsWith("edit →"))
    .flatMap(({ ratios, budgets }) =>
      ["12 kB", "105 kB", "1 MB"].map((name, index): Bar => {
        const [ratio, budget] = [numbersIn(ratios)[index]!, numbersIn(budgets)[index]!];
        return { name, ratio, budget };
      }),
    );
  return svg([
    { title: "A first check: one config to an empty module, more to JSON.parse of the files", bars: checks },
    { title: "From an edit to its findings: to vscode-json-languageservice with our schema", bars: edits },
    { title: "25 jq programs on 100 items, the median: to JavaScript written by hand", bars: engines(text) },
  ]);
}

/** Of each engine the median of its programs, as far as it runs them. */
function engines(text: string): readonly Bar[] {
  const [head, ...rows] = rowsBelow(text, "## jq", true);
  const ofHundred = rows.filter((cells) => cells[1] === "100");
  return head!.slice(3).map((engine, at): Bar => {
    const ratios = ofHundred.flatMap((cells) => numbersIn(cells[at + 3]!)).sort((a, b) => a - b);
    const name = engine === "ours" ? "@configc/jq" : engine;
    return { name, ratio: ratios[ratios.length >> 1]!, ...(engine === "ours" ? { budget: 3 } : {}) };
  });
}

/** The rows of the first table behind a heading, without what is between head and body. */
function rowsBelow(text: string, heading: string, withHead = false): readonly (readonly string[])[] {
  const lines = text.slice(text.indexOf(`${heading}\n`)).split("\n");
  const from = lines.findIndex((line) => line.startsWith("|"));
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  const cells = rest
    .slice(0, end)
    .map((line) => line.replaceAll("\\|", "¦").split("|").slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()));
  return [...(withHead ? cells.slice(0, 1) : []), ...cells.slice(2)];
}

const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(/([\d.,]+)×/g)].map(([, number]) => Number(number!.replaceAll(",", "")));

const WIDTH = 760;
const ROW = 24;
/** Where the bars' room begins and ends. */
const [LEFT, RIGHT] = [190, WIDTH - 90];
/** The smallest and the largest ratio that is shown, as powers of ten. */
const [LEAST, MOST] = [-1.4, 3.4];

const at = (ratio: number): number => LEFT + ((Math.log10(ratio) - LEAST) / (MOST - LEAST)) * (RIGHT - LEFT);

function svg(groups: readonly Group[]): string {
  const drawn: string[] = [];
  const one = at(1).toFixed(1);
  let y = 24;
  for (const { title, bars } of groups) {
    drawn.push(`<text x="20" y="${y}" class="title">${title}</text>`);
    y += 12;
    const bottom = y + bars.length * ROW;
    drawn.push(`<line x1="${one}" x2="${one}" y1="${y}" y2="${bottom}" class="one"/>`);
    for (const [index, bar] of bars.entries()) drawn.push(...drawBar(bar, y + index * ROW));
    y = bottom + 28;
  }
  const height = y + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Ratios of configc to what it is measured against, on a logarithmic scale">
<style>text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.bar{fill:#4b73c9}.over{fill:#c9734b}.budget{stroke:#24292f;stroke-width:2}.one{stroke:#8c959f;stroke-dasharray:3 3}</style>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>
${drawn.join("\n")}
<text x="20" y="${height - 10}">Dashed: as long as the reference. A thick line: the budget. Orange: over it.</text>
</svg>
`;
}

function drawBar({ name, ratio, budget }: Bar, y: number): readonly string[] {
  const [from, to] = [at(1), at(ratio)].sort((a, b) => a - b) as [number, number];
  const isOver = budget !== undefined && ratio > budget;
  const number = `${ratio.toLocaleString("en")}×`;
  return [
    `<text x="${LEFT - 12}" y="${y + 16}" text-anchor="end">${name}</text>`,
    `<rect x="${from.toFixed(1)}" y="${y + 4}" width="${(to - from).toFixed(1)}" height="${ROW - 8}" class="${isOver ? "over" : "bar"}"/>`,
    ...(budget === undefined
      ? []
      : [
          `<line x1="${at(budget).toFixed(1)}" x2="${at(budget).toFixed(1)}" y1="${y + 1}" y2="${y + ROW - 1}" class="budget"/>`,
        ]),
    `<text x="${(Math.max(to, at(budget ?? ratio)) + 8).toFixed(1)}" y="${y + 16}">${number}</text>`,
  ];
}
