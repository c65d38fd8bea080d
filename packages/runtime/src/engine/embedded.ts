import type { Clock } from "../effects.ts";
import type { Steps } from "./engine.ts";

/** Steps are done at once and nothing is remembered but what they commit: the store alone says where to go on. */
export function embeddedSteps(clock: Clock): Steps {
  return {
    step: (_name, work) => work(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  };
}
