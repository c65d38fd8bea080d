import { Graph as LayoutGraph, layout as runLayout } from "@dagrejs/dagre";
import type { Graph, GraphEdge } from "../graph.ts";
import { columnsOf } from "../text.ts";
import { type Card, cardOf, sizes } from "./measure.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedCard extends Card {
  /** Of the left upper corner. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly edge: GraphEdge;
  /** From the border of one card to that of the other. */
  readonly points: readonly Point[];
  /** The middle of the label. */
  readonly label: (Point & { readonly width: number }) | undefined;
}

interface Layout {
  readonly cards: readonly PlacedCard[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Around the picture, in pixels. */
export const MARGIN = 24;

/** Places cards in columns from left to right, so that lines cross little. */
export function layOutGraph({ nodes, edges }: Graph): Layout {
  const graph = new LayoutGraph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 28, ranksep: 104, edgesep: 18, marginx: MARGIN, marginy: MARGIN });
  const cards = nodes.map(cardOf);
  for (const { node, width, height } of cards) graph.setNode(node.id, { width, height });
  for (const [index, { from, to, label }] of edges.entries()) {
    const width = label === undefined ? 0 : columnsOf(label) * sizes.character + 12;
    graph.setEdge(from, to, { width, height: label === undefined ? 0 : 18, labelpos: "c" }, `${index}`);
  }
  runLayout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const laid = new Map(cards.map(({ node }) => [node.id, graph.node(node.id) as Partial<Point>]));
  const isMirrored = isUpsideDown(cards.filter(isTall).map(({ node }) => laid.get(node.id)?.y ?? 0));
  const mirror = <P extends Partial<Point>>(point: P): P =>
    isMirrored && point.y !== undefined ? { ...point, y: height - point.y } : point;
  const centres = new Map([...laid].map(([id, centre]) => [id, mirror(centre)]));
  const columnOf = ({ node }: Card): number => Math.round(centres.get(node.id)?.x ?? 0);
  const widths = new Map<number, number>();
  for (const card of cards.filter(isTall))
    widths.set(columnOf(card), Math.max(card.width, widths.get(columnOf(card)) ?? 0));
  const placed = new Map(
    cards.map((card) => {
      const { x = 0, y = 0 } = centres.get(card.node.id) ?? {};
      // A column is as wide as its widest card: the others can be as well, and stand in line.
      const width = isTall(card) ? (widths.get(columnOf(card)) ?? card.width) : card.width;
      return [card.node.id, { ...card, width, x: x - width / 2, y: y - card.height / 2 }];
    }),
  );
  return {
    cards: [...placed.values()],
    edges: edges.map((edge, index) => {
      const { points = [], ...line } = graph.edge(edge.from, edge.to, `${index}`) as LaidEdge;
      return placeEdge(edge, { ...mirror(line), points: points.map(mirror) }, placed);
    }),
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}

/**
 * Whether most of what stands below something else in the document stands above it in the picture: that lines cross little says
 * nothing of above and below.
 */
function isUpsideDown(heights: readonly number[]): boolean {
  let balance = 0;
  for (const [index, height] of heights.entries())
    for (const before of heights.slice(0, index)) balance += Math.sign(height - before);
  return balance < 0;
}

/** What lists steps; the others are small. */
function isTall({ node }: Card): boolean {
  return node.kind === "intake" || node.kind === "workflow";
}

/** A line as the library lays it, with the place of its label. */
interface LaidEdge extends Partial<Point> {
  readonly points?: readonly Point[];
  readonly width?: number;
}

function placeEdge(
  edge: GraphEdge,
  { points = [], x, y, width = 0 }: LaidEdge,
  cards: ReadonlyMap<string, PlacedCard>,
): PlacedEdge {
  const label = edge.label === undefined || x === undefined || y === undefined ? undefined : { x, y, width };
  const inner = points.slice(1, -1);
  const from = cards.get(edge.from);
  const to = cards.get(edge.to);
  if (from === undefined || to === undefined) return { edge, points, label };
  // From the middle of one side to the middle of the other: a card has one door in and one out.
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  // Between neighbouring columns nothing is in the way: a point on the way there would only be a bend.
  const unlabelled = inner.length === 1 ? [] : inner;
  const through = label === undefined ? unlabelled : withoutNear(inner, label);
  const ordered = [start, ...through, end];
  const forward = ordered.every((point, index) => index === 0 || point.x >= ordered[index - 1]!.x);
  return { edge, points: forward ? ordered : points, label };
}

/** The points of a line that has to pass through its label: near it the label alone counts, and the line is level behind it. */
function withoutNear(points: readonly Point[], { x, y, width }: Point & { readonly width: number }): Point[] {
  const before = points.filter((point) => point.x < x - width);
  const after = points.filter((point) => point.x > x + width);
  return [...before, { x: x - width / 2, y }, { x: x + width / 2, y }, ...after];
}
