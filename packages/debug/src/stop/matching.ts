import { type Json, printExact } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type { RunError } from "@configc/runtime";
import { readMethods } from "@configc/runtime/internal";
import { evaluateExpression, expandText, type Surroundings } from "../look/expressions.ts";
import type { Programs } from "../look/programs.ts";
import type { DebugEvent } from "../run/event.ts";
import type { History } from "../run/history.ts";
import { placeIndex, type StageStop } from "../stages/evaluate.ts";
import type { Breakpoint, Breakpoints, ExceptionFilter } from "./breakpoint.ts";
import type { Position } from "./position.ts";

/** Why a run stops. */
export interface Hit {
  readonly position: Position;
  readonly reason: "breakpoint" | "exception" | "data breakpoint";
  /** Of the breakpoints that were hit. */
  readonly ids: readonly number[];
  /** For people. */
  readonly text?: string;
}

/** What matching needs to know of the place. */
interface Place {
  surroundings(event: DebugEvent, stop?: StageStop): Surroundings;
  /** A value as people see it: masked. */
  told(value: Json): string;
}

/** Finds what a run is to stop for. How often each breakpoint was reached is counted as the run goes on, and anew from its start. */
export class Matching {
  private breakpoints: Breakpoints;
  private byPointer: ReadonlyMap<string, readonly Breakpoint[]> = new Map();
  private readonly reached = new Map<number, number>();
  private readonly history: History;
  private readonly programs: Programs;
  private readonly place: Place;

  constructor(
    breakpoints: Breakpoints,
    { history, programs, place }: { history: History; programs: Programs; place: Place },
  ) {
    this.breakpoints = breakpoints;
    this.history = history;
    this.programs = programs;
    this.place = place;
    this.set(breakpoints);
  }

  /** Counting begins anew for those that weren't there. */
  set(breakpoints: Breakpoints): void {
    this.breakpoints = breakpoints;
    this.byPointer = groupBy(breakpoints.commands, ({ pointer }) => pointer);
  }

  get isIdle(): boolean {
    const { commands, filters, watched } = this.breakpoints;
    return commands.length === 0 && filters.size === 0 && watched.length === 0;
  }

  forget(): void {
    this.reached.clear();
  }

  /**
   * What there is to stop for at an event, from a stop of its program on.
   *
   * @param log takes what log points say; without it they say nothing
   */
  at(event: DebugEvent, log?: (text: string, event: DebugEvent) => void, from?: number): Hit | undefined {
    if (from === undefined) {
      const hit = this.exception(event) ?? this.change(event);
      if (hit !== undefined) return hit;
    }
    if (event.kind !== "step") return undefined;
    const here = this.byPointer.get(event.node);
    if (here === undefined) return undefined;
    if (from === undefined) {
      const whole = here.filter(({ stage }) => stage === undefined);
      const ids = whole.filter((each) => this.isHit(each, event, undefined, log)).map(({ id }) => id);
      if (ids.length > 0) return { position: { event: event.id }, reason: "breakpoint", ids };
    }
    const staged = here.filter(({ stage }) => stage !== undefined);
    if (staged.length === 0) return undefined;
    let ids: number[] = [];
    const found = this.programs.find(event, from ?? 0, (stop) => {
      ids = staged
        .filter((each) => each.stage === placeIndex(stop) && this.isHit(each, event, stop, log))
        .map(({ id }) => id);
      return ids.length > 0;
    });
    if (found === undefined) return undefined;
    return { position: { event: event.id, stage: found.ordinal }, reason: "breakpoint", ids };
  }

  private isHit(
    { id, condition, hitCondition, logMessage }: Breakpoint,
    event: DebugEvent,
    stop: StageStop | undefined,
    log: ((text: string, event: DebugEvent) => void) | undefined,
  ): boolean {
    const around = this.place.surroundings(event, stop);
    // A condition that fails isn't met; it was looked at when it was set.
    if (condition !== undefined && !isTrue(condition, around)) return false;
    const count = (this.reached.get(id) ?? 0) + 1;
    this.reached.set(id, count);
    if (hitCondition !== undefined && !isTrue(countCondition(hitCondition), { ...around, input: count }))
      return false;
    if (logMessage === undefined) return true;
    log?.(
      expandText(logMessage, around, (value) => this.place.told(value)),
      event,
    );
    return false;
  }

  private exception(event: DebugEvent): Hit | undefined {
    const { kind, data } = event;
    const hit = (filter: ExceptionFilter, text: string): Hit | undefined =>
      this.breakpoints.filters.has(filter)
        ? { position: { event: event.id }, reason: "exception", ids: [], text }
        : undefined;
    if (kind === "end" && isFirstFailure(event, this.history))
      return hit("failure", (data.error as RunError).message ?? String(data.error));
    if (kind === "response" && (data.failure !== undefined || (data.status ?? 0) >= 400))
      return hit("http", data.failure ?? `The service answered ${data.status}.`);
    if (kind === "request" && !readMethods.has(data.method ?? ""))
      return hit("writes", `${data.method} ${data.url} is about to be sent.`);
    return undefined;
  }

  private change(event: DebugEvent): Hit | undefined {
    for (const { id, path } of this.breakpoints.watched) {
      const [root, scope, key] = path;
      const isSaved =
        root === "data" &&
        event.kind === "note" &&
        event.data.saved === scope &&
        event.data.keys?.includes(key ?? "") === true;
      if (isSaved || (root === "polling_state" && this.stateChanged(event, scope ?? "")))
        return {
          position: { event: event.id },
          reason: "data breakpoint",
          ids: [id],
          text: `${path.join(".")} has another value.`,
        };
    }
    return undefined;
  }

  /** A state is another one from a run on that begins with it. */
  private stateChanged({ id, kind, run }: DebugEvent, key: string): boolean {
    if (kind !== "step" || run === undefined) return false;
    const before = this.history.get(id - 1)?.run ?? this.history.get(id - 2)?.run;
    if (before === undefined || before === run) return false;
    return stateText(before.context.polling_state, key) !== stateText(run.context.polling_state, key);
  }
}

function stateText(state: Json | undefined, key: string): string | undefined {
  const value =
    typeof state === "object" && state !== null && Object.hasOwn(state, key)
      ? (state as Readonly<Record<string, Json>>)[key]
      : undefined;
  return value === undefined ? undefined : printExact(value);
}

/** Whether an end is that of the command that failed, and not of one around it. */
export function isFirstFailure({ kind, data, id }: DebugEvent, history: History): boolean {
  if (kind !== "end" || data.error === undefined) return false;
  for (const { kind: before, data: earlier } of history.back(id - 1)) {
    if (before === "end" && earlier.error === data.error) return false;
    if (before === "step" || before === "response" || before === "request") return true;
  }
  return true;
}

function isTrue(expression: string, around: Surroundings): boolean {
  try {
    const [value] = evaluateExpression(expression, around);
    return value !== undefined && value !== null && value !== false;
  } catch {
    return false;
  }
}

/** `5` is the fifth time, `> 5` and `% 5` are `. > 5` and `. % 5 == 0`. */
export function countCondition(text: string): string {
  const written = text.trim();
  if (/^\d+$/.test(written)) return `. == ${written}`;
  if (/^%\s*\d+$/.test(written)) return `. ${written} == 0`;
  return /^(?:[<>!]=?|==)/.test(written) ? `. ${written}` : written;
}
