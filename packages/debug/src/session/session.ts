import { type Json, type LogEntry, printExact } from "@configc/runtime";
import { redactedValue } from "@configc/runtime/internal";
import { failureOf } from "../look/scopes.ts";
import type { LoggedAnswer } from "../run/answer-log.ts";
import { Debuggee } from "../run/debuggee.ts";
import type { Edit } from "../run/edit.ts";
import type { DebugEvent } from "../run/event.ts";
import { History } from "../run/history.ts";
import type { CycledEffects } from "../run/plan.ts";
import { Control } from "../stop/control.ts";
import { Inspector } from "../stop/inspector.ts";
import { Timeline } from "../stop/timeline.ts";
import type { Asked, Changed, Question, Questions, SentBreakpoints, SessionJob, Told } from "./messages.ts";

/** What a session needs of the thread in which it runs. */
interface SessionHost {
  readonly effects: CycledEffects;
  /** Whether the world is asked something and hasn't answered: then nobody may end the thread only to have the run stop. */
  waits(isWaiting: boolean): void;
  /** Number of the event that happens, for whoever ends the thread because it doesn't answer. */
  reached(event: number): void;
  /** Whether somebody wants the run to stop. It stays so until it stands. */
  interrupted(): boolean;
  tell(message: Told): void;
  /** Waits for the next question while the run stands. */
  next(): Asked;
}

/** Answers that are told together at most, unless the run stands. */
const BATCH = 100;

/** What is answered while the run goes on, too. */
const whileRunning: ReadonlySet<Question> = new Set<Question>(["setBreakpoints", "pause"]);

/** A run that is debugged, as the thread in which it runs has it: it tells what happens and answers questions. */
export class Session {
  private readonly host: SessionHost;
  private readonly history = new History();
  private readonly debuggee: Debuggee;
  private readonly timeline: Timeline;
  private readonly control: Control;
  private readonly inspector: Inspector;
  private readonly questions: Questions;
  private heard: LoggedAnswer[] = [];
  private stood = false;

  constructor(job: SessionJob, host: SessionHost) {
    this.host = host;
    const { app, plan, origins, heard, edits, breakpoints, until } = job;
    const { effects } = host;
    let known = heard.length;
    const log = {
      write: (entry: LogEntry): void => {
        // What is repeated was told before.
        if (!this.control.repeats)
          host.tell({ kind: "output", category: "stdout", text: entry.message, pointer: entry.pointer });
      },
    };
    this.debuggee = new Debuggee({
      app,
      plan,
      origins,
      effects: { ...effects, log },
      history: this.history,
      heard,
      edits,
      onHeard: (entry) => {
        // What was told before needn't be told back.
        if (known > 0) known--;
        else if (this.heard.push(entry) >= BATCH || entry.question === "http") this.tellHeard();
      },
      onWaiting: (isWaiting) => {
        // What was heard has to be told before the thread may be ended.
        if (!isWaiting) this.tellHeard();
        host.waits(isWaiting);
      },
      onEvent: (event) => this.onEvent(event),
    });
    const redact = (text: string): string => this.debuggee.redact(text);
    this.timeline = new Timeline({
      app,
      history: this.history,
      redact,
      clock: () => effects.clock.now(),
      timeZone: effects.clock.timeZone ?? "UTC",
      interrupted: () => host.interrupted(),
      onLog: (text, { node }) =>
        host.tell({ kind: "output", category: "console", text: redact(text), pointer: node }),
    });
    this.inspector = new Inspector(app, this.timeline, redact);
    this.control = new Control(this.timeline, {
      ...(until === undefined ? {} : { until }),
      stopsAtEnd: () => job.stopsAtEnd || this.stood,
      interrupted: () => host.interrupted(),
      onStopped: (arrival) => {
        this.stood = true;
        this.tellHeard();
        this.inspector.moved(arrival.position);
        host.tell({ kind: "stopped", arrival });
      },
      onContinued: () => host.tell({ kind: "continued" }),
      onForgotten: (position, then) => host.tell({ kind: "forgotten", until: position, then }),
      wait: (control) => {
        while (control.stands) this.answer(host.next());
      },
    });
    this.setBreakpoints(breakpoints);
    this.questions = this.answers();
  }

