import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type App, type Compilation, compile } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { replayHttp } from "@configc/host";
import { type CaseGiven, caseEffects, caseOptions } from "@configc/host/internal";
import { type Effects, type Json, parseExact, printExact } from "@configc/runtime";
import { inputOf } from "../../src/look/variables.ts";
import { Debuggee, type DebuggeeOptions, type RunEnd } from "../../src/run/debuggee.ts";
import type { DebugEvent } from "../../src/run/event.ts";
import { History } from "../../src/run/history.ts";
import type { Plan } from "../../src/run/plan.ts";
import type { Position } from "../../src/stop/position.ts";
import { Timeline } from "../../src/stop/timeline.ts";

const examples = fileURLToPath(new URL("../../../../examples/", import.meta.url));

export interface ExampleCase extends CaseGiven {
  readonly name: string;
  readonly world?: unknown;
  readonly cycles?: unknown;
}

const compiled = new Map<string, Compilation>();

/** A config of the examples, and the cases of its tests. */
export function example(name: string): Compilation & { readonly cases: readonly ExampleCase[] } {
  const { config, cases } = parseExact(
    readFileSync(join(examples, name, `${name}.apptest.json`), "utf8"),
  ) as unknown as { readonly config: string; readonly cases: readonly ExampleCase[] };
  let known = compiled.get(name);
  if (known === undefined) {
    const path = join(examples, name, config);
    known = compile(readFileSync(path), { uri: path });
    compiled.set(name, known);
  }
  return Object.assign(known, { cases });
}

/** What a case runs, and what answers it. */
export function caseRun(compilation: Compilation, given: CaseGiven): { plan: Plan; effects: Effects } {
  const { app, model } = compilation;
  const found = findNode(model, given.run);
  if (!("node" in found)) throw new Error(`${given.run} isn't there`);
  const node = pointerTo(found.node);
  return {
    plan: { node, given: caseOptions(given, app, node) },
    effects: caseEffects(given, replayHttp(given.http ?? [])),
  };
}

/** A run that came to its end. */
export interface Ran {
  readonly timeline: Timeline;
  readonly debuggee: Debuggee;
  readonly end: RunEnd;
}

/** Runs to the end without stopping. */
export async function ran(
  app: App,
  run: { plan: Plan; effects: Effects },
  more: Partial<DebuggeeOptions> & {
    readonly stop?: (event: DebugEvent, timeline: Timeline, debuggee: Debuggee) => void;
  } = {},
): Promise<Ran> {
  const history = more.history ?? new History();
  const timeline: Timeline = new Timeline({ app, history, redact: (text) => debuggee.redact(text) });
  const debuggee: Debuggee = new Debuggee({
    app,
    history,
    ...run,
    onEvent: (event) => more.stop?.(event, timeline, debuggee),
    ...more,
  });
  const end = await debuggee.start();
  return { timeline, debuggee, end };
}

/** All that one sees at a stop. */
export function seenAt(timeline: Timeline, { event: id, stage }: Position): string {
  const event = timeline.history.get(id);
  if (event === undefined) throw new Error(`${id} isn't kept`);
  const stop = stage === undefined ? undefined : timeline.programs.stopAt(event, stage);
  const { kind, node, data, saved } = event;
  const roots = (["piped_content", "custom_data", "polling_state", "data"] as const).map(
    (root) => timeline.roots.rootAt(event, root) ?? null,
  );
  const error = data.error instanceof Error ? data.error.message : null;
  const value = stop === undefined ? inputOf(event) : stop.value;
  return printExact([
    kind,
    node,
    stage ?? null,
    stop?.stage?.index ?? null,
    value,
    stop?.variables ?? null,
    data.url ?? null,
    data.status ?? null,
    error,
    saved,
    roots,
  ] as unknown as Json);
}
