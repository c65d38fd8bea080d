import type { ParserState } from "../parser-state.ts";
import type { ArrayNode, ObjectNode } from "../syntax-tree.ts";
import type { Layout, Line } from "./layout.ts";
import { LineRepair } from "./repair-line.ts";
import type { ReplayingScanner } from "./replaying-scanner.ts";

/**
 * A careful reading of the document's lines: repairs the slips with quotes in each, and heeds their indentation if it is asked to.
 */
export class LineRecovery {
  private line: Line | undefined = undefined;
  /** Up to where the line has been looked at, if there may be another slip behind it. */
  private repairedTo = Number.POSITIVE_INFINITY;
  private readonly state: ParserState;
  private readonly layout: Layout;
  private readonly scanner: ReplayingScanner;
  private readonly repairs: LineRepair;
  private readonly heedsIndentation: boolean;

  constructor(
    state: ParserState,
    layout: Layout,
    scanner: ReplayingScanner,
    jsonc: boolean,
    heedsIndentation: boolean,
  ) {
    this.state = state;
    this.layout = layout;
    this.scanner = scanner;
    this.repairs = new LineRepair(state.text, jsonc);
    this.heedsIndentation = heedsIndentation;
  }

  /** At each token: true if the line was repaired, so that its tokens are to be read anew. */
  beginLine(): boolean {
    const { offset } = this.scanner;
    const line = this.layout.at(offset);
    if (line.start === this.line?.start) return offset >= this.repairedTo && this.repair(offset);
    const first = this.line === undefined;
    this.line = line;
    this.repairedTo = Number.POSITIVE_INFINITY;
    if (line.first !== offset) return false;
    if (this.heedsIndentation && !first) this.closeByIndentation(line);
    return this.repair(offset);
  }

  /** Repairs a line from a token on: of a long one, the next slip. */
  private repair(offset: number): boolean {
    const { state } = this;
    const repaired = this.repairs.repair(
      offset,
      state.containers.map(({ kind }) => kind),
      state.expect,
    );
    this.repairedTo = Number.POSITIVE_INFINITY;
    if (repaired === undefined) return false;
    state.problems.push(repaired.problem);
    this.scanner.replay(repaired);
    this.repairedTo = repaired.end;
    return true;
  }

  /** Closes the containers that this line, by its indentation, stands outside of. */
  private closeByIndentation({ first, indentation }: Line): void {
    const { state } = this;
    const { text, openLines } = state;
    const closes = text[first] === "}" || text[first] === "]";
    for (;;) {
      const open = openLines[openLines.length - 1];
      if (open === undefined || openLines.length === 1 || open.flat) return;
      if (!open.entered) {
        open.entered = true;
        // Nothing stands in it yet: without indentation inside, its layout tells nothing.
        if (indentation <= open.line.indentation && !closes && state.isEmpty()) {
          open.flat = true;
          return;
        }
      }
      if (closes ? indentation >= open.line.indentation : indentation > open.line.indentation) return;
      if (closes && !openLines.some(({ line }) => line.indentation === indentation)) return;
      const separated = state.lastComma !== undefined;
      if (state.expect === "colon" || state.expect === "value") state.missingValue();
      state.unclosed(state.container!);
      state.pop(state.lastEnd);
      // The comma after the last member, or the one that was lost with the bracket, stands for the one that follows it.
      if (!closes && (separated || text[first] !== ",")) {
        state.expect = state.container!.kind === "object" ? "name" : "value";
      }
    }
  }

  /** Whether what follows a closing bracket shows that the container isn't at its end. */
  isStrayCloser(container: ObjectNode | ArrayNode): boolean {
    const { layout, state } = this;
    if (!this.heedsIndentation) return false;
    const open = state.openLines[state.containers.indexOf(container)]!;
    if (open.flat || open.line.start === layout.at(this.scanner.offset).start) return false;
    const next = layout.next(this.scanner.end);
    if (next === undefined) return false;
    return next.indentation > open.line.indentation;
  }
}
