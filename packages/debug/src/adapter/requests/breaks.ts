import type { DebugProtocol } from "@vscode/debugprotocol";
import { isWatchable } from "../breakpoints.ts";
import type { ClientSession } from "../client-session.ts";
import type { Handlers } from "./handlers.ts";

/** Where a run is to stop. */
export function breakRequests(session: ClientSession): Handlers {
  const { breakpoints } = session;
  return {
    setBreakpoints: (args: DebugProtocol.SetBreakpointsArguments) => setBreakpoints(session, args),
    setExceptionBreakpoints: async ({ filters = [] }: DebugProtocol.SetExceptionBreakpointsArguments) => {
      const answers = breakpoints.setFilters(filters);
      await session.sendBreakpoints();
      return { breakpoints: answers };
    },
    dataBreakpointInfo: (args: DebugProtocol.DataBreakpointInfoArguments) => dataInfo(session, args),
    setDataBreakpoints: async ({ breakpoints: asked = [] }: DebugProtocol.SetDataBreakpointsArguments) => {
      const answers = breakpoints.setWatched(asked);
      await session.sendBreakpoints();
      return { breakpoints: answers };
    },
    breakpointLocations: (args: DebugProtocol.BreakpointLocationsArguments) => locations(session, args),
  };
}

async function setBreakpoints(
  session: ClientSession,
  { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
): Promise<object> {
  const places = session.placesOf(source);
  if (places === undefined)
    return {
      breakpoints: breakpoints.map(() => ({ verified: false, message: "Another config is debugged." })),
    };
  const { positions } = session;
  const asked = breakpoints.map((each) => ({
    ...each,
    line: positions.fromLine(each.line),
    ...(each.column === undefined ? {} : { column: positions.fromColumn(each.column) }),
  }));
  const answers = session.breakpoints.set(places, asked);
  await session.sendBreakpoints();
  return {
    breakpoints: answers.map((answer) => ({
      ...answer,
      ...(answer.line === undefined ? {} : { line: positions.line(answer.line) }),
      ...(answer.column === undefined ? {} : { column: positions.column(answer.column) }),
      ...(answer.endLine === undefined ? {} : { endLine: positions.line(answer.endLine) }),
      ...(answer.endColumn === undefined ? {} : { endColumn: positions.column(answer.endColumn) }),
    })),
  };
}

function locations(
  session: ClientSession,
  { source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
): object {
  const { positions } = session;
  const places = session.placesOf(source);
  const found = places?.within(positions.fromLine(line), positions.fromLine(endLine)) ?? [];
  const seen = new Set<number>();
  return {
    breakpoints: found.flatMap(({ range, start }) => {
      if (seen.has(start)) return [];
      seen.add(start);
      return [{ line: positions.line(range.start.line), column: positions.column(range.start.column) }];
    }),
  };
}

async function dataInfo(
  session: ClientSession,
  { variablesReference, name }: DebugProtocol.DataBreakpointInfoArguments,
): Promise<object> {
  let path = name;
  if (variablesReference !== undefined) {
    const values = await session.standing().ask("variables", variablesReference);
    path = values.find((each) => each.name === name)?.expression ?? name;
  }
  const dataId = path.replace(/^\$/, "");
  if (isWatchable(dataId))
    return { dataId, description: `when ${dataId} is saved with another value`, accessTypes: ["write"] };
  return {
    dataId: null,
    description: "Only keys of the polling state and of what is saved can be waited for.",
  };
}
