import type { App } from "@configc/compiler";
import type { Credential } from "@configc/runtime";
import type { ShownValue } from "../look/values.ts";
import type { LoggedAnswer } from "../run/answer-log.ts";
import type { Edit } from "../run/edit.ts";
import type { Plan } from "../run/plan.ts";
import type { Breakpoint, ExceptionFilter, WatchedValue } from "../stop/breakpoint.ts";
import type { Move, Until } from "../stop/control.ts";
import type { InlineValue, ShownFrame, ShownScope } from "../stop/inspector.ts";
import type { Position } from "../stop/position.ts";
import type { Arrival } from "../stop/timeline.ts";

/** What begins a run that is debugged: the first message to the thread it runs in. All of it is JSON. */
export interface SessionJob {
  readonly app: App;
  readonly plan: Plan;
  readonly origins: readonly string[];
  /** What answers the run: understood by whoever makes the effects. */
  readonly source: unknown;
  readonly heard: readonly LoggedAnswer[];
  readonly edits: readonly Edit[];
  readonly breakpoints: SentBreakpoints;
  readonly until?: Until | "entry";
  /** Whether it stands at its end even if it never stood before. */
  readonly stopsAtEnd: boolean;
}

export interface SentBreakpoints {
  readonly commands: readonly Breakpoint[];
  readonly filters: readonly ExceptionFilter[];
  readonly watched: readonly WatchedValue[];
}

/** What is asked of a run that stands, with what it gives. */
export interface Questions {
  stack(): readonly ShownFrame[];
  scopes(frame: number): readonly ShownScope[];
  variables(reference: number, start?: number, count?: number): readonly ShownValue[];
  evaluate(text: string, frame: number, whole: boolean): ShownValue;
  inlineValues(frame: number): readonly InlineValue[];
  /** Lets the run go on, or goes along what has happened: `stopped`, `continued` or `forgotten` tells what came of it. */
  move(move: Move): void;
  /** Has a run stand that waits for an answer. One that does something stands at the next place where it can. */
  pause(): void;
  /** The beginning of a frame, to go to it. */
  beginningOf(frame: number): Position | undefined;
  /** Where among what has happened a command stands; the one nearest before where the run stands. */
  placeOf(pointer: string, stage?: number): Position | undefined;
  /** Puts a value in its place. If that lies in the past, the run has to begin anew from there. */
  change(reference: number, name: string, text: string): Changed;
  setBreakpoints(breakpoints: SentBreakpoints): void;
}

/** What changing a value came to. */
export type Changed =
  | { readonly kind: "done"; readonly value: ShownValue }
  /** The run has to be repeated from the first `heard` answers, with these edits, up to the position. */
  | {
      readonly kind: "again";
      readonly edits: readonly Edit[];
      readonly heard: number;
      readonly until: Position;
    };

export type Question = keyof Questions;

/** What a thread is told. */
export interface Asked {
  readonly id: number;
  readonly question: Question;
  readonly args: readonly unknown[];
}

/** What a thread tells. */
export type Told =
  | { readonly kind: "answer"; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly kind: "stopped"; readonly arrival: Arrival }
  | { readonly kind: "continued" }
  | { readonly kind: "forgotten"; readonly until: Position; readonly then: Move }
  | {
      readonly kind: "output";
      readonly category: "console" | "stdout" | "stderr";
      readonly text: string;
      readonly pointer?: string;
    }
  /** A token was renewed, of credentials that somebody else keeps. */
  | { readonly kind: "renewed"; readonly auth: string; readonly credential: Credential }
  | { readonly kind: "heard"; readonly entries: readonly LoggedAnswer[] }
  | {
      readonly kind: "ended";
      readonly output?: string;
      readonly error?: { readonly kind: string; readonly message: string; readonly pointer: string };
    };
