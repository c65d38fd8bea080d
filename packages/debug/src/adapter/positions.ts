import type { Range } from "@configc/compiler";

/** Lines and columns as the client counts them; ours count from 1. */
export class ClientPositions {
  private lineBase = 1;
  private columnBase = 1;

  /** @param bases whether the client counts from 1 */
  use({ linesStartAt1 = true, columnsStartAt1 = true }: Bases): void {
    this.lineBase = linesStartAt1 ? 1 : 0;
    this.columnBase = columnsStartAt1 ? 1 : 0;
  }

  line(line: number): number {
    return line - 1 + this.lineBase;
  }

  column(column: number): number {
    return column - 1 + this.columnBase;
  }

  fromLine(line: number): number {
    return line - this.lineBase + 1;
  }

  fromColumn(column: number): number {
    return column - this.columnBase + 1;
  }

  /** Characters before a column. */
  before(column: number): number {
    return column - this.columnBase;
  }

  /** Members of a frame; at the beginning where its place isn't known. */
  ofFrame(range: Range | undefined) {
    return {
      line: this.line(range?.start.line ?? 1),
      column: this.column(range?.start.column ?? 1),
      endLine: this.line(range?.end.line ?? 1),
      endColumn: this.column(range?.end.column ?? 1),
    };
  }
}

interface Bases {
  readonly linesStartAt1?: boolean;
  readonly columnsStartAt1?: boolean;
}
