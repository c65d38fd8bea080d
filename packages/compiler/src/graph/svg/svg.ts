import type { EdgeKind, Graph, Source } from "../graph.ts";
import { columnsOf } from "../text.ts";
import { layOutGraph, MARGIN, type PlacedCard, type PlacedEdge, type Point } from "./layout.ts";
import { sizes } from "./measure.ts";
import { style } from "./style.ts";

export interface SvgOptions {
  /** What the picture shows, for those who hear it; the app's file name, say. */
  readonly title?: string;
}

/**
 * A graph as a picture that needs nothing else: no script, no font, no style sheet. It follows the reader's light or dark.
 *
 * Cards and rows that stand in the document carry `data-pointer` (JSON Pointer), `data-start` and `data-end` (UTF-16 offsets),
 * for an editor that jumps there.
 */
export function toSvg(graph: Graph, { title = "Integration app" }: SvgOptions = {}): string {
  const { cards, edges, ...size } = layOutGraph(graph);
  const key = legend(graph);
  // An app with nothing in it is an empty sheet, not a picture of no size.
  const width = Math.max(size.width, key.width, 48);
  const height = Math.max(size.height, 48) + key.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(described(graph))}</desc>`,
    `<style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="arrow" d="M 0 1 L 10 5 L 0 9 z"/></marker></defs>',
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...edges.map(edgeSvg),
    ...cards.map(cardSvg),
    ...edges.map(labelSvg),
    key.at(height),
    "</svg>\n",
  ].join("\n");
}

/** The picture in words, for those who hear it: each line of it a sentence. */
function described({ nodes, edges }: Graph): string {
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return edges
    .map(({ from, to, kind, label }) => {
      const what = label === undefined || label === kind ? kind : `${kind}: ${label}`;
      return `From ${titles.get(from)} to ${titles.get(to)} (${what}).`;
    })
    .join(" ");
}

/** What the kinds of lines mean, as far as the picture has them. */
const meanings: readonly (readonly [string, readonly EdgeKind[], string])[] = [
  ["data", ["data"], "data flows"],
  ["requests", ["requests"], "asked for more"],
  ["saves", ["saves", "reads"], "kept and read again"],
];

/** Stands below the picture, on the left. */
function legend({ edges }: Graph) {
  const shown = meanings.filter(([, kinds]) => edges.some(({ kind }) => kinds.includes(kind)));
  // Who sees data flow only needs no key.
  if (shown.every(([name]) => name === "data")) return { width: 0, height: 0, at: () => "" };
  const line = 30;
  let x = MARGIN;
  const parts = shown.map(([name, , meaning]) => {
    const part = `<path class="edge ${name}" d="M ${round(x)} 0 h ${line}"/>${text(x + line + 8, 4, "key", meaning)}`;
    x += line + 8 + columnsOf(meaning) * sizes.character + 22;
    return part;
  });
  return {
    width: Math.ceil(x),
    height: 22,
    at: (bottom: number) => `<g transform="translate(0 ${round(bottom - MARGIN)})">${parts.join("")}</g>`,
  };
}

function cardSvg({ node, x, y, width, height, title, subtitle, rows, detailsX }: PlacedCard): string {
  const { padding, header } = sizes;
  const radius = 9;
  const head =
    rows.length === 0
      ? `<rect class="head" width="${width}" height="${height}" rx="${radius}"/>`
      : `<path class="head" d="M 0 ${header - 6} V ${radius} Q 0 0 ${radius} 0 H ${width - radius} Q ${width} 0 ${width} ${radius} V ${header - 6} Z"/>`;
  return [
    `<g class="card ${node.kind}" transform="translate(${round(x)} ${round(y)})"${sourceAttributes(node.source)}>`,
    `<title>${escaped(`${node.title} (${node.subtitle})`)}</title>`,
    `<rect class="body" width="${width}" height="${height}" rx="${radius}"/>`,
    head,
    `<rect class="frame" width="${width}" height="${height}" rx="${radius}"/>`,
    `<rect class="bar" y="10" width="4" height="${header - 24}" rx="2"/>`,
    text(padding, 20, "title", title),
    text(padding, 35, "subtitle", subtitle),
    ...rows.map(({ row, name, lines, y: top, height: rowHeight }) =>
      [
        `<g${sourceAttributes(row.source)}>`,
        `<title>${escaped([row.name, ...row.details].join("\n"))}</title>`,
        `<rect class="hit" x="4" y="${top - 2}" width="${width - 8}" height="${rowHeight - 2}" rx="4"/>`,
        text(padding, top + 12, "name", name),
        ...lines.map((line, index) => text(detailsX, top + 12 + index * sizes.line, "detail", line)),
        "</g>",
      ].join(""),
    ),
    "</g>",
  ].join("\n");
}

function edgeSvg({ edge, points }: PlacedEdge): string {
  return `<path class="edge ${edge.kind}" d="${curve(points)}" marker-end="url(#arrow)"/>`;
}

function labelSvg({ edge, label }: PlacedEdge): string {
  if (edge.label === undefined || label === undefined) return "";
  const { x, y, width } = label;
  return `<rect class="label-paper" x="${round(x - width / 2)}" y="${round(y - 8)}" width="${round(width)}" height="15" rx="4"/>${text(x, y + 4, "label", edge.label)}`;
}

/** A smooth line through points, level at each of them: data flows from left to right. */
function curve(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  const at = (x: number, y: number) => `${round(x)} ${round(y)}`;
  let path = `M ${at(first.x, first.y)}`;
  let from = first;
  for (const to of others) {
    const middle = (from.x + to.x) / 2;
    path += ` C ${at(middle, from.y)} ${at(middle, to.y)} ${at(to.x, to.y)}`;
    from = to;
  }
  return path;
}

function sourceAttributes(source: Source | undefined): string {
  if (source === undefined) return "";
  const { pointer, span } = source;
  return ` data-pointer="${escaped(pointer)}" data-start="${span.start}" data-end="${span.end}"`;
}

function text(x: number, y: number, className: string, content: string): string {
  return `<text class="${className}" x="${round(x)}" y="${round(y)}">${escaped(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** XML has no control characters and no lone surrogates, not even escaped. */
function escaped(content: string): string {
  return content
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
