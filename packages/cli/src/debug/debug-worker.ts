import { debugInThread } from "@configc/debug/node";
import { effectsOf } from "./effects.ts";

/** Entry of a thread: a run that is debugged stands with its thread, and is ended with it. */
export async function debugRunInThread(): Promise<void> {
  await debugInThread(effectsOf);
}
