import { type ColorName, parseAnsi, type Run } from "./ansi.ts";

const CHARACTER = 8.4;
const LINE = 19;
const FONT = 14;
const MARGIN = 20;
const BAR = 36;

const palette: Readonly<Record<ColorName, string>> = {
  black: "#3b4252",
  red: "#ff7b85",
  green: "#8fd694",
  yellow: "#f2c97d",
  blue: "#7db7ff",
  magenta: "#d6a3ff",
  cyan: "#74d7e0",
  white: "#dfe4ee",
  "bright-black": "#8d97a8",
  "bright-red": "#ff9aa2",
  "bright-green": "#aae6ae",
  "bright-yellow": "#ffdf9e",
  "bright-blue": "#a3ccff",
  "bright-magenta": "#e4c3ff",
  "bright-cyan": "#9fe8ee",
  "bright-white": "#ffffff",
};

export interface TerminalPicture {
  readonly command: string;
  /** With colours, as a terminal gets it. */
  readonly output: string;
  /** Width in characters. */
  readonly columns: number;
  /** For people who can't see the picture. */
  readonly description: string;
}

/** A picture of a terminal as an SVG without scripts, styles or fonts of its own. Deterministic. */
export function terminalSvg({ command, output, columns, description }: TerminalPicture): string {
  const lines = parseAnsi(
    `\x1b[90m$\x1b[0m \x1b[1m${command}\x1b[0m\n${output.replace(/\n+$/, "")}`,
    columns,
  );
  const width = Math.round(columns * CHARACTER + 2 * MARGIN);
  const height = BAR + lines.length * LINE + 2 * MARGIN - 6;
  const text = lines.flatMap((runs, index) =>
    runs.map((run) => runText(run, BAR + MARGIN + index * LINE + 4)),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(description)}">`,
    `<title>${escaped(description)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="#161b26"/>`,
    `<path d="M0 ${BAR}V10a10 10 0 0 1 10-10h${width - 20}a10 10 0 0 1 10 10v${BAR - 10}z" fill="#232a39"/>`,
    ...["#ff6b6b", "#f5c451", "#61c46e"].map(
      (fill, index) => `<circle cx="${MARGIN + 2 + index * 20}" cy="${BAR / 2}" r="6" fill="${fill}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT}" fill="${palette.white}" xml:space="preserve">`,
    ...text.filter((line) => line !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Each run has its place and its length, so that carets stand below what they mean in any font. */
function runText({ text, column, color, bold, dim, italic, underline }: Run, y: number): string {
  if (text.trim() === "") return "";
  const lead = text.length - text.trimStart().length;
  const shown = text.trim();
  const attributes = [
    `x="${round(MARGIN + (column + lead) * CHARACTER)}" y="${y}"`,
    `textLength="${round([...shown].length * CHARACTER)}" lengthAdjust="spacingAndGlyphs"`,
    color === undefined ? "" : `fill="${palette[color]}"`,
    bold ? 'font-weight="bold"' : "",
    dim ? 'opacity="0.65"' : "",
    italic ? 'font-style="italic"' : "",
    underline ? 'text-decoration="underline"' : "",
  ].filter((part) => part !== "");
  return `<text ${attributes.join(" ")}>${escaped(shown)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
