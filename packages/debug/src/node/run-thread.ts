import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Question, Questions, SessionJob, Told } from "../session/messages.ts";
import { Shared, type ThreadData } from "./shared.ts";

/** Megabytes of the thread's own memory at most; a run has limits of its own, and a history may double what it holds. */
const MEMORY = 4_096;

/** A run in a thread of its own: it can be asked while it stands, and ended at any time. */
export class RunThread {
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private readonly numbers: Int32Array;
  private readonly asked = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  private last = 0;
  private isOver = false;

  /**
   * @param entry file that calls `debugInThread`
   * @param told takes what the run tells, but for answers
   */
  constructor(entry: URL, job: SessionJob, told: (message: Told) => void) {
    const shared = new SharedArrayBuffer(4 * Shared.length);
    this.numbers = new Int32Array(shared);
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const workerData: ThreadData = { job, port: port2, shared };
    this.worker = new Worker(entry, {
      workerData,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    port1.on("message", (message: Told) => {
      if (this.isOver) return;
      if (message.kind === "answer") this.answered(message);
      else told(message);
    });
    this.worker.on("error", (error) => {
      if (!this.isOver)
        told({ kind: "ended", error: { kind: error.name, message: error.message, pointer: "" } });
    });
  }

  /** Id of the newest event. */
  get reached(): number {
    return Atomics.load(this.numbers, Shared.reached);
  }

  /** Whether the world was asked something and hasn't answered: a run that is ended now would ask it again. */
  get waits(): boolean {
    return Atomics.load(this.numbers, Shared.waiting) === 1;
  }

  async ask<Name extends Question>(
    question: Name,
    ...args: Parameters<Questions[Name]>
  ): Promise<ReturnType<Questions[Name]>> {
    if (this.isOver) throw new Error("The run is over.");
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.asked.set(id, { resolve, reject }));
    this.port.postMessage({ id, question, args });
    Atomics.add(this.numbers, Shared.questions, 1);
    Atomics.notify(this.numbers, Shared.questions);
    return (await answer) as ReturnType<Questions[Name]>;
  }

  /** Has the run stand at the next place where it can. */
  interrupt(): void {
    Atomics.store(this.numbers, Shared.interrupt, 1);
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    this.isOver = true;
    for (const { reject } of this.asked.values()) reject(new Error("The run was ended."));
    this.asked.clear();
    this.port.close();
    await this.worker.terminate();
  }

  private answered({ id, value, error }: Extract<Told, { kind: "answer" }>): void {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  }
}
