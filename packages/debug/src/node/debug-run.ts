import { setTimeout as setTimeoutAsync } from "node:timers/promises";
import type { LoggedAnswer } from "../run/answer-log.ts";
import type { Edit } from "../run/edit.ts";
import type { Changed, Question, Questions, SentBreakpoints, SessionJob, Told } from "../session/messages.ts";
import type { Until } from "../stop/control.ts";
import { RunThread } from "./run-thread.ts";

/** Milliseconds for a run to stop by itself: a jq program can't be interrupted from inside. */
const PATIENCE = 300;

/** What is debugged, and from where. */
export interface DebugRunOptions {
  /** File that calls `debugInThread`. */
  readonly entry: URL;
  readonly job: Omit<SessionJob, "heard" | "edits" | "until">;
  readonly stopsOnEntry: boolean;
  /**
   * Who answers after an edit. Undefined: whoever did before. A run whose world answers the same each time is repeated from its start;
   * any other is told again what it was told, and goes on from there with this.
   */
  readonly afterEdit?: unknown;
  /** Whether the world answers the same each time: a recording, a case. */
  readonly repeatable: boolean;
  readonly told: (message: Exclude<Told, { kind: "answer" | "heard" | "forgotten" }>) => void;
}

/** A debugged run from its start to its end, however often it has to be repeated in between. */
export class DebugRun {
  private readonly options: DebugRunOptions;
  private thread: RunThread;
  private heard: LoggedAnswer[] = [];
  private edits: readonly Edit[] = [];
  private source: unknown;
  private breakpoints: SentBreakpoints;
  private pausing: NodeJS.Timeout | undefined;
  private stands = false;

  constructor(options: DebugRunOptions) {
    this.options = options;
    this.source = options.job.source;
    this.breakpoints = options.job.breakpoints;
    this.thread = this.begin(options.stopsOnEntry ? "entry" : undefined);
  }

  async ask<Name extends Question>(
    question: Name,
    ...args: Parameters<Questions[Name]>
  ): Promise<ReturnType<Questions[Name]>> {
    return await this.thread.ask(question, ...args);
  }

  async setBreakpoints(breakpoints: SentBreakpoints): Promise<void> {
    this.breakpoints = breakpoints;
    await this.thread.ask("setBreakpoints", breakpoints);
  }

  /**
   * Stops at once: a run that doesn't answer is ended, and repeated up to where it was. One that waits for the world does answer, and is
   * never ended for it: the world would be asked twice.
   */
  pause(): void {
    if (this.stands) return;
    const { thread } = this;
    thread.interrupt();
    // Whoever is ended meanwhile needn't answer.
    thread.ask("pause").catch(() => undefined);
    this.endIfSilent(thread);
  }

  private endIfSilent(thread: RunThread): void {
    clearTimeout(this.pausing);
    this.pausing = setTimeout(() => {
      if (this.stands || thread !== this.thread) return;
      if (thread.waits) this.endIfSilent(thread);
      else void this.again({ position: { event: Math.max(1, thread.reached) }, reason: "pause" });
    }, PATIENCE);
  }

  /** Puts a value in its place. @returns whether the run was repeated for it: it tells where it stands then */
  async change(reference: number, name: string, text: string): Promise<Changed> {
    const changed = await this.thread.ask("change", reference, name, text);
    if (changed.kind === "again") {
      const { edits, heard, until } = changed;
      this.edits = edits;
      if ("afterEdit" in this.options) {
        this.source = this.options.afterEdit;
        this.heard.length = heard;
      } else if (this.options.repeatable) this.heard = [];
      else this.heard.length = heard;
      await this.again({ position: until });
    }
    return changed;
  }

  /** From a frame on, with what was changed in it. */
  async restart(frame: number): Promise<void> {
    const position = await this.thread.ask("beginningOf", frame);
    if (position === undefined) throw new Error("Nothing can begin anew there.");
    await this.thread.ask("move", { kind: "goto", position });
  }

  async end(): Promise<void> {
    clearTimeout(this.pausing);
    await this.thread.end();
  }

  /** Repeats a run in which somebody goes back to what isn't kept: once it was told what it was waiting for, so that it isn't asked again. */
  private async againOnceAnswered(thread: RunThread, until: Until): Promise<void> {
    while (thread.waits && thread === this.thread) await setTimeoutAsync(PATIENCE);
    if (thread === this.thread) await this.again(until);
  }

  private async again(until: Until): Promise<void> {
    const before = this.thread;
    this.thread = this.begin(until);
    await before.end();
  }

  private begin(until: SessionJob["until"]): RunThread {
    this.stands = false;
    const { job, entry } = this.options;
    const heard = this.heard;
    const whole: SessionJob = {
      ...job,
      source: this.source,
      breakpoints: this.breakpoints,
      heard,
      edits: this.edits,
      ...(until === undefined ? {} : { until }),
    };
    const thread: RunThread = new RunThread(entry, whole, (message) => this.hear(message, thread));
    return thread;
  }

  private hear(message: Told, from: RunThread): void {
    // One that was ended may still have told something.
    if (this.thread !== undefined && from !== this.thread) return;
    if (message.kind === "heard") for (const entry of message.entries) this.heard.push(entry);
    else if (message.kind === "forgotten")
      void this.againOnceAnswered(from, { position: message.until, then: message.then });
    else if (message.kind !== "answer") {
      if (message.kind === "stopped") {
        this.stands = true;
        clearTimeout(this.pausing);
      } else if (message.kind === "continued") this.stands = false;
      else if (message.kind === "ended") clearTimeout(this.pausing);
      this.options.told(message);
    }
  }
}
