import type { GraphNode, GraphRow } from "../graph.ts";
import { columnsOf, cut, DETAIL_COLUMNS } from "../text.ts";

/** Sizes in pixels. Texts aren't measured: rows are set in a fixed width, so that their width is known without a browser. */
export const sizes = {
  /** Of a character at the size of rows, and of titles. */
  character: 6.65,
  titleCharacter: 8.7,
  line: 17,
  rowGap: 7,
  padding: 14,
  header: 48,
  nameGap: 16,
  nameColumns: 22,
  titleColumns: 44,
} as const;

/** A row as it is drawn. */
interface LaidRow {
  readonly row: GraphRow;
  readonly name: string;
  readonly lines: readonly string[];
  /** From the top of the card. */
  readonly y: number;
  readonly height: number;
}

/** A card as it is drawn. */
export interface Card {
  readonly node: GraphNode;
  readonly title: string;
  readonly subtitle: string;
  readonly rows: readonly LaidRow[];
  /** Where details begin. */
  readonly detailsX: number;
  readonly width: number;
  readonly height: number;
}

export function cardOf(node: GraphNode): Card {
  const { padding, header, line, rowGap, character, titleCharacter, nameGap } = sizes;
  const rows: LaidRow[] = [];
  let y: number = header;
  for (const row of node.rows) {
    const lines = row.details.map((text) => cut(text, DETAIL_COLUMNS));
    const height = Math.max(1, lines.length) * line + rowGap;
    rows.push({ row, name: cut(row.name, sizes.nameColumns), lines, y, height });
    y += height;
  }
  const nameWidth = Math.max(0, ...rows.map(({ name }) => columnsOf(name))) * character;
  const lineWidth = Math.max(0, ...rows.flatMap(({ lines }) => lines.map(columnsOf))) * character;
  const title = cut(node.title, sizes.titleColumns);
  const subtitle = cut(node.subtitle, sizes.titleColumns);
  const rowsWidth = nameWidth + (lineWidth === 0 ? 0 : nameGap + lineWidth);
  const headWidth = Math.max(columnsOf(title) * titleCharacter, columnsOf(subtitle) * character);
  return {
    node,
    title,
    subtitle,
    rows,
    detailsX: padding + nameWidth + nameGap,
    width: Math.ceil(Math.max(rowsWidth, headWidth, 90) + 2 * padding),
    height: y + (rows.length === 0 ? 4 : rowGap),
  };
}
