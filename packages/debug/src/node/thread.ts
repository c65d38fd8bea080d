import { receiveMessageOnPort, workerData } from "node:worker_threads";
import type { CycledEffects } from "../run/plan.ts";
import type { Asked, SessionJob, Told } from "../session/messages.ts";
import { Session } from "../session/session.ts";
import { Shared, type ThreadData } from "./shared.ts";

/**
 * Entry of the thread in which a run is debugged. While the run stands, the thread does: it sleeps until it is asked something, so
 * nothing of the run goes on behind the back of whoever looks at it.
 *
 * @param effectsOf makes what the run does to the world, from the `source` of its job
 */
export async function debugInThread(
  effectsOf: (job: SessionJob, tell: (message: Told) => void) => Promise<CycledEffects>,
): Promise<void> {
  const { job, port, shared } = workerData as ThreadData;
  const numbers = new Int32Array(shared);
  const tell = (message: Told): void => {
    if (message.kind === "stopped") Atomics.store(numbers, Shared.interrupt, 0);
    port.postMessage(message);
  };
  const next = (): Asked => {
    for (;;) {
      const seen = Atomics.load(numbers, Shared.questions);
      const received = receiveMessageOnPort(port) as { readonly message: Asked } | undefined;
      if (received !== undefined) return received.message;
      Atomics.wait(numbers, Shared.questions, seen);
    }
  };
  let session: Session | undefined;
  port.on("message", (asked: Asked) => session?.answer(asked));
  try {
    session = new Session(job, {
      effects: await effectsOf(job, tell),
      waits: (isWaiting) => void Atomics.store(numbers, Shared.waiting, isWaiting ? 1 : 0),
      reached: (event) => void Atomics.store(numbers, Shared.reached, event),
      interrupted: () => Atomics.load(numbers, Shared.interrupt) === 1,
      tell,
      next,
    });
    await session.start();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    tell({ kind: "ended", error: { kind: name, message, pointer: "" } });
  } finally {
    port.close();
  }
}