  /** Runs to the end. */
  async start(): Promise<void> {
    const end = await this.debuggee.start();
    this.tellHeard();
    if ("error" in end) {
      const {
        kind,
        message,
        pointer = "",
      } = this.safe(failureOf(end.error)) as Readonly<Record<string, string>>;
      this.host.tell({ kind: "ended", error: { kind: kind ?? "Error", message: message ?? "", pointer } });
    } else this.host.tell({ kind: "ended", output: printExact(this.safe(end.output)) });
  }

  /** Answers a question that comes while the run goes on, as one that comes while it stands. */
  answer({ id, question, args }: Asked): void {
    try {
      if (!this.control.stands && !whileRunning.has(question))
        throw new Error("The run goes on; pause it to look at it.");
      const ask = this.questions[question] as (...args: readonly unknown[]) => unknown;
      // A move tells where it leads: whoever asked is answered first.
      if (question === "move") this.host.tell({ kind: "answer", id });
      const value = ask(...args);
      if (question !== "move") this.host.tell({ kind: "answer", id, value });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.host.tell({ kind: "answer", id, error: this.debuggee.redact(text) });
    }
  }

  private onEvent(event: DebugEvent): void {
    this.host.reached(event.id);
    this.control.event(event);
  }

  private answers(): { readonly [Name in Question]: Questions[Name] } {
    const { inspector, control, timeline } = this;
    return {
      stack: () => inspector.stack(),
      scopes: (frame) => inspector.scopes(frame),
      variables: (reference, start, count) => inspector.variables(reference, start, count),
      evaluate: (text, frame, whole) => inspector.evaluate(text, frame, whole),
      inlineValues: (frame) => inspector.inlineValues(frame),
      move: (move) => control.move(move),
      pause: () => control.pause(),
      beginningOf: (frame) => inspector.beginningOf(frame),
      placeOf: (pointer, stage) => timeline.placeNear(pointer, stage, control.cursor),
      change: (reference, name, text) => this.change(reference, name, text),
      setBreakpoints: (breakpoints) => this.setBreakpoints(breakpoints),
    };
  }

  private setBreakpoints({ commands, filters, watched }: SentBreakpoints): void {
    this.timeline.setBreakpoints({ commands, filters: new Set(filters), watched });
  }

  /** What hasn't been used yet is changed where it is; all else lies in the past of the run. */
  private change(reference: number, name: string, text: string): Changed {
    const edit = this.inspector.editOf(reference, name, text);
    const event = this.history.get(edit.event);
    const others = this.debuggee.edits.filter((each) => !replaces(edit, each));
    if (event !== undefined && edit.kind !== "answer" && edit.event === this.history.last) {
      this.debuggee.edits.splice(0, Number.POSITIVE_INFINITY, ...others, edit);
      this.debuggee.apply(edit, event);
      this.timeline.changed(event);
      this.inspector.moved({ event: event.id });
      // Within its program nothing is as it was: whoever looks stands before the command again.
      const isInside = this.control.cursor.stage !== undefined;
      this.control.cursor = { event: event.id };
      if (isInside)
        this.host.tell({ kind: "stopped", arrival: { position: this.control.cursor, reason: "goto" } });
      return { kind: "done", value: this.inspector.evaluate(name === "." ? "." : "$input", 0, false) };
    }
    const kept = others.filter((each) => each.event <= edit.event);
    return {
      kind: "again",
      edits: [...kept, edit],
      heard: event?.heard ?? 0,
      until: { event: edit.event },
    };
  }

  private safe(value: Json): Json {
    return redactedValue(value, (text) => this.debuggee.redact(text)) as Json;
  }

  private tellHeard(): void {
    if (this.heard.length === 0) return;
    this.host.tell({ kind: "heard", entries: this.heard });
    this.heard = [];
  }
}

/** Whether an edit is of the same thing as one before. */
function replaces(edit: Edit, before: Edit): boolean {
  return (
    edit.kind === before.kind &&
    edit.event === before.event &&
    (edit.kind !== "root" || before.kind !== "root" || edit.root === before.root)
  );
}
