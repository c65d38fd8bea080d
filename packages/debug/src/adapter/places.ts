import type { App, Model, Range } from "@configc/compiler";
import { findNode, pointerTo, spanOf } from "@configc/compiler/internal";
import { expansionsOf } from "../stages/expansions.ts";
import { stagesOf } from "../stages/places.ts";

/** A place in a config at which a run can stop. */
interface StopPlace {
  /** JSON Pointer of the command. */
  readonly pointer: string;
  /** Number of a stage of its program, or else of an expansion in its argument. */
  readonly stage?: number;
  /** UTF-16 offsets in the text: of the command's key, or of the stage or expansion. */
  readonly start: number;
  readonly end: number;
}

/** A part of a command, by UTF-16 offsets in its program or in the config. */
interface InCommand {
  readonly inProgram?: { readonly start: number; readonly end: number };
  readonly inConfig?: { readonly start: number; readonly end: number };
}

interface CommandPlace extends StopPlace {
  /** Of the command with all that is in it. */
  readonly whole: { readonly start: number; readonly end: number };
}

/** A stage or an expansion of a command, where it stands in the text. */
interface Part {
  readonly index: number;
  readonly span: { readonly start: number; readonly end: number };
}

/** Where the stops of a run stand in a config, and what stands at a line of it. Lines and columns count from 1. */
export class Places {
  private readonly model: Model;
  private readonly commands: ReadonlyMap<string, CommandPlace>;
  private readonly parts = new Map<string, readonly Part[]>();
  private readonly app: App;

  constructor(model: Model, app: App) {
    this.model = model;
    this.app = app;
    const commands = model.commands.map(({ node, member }): CommandPlace => {
      const { start, end } = member.key;
      return { pointer: pointerTo(node), start, end, whole: { start: node.start, end: node.end } };
    });
    this.commands = new Map(commands.map((each) => [each.pointer, each]));
  }

  get text(): string {
    return this.model.document.text;
  }

  /** Where something that a frame names stands: a command by its key, a part of a program, any other node by its beginning. */
  rangeOf(pointer: string, { inProgram, inConfig }: InCommand = {}): Range {
    if (inConfig !== undefined) return this.range(inConfig);
    if (inProgram !== undefined) {
      const span = this.spanInProgram(pointer, inProgram);
      if (span !== undefined) return this.range(span);
    }
    const command = this.commands.get(pointer);
    if (command !== undefined) return this.range(command);
    const found = findNode(this.model, pointer);
    const start = "node" in found ? found.node.start : 0;
    return this.range({ start, end: start });
  }

  /** All places that begin in some lines. */
  within(line: number, endLine = line): readonly (StopPlace & { readonly range: Range })[] {
    return this.all(line, endLine).sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /**
   * The place that a person means by a line, or by a column in it: a stage or an expansion there, the command whose key stands there, the
   * first expansion of the line, or else the command that the line belongs to.
   */
  at(line: number, column?: number): (StopPlace & { readonly range: Range }) | undefined {
    const there = this.within(line);
    if (column !== undefined) {
      const exact = there.filter(({ range }) => range.start.column === column);
      const offset = this.offset(line, column);
      const inside = there.filter(({ start, end }) => start <= offset && offset < end);
      const innermost = exact.at(-1) ?? inside.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
      if (innermost !== undefined) return innermost;
    }
    const command = there.find(({ stage }) => stage === undefined);
    if (command !== undefined) return command;
    const expansion = there.find(({ pointer }) => this.app.commands[pointer]?.program === undefined);
    if (expansion !== undefined) return expansion;
    const around = this.commandAround(line);
    return around === undefined ? undefined : { ...around, range: this.range(around) };
  }

  /** The innermost command around the first character of a line. */
  commandAround(line: number): StopPlace | undefined {
    const start = this.offset(line, 1);
    const rest = this.text.slice(start).search(/\S/);
    const offset = start + Math.max(rest, 0);
    let best: CommandPlace | undefined;
    for (const each of this.commands.values()) {
      const { whole } = each;
      if (whole.start > offset || whole.end <= offset) continue;
      if (best === undefined || whole.end - whole.start <= best.whole.end - best.whole.start) best = each;
    }
    return best === undefined ? undefined : { pointer: best.pointer, start: best.start, end: best.end };
  }

  private all(line: number, endLine: number): (StopPlace & { readonly range: Range })[] {
    const [from, to] = [this.offset(line, 1), this.offset(endLine + 1, 1)];
    const result: (StopPlace & { readonly range: Range })[] = [];
    for (const { whole, ...command } of this.commands.values()) {
      if (whole.end < from || whole.start > to) continue;
      const range = this.range(command);
      const isThere = (at: Range): boolean => at.start.line >= line && at.start.line <= endLine;
      if (isThere(range)) result.push({ ...command, range });
      for (const { index, span } of this.partsOf(command.pointer)) {
        if (span === undefined || span.end < from || span.start > to) continue;
        const at = this.range(span);
        if (isThere(at)) result.push({ pointer: command.pointer, stage: index, ...span, range: at });
      }
    }
    return result;
  }

  private partsOf(pointer: string): readonly Part[] {
    let parts = this.parts.get(pointer);
    if (parts === undefined) {
      const command = this.app.commands[pointer];
      const { program } = command ?? {};
      if (command === undefined) parts = [];
      else if (program === undefined)
        parts = expansionsOf(command).map(({ index, expansion: { span } }) => ({ index, span }));
      else
        parts = stagesOf(program).flatMap(({ index, start, end }) => {
          const span = this.spanInProgram(pointer, { start, end });
          return span === undefined ? [] : [{ index, span }];
        });
      this.parts.set(pointer, parts);
    }
    return parts;
  }

  private spanInProgram(
    pointer: string,
    { start, end }: { readonly start: number; readonly end: number },
  ): { readonly start: number; readonly end: number } | undefined {
    const command = this.model.commands.find(({ node }) => pointerTo(node) === pointer);
    const node = command?.program?.node;
    return node === undefined ? undefined : spanOf(this.model.document, { node, from: start, to: end });
  }

  private range({ start, end }: { readonly start: number; readonly end: number }): Range {
    const { document } = this.model;
    return { start: document.position(start), end: document.position(end) };
  }

  private offset(line: number, column: number): number {
    const { lines } = this.model.document;
    if (line > lines.lineCount) return this.text.length;
    return Math.min(lines.lineStart(line) + column - 1, this.text.length);
  }
}
