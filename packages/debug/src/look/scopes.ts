import { ROOT_NAMES } from "@configc/compiler/internal";
import type { Json } from "@configc/runtime";
import type { EditableRoot } from "../run/edit.ts";
import type { DebugEvent } from "../run/event.ts";
import type { Position } from "../stop/position.ts";
import type { Timeline } from "../stop/timeline.ts";
import type { EditTarget } from "./edit-target.ts";
import type { Frame } from "./frames.ts";
import type { NamedValue } from "./values.ts";
import { bodyOf } from "./variables.ts";

/** A group of values that belong together. */
interface Scope {
  readonly name: string;
  /** Open at first, or only when somebody opens it. */
  readonly expensive: boolean;
  readonly named: () => readonly NamedValue[];
}

const editableRoots: ReadonlySet<string> = new Set<EditableRoot>([
  "custom_data",
  "data",
  "polling_state",
  "subdomain",
]);

/** What there is to look at in a frame of the stack, as of the place where the run stands. */
export function scopesOf(timeline: Timeline, frame: Frame, now: Position): readonly Scope[] {
  const { event } = frame;
  const step = stepOf(timeline, event);
  const scopes: Scope[] = [];
  if (frame.stop?.expansion !== undefined)
    scopes.push({ name: "Expansion", expensive: false, named: () => expansionValues(frame) });
  else if (frame.stop !== undefined)
    scopes.push({ name: "jq", expensive: false, named: () => jqValues(timeline, frame) });
  scopes.push({ name: "Step", expensive: false, named: () => stepValues(timeline, event, step, now) });
  const { request, response } = exchangeOf(timeline, step, now);
  if (request !== undefined)
    scopes.push({ name: "Request", expensive: false, named: () => requestValues(request) });
  if (response !== undefined)
    scopes.push({ name: "Answer", expensive: false, named: () => answerValues(response) });
  if (event.run !== undefined) {
    scopes.push({ name: "Roots", expensive: false, named: () => rootValues(timeline, event) });
    const { mapping, contact } = event.run.context;
    if (mapping !== undefined || contact !== undefined)
      scopes.push({ name: "Item", expensive: false, named: () => itemValues(event) });
  }
  return scopes;
}

function jqValues({ programs }: Timeline, { event, stop, ordinal = 0 }: Frame): readonly NamedValue[] {
  if (stop === undefined) return [];
  const values: NamedValue[] = [
    { name: stop.stage === undefined ? "output" : ".", value: stop.value, expression: "." },
  ];
  // In jq one value is gone through to the end before the next one: what came last to the stage before made this one.
  const { stage } = stop;
  const before = programs.findBack(event, ordinal, ({ stage: other }) =>
    stage === undefined
      ? other?.outer === undefined && other?.number === other?.of
      : other !== undefined && other.outer === stage.outer && other.number === stage.number - 1,
  );
  if (before !== undefined) values.push({ name: "made from", value: before.stop.value });
  for (const [name, value] of Object.entries(stop.variables))
    values.push({ name: `$${name}`, value, expression: `$${name}` });
  return values;
}

function expansionValues({ stop }: Frame): readonly NamedValue[] {
  if (stop?.expansion === undefined) return [];
  if (stop.failure !== undefined) return [{ name: "failure", value: stop.failure }];
  const written = `\${${stop.expansion.expansion.path.join(".")}}`;
  return [{ name: written, value: stop.value, expression: "." }];
}

/** The command that an event is of. */
export function stepOf({ history }: Timeline, event: DebugEvent): DebugEvent | undefined {
  for (let at: DebugEvent | undefined = event; at !== undefined; at = history.around(at))
    if (at.kind === "step" || at.kind === "part") return at;
  return undefined;
}

function stepValues(
  timeline: Timeline,
  event: DebugEvent,
  step: DebugEvent | undefined,
  now: Position,
): readonly NamedValue[] {
  const values: NamedValue[] = [];
  const isCommand = step?.kind === "step";
  if (step !== undefined && step.data.input !== undefined)
    values.push({
      name: "input",
      value: step.data.input,
      expression: "$input",
      ...(isCommand ? { target: { kind: "input", event: step.id, path: [] } as EditTarget } : {}),
    });
  const end = event.kind === "over" ? event : isCommand ? timeline.endOf(step, now.event) : undefined;
  if (end?.data.output !== undefined)
    values.push({
      name: "output",
      value: end.data.output,
      expression: "$output",
      ...(end.kind === "end" ? { target: { kind: "output", event: end.id, path: [] } as EditTarget } : {}),
    });
  const { error } = end?.data ?? {};
  if (error !== undefined) values.push({ name: "failure", value: failureOf(error) });
  return values;
}

/** What people are told of a failure. */
export function failureOf(error: unknown): Json {
  const { kind, message, pointer, status } = error as {
    readonly kind?: string;
    readonly message?: string;
    readonly pointer?: string;
    readonly status?: number;
  };
  return {
    kind: kind ?? "Error",
    message: message ?? String(error),
    ...(pointer === undefined || pointer === "" ? {} : { pointer }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The last request of a command until now, and its answer. */
export function exchangeOf(
  { history }: Timeline,
  step: DebugEvent | undefined,
  now: Position,
): { readonly request?: DebugEvent; readonly response?: DebugEvent } {
  if (step === undefined || step.kind !== "step") return {};
  for (const event of history.back(now.event)) {
    if (event.id <= step.id) return {};
    if (event.kind === "response" && history.around(event)?.parent === step.id) {
      const request = history.around(event);
      return request === undefined ? {} : { request, response: event };
    }
    if (event.kind === "request" && event.parent === step.id) return { request: event };
  }
  return {};
}

function requestValues({
  data: { method = "", url = "", headers = {}, body },
}: DebugEvent): readonly NamedValue[] {
  return [
    { name: "method", value: method },
    { name: "url", value: url },
    { name: "headers", value: { ...headers } },
    ...(body === undefined ? [] : [{ name: "body", value: bodyOf(body) }]),
  ];
}

function answerValues({ id, data }: DebugEvent): readonly NamedValue[] {
  const { status, headers, body, failure, message, milliseconds } = data;
  const at = (name: string): { readonly target: EditTarget } => ({
    target: { kind: "answer", event: id, path: [name] },
  });
  return [
    ...(status === undefined ? [] : [{ name: "status", value: status, ...at("status") }]),
    ...(failure === undefined ? [] : [{ name: "failure", value: `${failure}: ${message ?? ""}` }]),
    ...(headers === undefined ? [] : [{ name: "headers", value: { ...headers } }]),
    ...(body === undefined ? [] : [{ name: "body", value: bodyOf(body), ...at("body") }]),
    ...(milliseconds === undefined ? [] : [{ name: "milliseconds", value: milliseconds }]),
  ];
}

function rootValues({ roots }: Timeline, event: DebugEvent): readonly NamedValue[] {
  return ROOT_NAMES.flatMap((root) => {
    const value = roots.rootAt(event, root);
    if (value === undefined) return [];
    const target: EditTarget | undefined = editableRoots.has(root)
      ? { kind: "root", event: event.id, root: root as EditableRoot, path: [] }
      : undefined;
    return [{ name: root, value, expression: `$${root}`, ...(target === undefined ? {} : { target }) }];
  });
}

function itemValues({ id, run }: DebugEvent): readonly NamedValue[] {
  return (["contact", "mapping"] as const).flatMap((root) => {
    const value = run?.context[root] as Json | undefined;
    if (value === undefined) return [];
    const target: EditTarget = { kind: "root", event: id, root, path: [] };
    return [{ name: root, value, expression: `$${root}`, target }];
  });
}
