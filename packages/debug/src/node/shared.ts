import type { MessagePort } from "node:worker_threads";
import type { SessionJob } from "../session/messages.ts";

/** What a thread is made with. */
export interface ThreadData {
  readonly job: SessionJob;
  /** Where questions come from, and answers go to. */
  readonly port: MessagePort;
  /** Read and written by both sides at any time, also while the thread is in the middle of something. */
  readonly shared: SharedArrayBuffer;
}

/** Numbers in what is shared. */
export const Shared = {
  /** Counts the questions: a thread that waits is woken by it. */
  questions: 0,
  /** 1 while somebody wants the run to stop. */
  interrupt: 1,
  /** Id of the newest event. */
  reached: 2,
  /** 1 while the world is asked something and hasn't answered. */
  waiting: 3,
  length: 4,
} as const;
