import type { App } from "@configc/compiler";
import {
  createRuntime,
  createTracer,
  type Json,
  type RunOptions,
  type SavedData,
  savedInMemory,
  type Tracer,
} from "@configc/runtime";
import { placeAt } from "@configc/runtime/internal";
import { AnswerLog, type LoggedAnswer } from "./answer-log.ts";
import type { Edit } from "./edit.ts";
import type { DebugEvent, DebuggedRun, EventData } from "./event.ts";
import type { History } from "./history.ts";
import { type CycledEffects, type InPart, type Plan, perform } from "./plan.ts";

/** What a run takes that can be stopped at each of its events. */
export interface DebuggeeOptions {
  readonly app: App;
  readonly plan: Plan;
  readonly origins?: readonly string[];
  /** What the run does to the world, once all that was heard before is told again. */
  readonly effects: CycledEffects;
  readonly history: History;
  readonly heard?: readonly LoggedAnswer[];
  readonly edits?: readonly Edit[];
  readonly signal?: AbortSignal;
  /** Takes each answer of the world as it comes. */
  readonly onHeard?: (entry: LoggedAnswer) => void;
  /** Is told when the world is asked, and when its answer has been told. */
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** Is told each event before what it begins happens. The run waits until this returns. */
  readonly onEvent: (event: DebugEvent) => void;
}

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };

/** How a run ended. */
export type RunEnd = { readonly output: Json } | { readonly error: unknown };

/** A person may stop for as long as they like: a day is more than a limit that a run could come to by itself. */
const TIME = 24 * 60 * 60 * 1_000;

/** A run of which each event is told, and which goes on only when it has been. */
export class Debuggee {
  readonly log: AnswerLog;
  readonly edits: Edit[];
  private readonly options: DebuggeeOptions;
  private readonly effects: CycledEffects;
  private readonly masks: Tracer;
  private readonly saved: { data: SavedData };
  private run: DebuggedRun | undefined;
  private part = 0;

  constructor(options: DebuggeeOptions) {
    const { edits = [], effects, plan } = options;
    this.options = options;
    this.edits = [...edits];
    this.log = new AnswerLog(options.heard, options.onHeard, options.onWaiting);
    this.effects = this.log.effects(
      effects,
      edits.flatMap((edit) => (edit.kind === "answer" ? [edit] : [])),
    );
    this.masks = createTracer(this.effects.clock);
    this.saved = { data: savedInMemory(plan.given.context?.data) };
  }

  /** Masks the secrets that the run knows by now. */
  redact(text: string): string {
    return this.masks.redact(text);
  }

  async start(): Promise<RunEnd> {
    const { app, plan, origins = [], signal } = this.options;
    const { given } = plan;
    const runtime = createRuntime(app, this.effects, { origins });
    const run = async (node: string, options: RunOptions = {}): Promise<Json> => {
      const context = { ...options.context };
      const place = options.place ?? placeAt(app, node);
      // D16 says what a command without an input takes; its beginning tells it.
      this.run = { node, place, context, input: options.input ?? null };
      return await runtime.run(node, { ...options, context, parent: this.part });
    };
    const saved: SavedData = {
      read: () => this.saved.data.read(),
      merge: (scope, members) => this.saved.data.merge(scope, members),
    };
    const options: RunOptions = {
      ...given,
      // In a recording answers say how long they took; no run is over for it.
      limits: { ...given.limits, time: TIME },
      saved,
      trace: this.tracer(),
      ...(signal === undefined ? {} : { signal }),
    };
    let end: RunEnd;
    try {
      end = { output: await perform(plan, { app, run, ...cycled(this.effects) }, options, this.inPart) };
    } catch (error) {
      end = { error };
    }
    this.run = undefined;
    this.add(0, plan.node, "over", { ...end });
    return end;
  }

  /** Puts a value in its place where a run stands before it is used. */
  apply(edit: Edit, event: DebugEvent): void {
    if (edit.kind === "input") event.data.input = edit.value;
    else if (edit.kind === "output") event.data.output = edit.value;
    else if (edit.kind === "root" && edit.root === "data") {
      this.saved.data = savedInMemory(edit.value);
      (event as Mutable<DebugEvent>).saved = this.saved.data.read();
    } else if (edit.kind === "root" && event.run !== undefined)
      (event.run.context as Record<string, Json>)[edit.root] = edit.value;
  }

  private readonly inPart: InPart = async (node, label, input, work) => {
    const around = this.part;
    const data: EventData = { label, ...(input === undefined ? {} : { input }) };
    this.run = undefined;
    this.part = this.add(around, node, "part", data);
    try {
      return await work();
    } finally {
      this.part = around;
    }
  };

  private tracer(): Tracer {
    return {
      listening: true,
      event: (parent, node, kind, data) => this.add(parent, node, kind, data as EventData),
      secret: (text) => this.masks.secret(text),
      redact: (text, longest) => this.masks.redact(text, longest),
    };
  }

  private add(parent: number, node: string, kind: DebugEvent["kind"], data: EventData): number {
    const { history, onEvent } = this.options;
    const id = history.last + 1;
    const around = parent === 0 ? undefined : history.get(parent);
    const isAsDeep = kind === "end" || kind === "response";
    const depth = around === undefined ? 0 : around.depth + (isAsDeep ? 0 : 1);
    const event: Mutable<DebugEvent> = {
      id,
      parent,
      node,
      kind,
      data: typeof data === "object" ? data : { message: String(data) },
      depth,
      run: this.run,
      saved: this.saved.data.read(),
      heard: this.log.entries.length,
      exchanges: this.log.exchanges,
    };
    for (const edit of this.edits) if (edit.event === id) this.apply(edit, event);
    history.add(event);
    onEvent(event);
    return id;
  }
}

function cycled({ beginCycle }: CycledEffects): Pick<CycledEffects, "beginCycle"> {
  return beginCycle === undefined ? {} : { beginCycle };
}
