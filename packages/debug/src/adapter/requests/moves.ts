import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Move } from "../../stop/control.ts";
import type { Position } from "../../stop/position.ts";
import type { Step } from "../../stop/timeline.ts";
import type { ClientSession } from "../client-session.ts";
import type { Handlers } from "./handlers.ts";

const moves: Readonly<Record<string, Move>> = {
  continue: { kind: "continue" },
  reverseContinue: { kind: "reverse" },
  next: { kind: "step", step: "over" },
  stepIn: { kind: "step", step: "in" },
  stepOut: { kind: "step", step: "out" },
};

/** How a run goes on, and back. */
export function moveRequests(session: ClientSession): Handlers {
  /** Places that the client was offered to go to, by their ids. */
  const targets = new Map<number, Position>();
  const moving = Object.entries(moves).map(([command, move]) => [
    command,
    async () => {
      await session.standing().ask("move", move);
      return command === "continue" ? { allThreadsContinued: true } : {};
    },
  ]);
  return {
    ...(Object.fromEntries(moving) as Handlers),
    stepBack: async ({ granularity }: DebugProtocol.StepBackArguments) => {
      // A program that is gone through stage by stage is gone back through in the same way.
      const isInside = session.arrival?.position.stage !== undefined;
      const step: Step = granularity === "instruction" || isInside ? "in" : "over";
      await session.standing().ask("move", { kind: "back", step });
    },
    restartFrame: ({ frameId }: DebugProtocol.RestartFrameArguments) =>
      session.standing().restart(session.frame(frameId)),
    gotoTargets: async (args: DebugProtocol.GotoTargetsArguments) => ({
      targets: await targetsOf(session, args, targets),
    }),
    goto: async ({ targetId }: DebugProtocol.GotoArguments) => {
      const position = targets.get(targetId);
      if (position === undefined) throw new Error("There is no such place to go to.");
      await session.standing().ask("move", { kind: "goto", position });
    },
    pause: () => {
      if (session.run === undefined) throw new Error("Nothing runs yet.");
      session.run.pause();
    },
  };
}

async function targetsOf(
  session: ClientSession,
  { source, line, column }: DebugProtocol.GotoTargetsArguments,
  targets: Map<number, Position>,
): Promise<readonly DebugProtocol.GotoTarget[]> {
  const { positions } = session;
  const place = session
    .placesOf(source)
    ?.at(positions.fromLine(line), column === undefined ? undefined : positions.fromColumn(column));
  if (place === undefined) return [];
  const { pointer, stage, range } = place;
  const position = await session.standing().ask("placeOf", pointer, stage);
  if (position === undefined) return [];
  const id = targets.size + 1;
  targets.set(id, position);
  const { start } = range;
  return [
    {
      id,
      label: "Where it was last",
      line: positions.line(start.line),
      column: positions.column(start.column),
    },
  ];
}
