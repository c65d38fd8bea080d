import { parseExpansions } from "@configc/compiler/internal";
import { compile, parse, walk } from "@configc/jq";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { SentBreakpoints } from "../session/messages.ts";
import type { Breakpoint, ExceptionFilter, WatchedValue } from "../stop/breakpoint.ts";
import { countCondition } from "../stop/matching.ts";
import type { Places } from "./places.ts";

const filters: ReadonlySet<string> = new Set<ExceptionFilter>(["failure", "http", "writes"]);

/** The breakpoints that a client has set, as places of the config. */
export class ClientBreakpoints {
  private commands: readonly Breakpoint[] = [];
  private filters: readonly ExceptionFilter[] = [];
  private watched: readonly WatchedValue[] = [];
  private last = 0;

  get sent(): SentBreakpoints {
    return { commands: this.commands, filters: this.filters, watched: this.watched };
  }

  /** @returns one answer for each, in their order. Lines and columns count from 1. */
  set(places: Places, asked: readonly DebugProtocol.SourceBreakpoint[]): DebugProtocol.Breakpoint[] {
    const commands: Breakpoint[] = [];
    const answers = asked.map(
      ({ line, column, condition, hitCondition, logMessage }): DebugProtocol.Breakpoint => {
        const id = ++this.last;
        const place = places.at(line, column);
        if (place === undefined)
          return { id, verified: false, line, message: "There is no command here, and none around it." };
        const problem =
          problemOf(condition, "condition") ??
          problemOf(hitCondition === undefined ? undefined : countCondition(hitCondition), "hit count");
        if (problem !== undefined) return { id, verified: false, line, message: problem };
        const { pointer, stage, range } = place;
        commands.push({
          id,
          pointer,
          ...(stage === undefined ? {} : { stage }),
          ...(condition === undefined || condition === "" ? {} : { condition }),
          ...(hitCondition === undefined || hitCondition === "" ? {} : { hitCondition }),
          ...(logMessage === undefined || logMessage === "" ? {} : { logMessage }),
        });
        return {
          id,
          verified: true,
          line: range.start.line,
          column: range.start.column,
          endLine: range.end.line,
          endColumn: range.end.column,
          ...(range.start.line === line
            ? {}
            : { message: "It stops before the command that this line belongs to." }),
        };
      },
    );
    this.commands = commands;
    return answers;
  }

  setFilters(asked: readonly string[]): DebugProtocol.Breakpoint[] {
    this.filters = asked.filter((each): each is ExceptionFilter => filters.has(each));
    return asked.map((each) =>
      filters.has(each) ? { verified: true } : { verified: false, message: `There is no filter “${each}”.` },
    );
  }

  setWatched(asked: readonly DebugProtocol.DataBreakpoint[]): DebugProtocol.Breakpoint[] {
    const watched: WatchedValue[] = [];
    const answers = asked.map(({ dataId }): DebugProtocol.Breakpoint => {
      const id = ++this.last;
      if (!isWatchable(dataId)) return { id, verified: false, message: `Changes of ${dataId} aren't told.` };
      watched.push({ id, path: dataId.split(".") });
      return { id, verified: true };
    });
    this.watched = watched;
    return answers;
  }
}

/** Whether changes of a value can be waited for: of a key of the polling state, or of what is saved. */
export function isWatchable(path: string): boolean {
  return (
    /^polling_state\.[^.]+$/.test(path) || /^data\.(?:workflow|connection|application)\.[^.]+$/.test(path)
  );
}

function problemOf(text: string | undefined, what: string): string | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const holes = parseExpansions(text);
  const variables = new Set<string>();
  walk(parse(text, { holes }).program, {
    enter(node) {
      if (node.kind === "Variable") variables.add(node.name);
      return undefined;
    },
  });
  const { filter } = compile(text, { holes, variables: [...variables] });
  return filter === undefined ? `The ${what} isn't a jq expression: ${text}` : undefined;
}
