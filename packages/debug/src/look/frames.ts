import type { App } from "@configc/compiler";
import { shownUrl } from "@configc/runtime/internal";
import type { DebugEvent } from "../run/event.ts";
import type { StageStop } from "../stages/evaluate.ts";
import type { Position } from "../stop/position.ts";
import type { Timeline } from "../stop/timeline.ts";

/** One line of the call stack, as a person thinks of it. */
export interface Frame {
  readonly name: string;
  /** JSON Pointer of what it stands at. */
  readonly pointer: string;
  /** UTF-16 offsets in the program of the command there. */
  readonly inProgram?: { readonly start: number; readonly end: number };
  /** UTF-16 offsets in the config. */
  readonly inConfig?: { readonly start: number; readonly end: number };
  readonly event: DebugEvent;
  /** The stop within the program, and its number. */
  readonly stop?: StageStop;
  readonly ordinal?: number;
}

const LONGEST_NAME = 40;

/** The stack at a place, the innermost first: stage, request, step, run, item, workflow. */
export function framesAt(app: App, timeline: Timeline, { event: id, stage }: Position): readonly Frame[] {
  const { history } = timeline;
  const event = history.get(id);
  if (event === undefined) return [];
  const frames: Frame[] = stage === undefined ? [] : [...stageFrames(app, timeline, event, stage)];
  let at: DebugEvent | undefined = event;
  if (event.kind === "response") {
    const request = history.around(event);
    if (request !== undefined) frames.push(requestFrame(timeline, request, event));
    at = request === undefined ? undefined : history.around(request);
  } else if (event.kind === "request") {
    frames.push(requestFrame(timeline, event, event));
    at = history.around(event);
  } else if (event.kind === "over") {
    return [{ name: event.data.error === undefined ? "the end" : "the failure", pointer: event.node, event }];
  } else if (event.kind === "end" || event.kind === "note" || event.kind === "wait") {
    const step = history.around(event);
    if (step !== undefined) {
      const name = `${stepName(app, timeline, step)}${event.kind === "end" ? (event.data.error === undefined ? ", done" : ", failed") : ""}`;
      frames.push({ name, pointer: step.node, event });
      at = history.around(step);
    }
  }
  for (; at !== undefined; at = history.around(at)) {
    const name = at.kind === "part" ? (at.data.label ?? "run") : stepName(app, timeline, at);
    frames.push({ name, pointer: at.node, event: at });
  }
  return frames;
}

/** The stage that one stands at, and those around it with the value that came to them last. */
function* stageFrames(
  app: App,
  { programs }: Timeline,
  event: DebugEvent,
  ordinal: number,
): Generator<Frame> {
  const stop = programs.stopAt(event, ordinal);
  const text = app.commands[event.node]?.program?.text ?? "";
  if (stop === undefined) return;
  if (stop.expansion !== undefined) {
    const { member, expansion } = stop.expansion;
    const written = `\${${expansion.path.join(".")}}`;
    const name = member === "" ? written : `${member}: ${written}`;
    yield { name, pointer: event.node, event, stop, ordinal, inConfig: expansion.span };
    return;
  }
  if (stop.stage === undefined) {
    yield {
      name: "jq output",
      pointer: event.node,
      event,
      stop,
      ordinal,
      inProgram: { start: 0, end: text.length },
    };
    return;
  }
  const all = programs.programOf(event.node)?.stages ?? [];
  let inner: StageStop | undefined = stop;
  let at = ordinal;
  while (inner?.stage !== undefined) {
    const { start, end, number, of, outer } = inner.stage;
    const written = text.slice(start, end).replaceAll(/\s+/g, " ");
    const short = written.length > LONGEST_NAME ? `${written.slice(0, LONGEST_NAME - 1)}…` : written;
    const name = of > 1 ? `jq stage ${number} of ${of}: ${short}` : `jq: ${short}`;
    yield { name, pointer: event.node, inProgram: { start, end }, event, stop: inner, ordinal: at };
    if (outer === undefined || all[outer] === undefined) return;
    const around = programs.findBack(event, at, ({ stage }) => stage?.index === outer);
    inner = around?.stop;
    at = around?.ordinal ?? 0;
  }
}

function requestFrame({ history }: Timeline, request: DebugEvent, event: DebugEvent): Frame {
  let number = 0;
  for (const { kind, parent } of history.from(request.parent, request.id))
    if (kind === "request" && parent === request.parent) number++;
  const { method = "", url = "" } = request.data;
  const path = pathOf(shownUrl(url));
  const page = number > 1 ? `, request ${number}` : "";
  const status = event.kind === "response" ? ` → ${event.data.status ?? event.data.failure ?? ""}` : "";
  return { name: `${method} ${path}${page}${status}`, pointer: request.node, event };
}

function pathOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).pathname}${new URL(url).search}` : url;
}

/** A step by its number, a case by its index, a command that was run by its member: `source: !pipe`. */
function stepName({ commands }: App, { history }: Timeline, event: DebugEvent): string {
  const { key = "" } = event.data;
  const around = history.around(event);
  const siblings = around?.kind === "step" ? (commands[around.node]?.children ?? []) : [];
  const at = siblings.indexOf(event.node);
  if (at >= 0)
    return around?.data.key === "!switch"
      ? `${key}, case ${at}`
      : `${key}, step ${at + 1} of ${siblings.length}`;
  return `${event.node.split("/").at(-1)}: ${key}`;
}
