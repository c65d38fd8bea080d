import { isPutOff } from "../engine/put-off.ts";
import type { Services, Work } from "./services.ts";

/**
 * Does a part of a run that fails with `until` where it would wait long for a rate limit. An engine lets others have the run's place and
 * begins it anew then; one that has no queue waits, and so does the part from then on.
 *
 * @param part is given the milliseconds for which it waits where it is; undefined: as long as it takes
 * @param note keeps until when it waits, if the run ends here
 */
export async function waitOrPutOff<R>(
  { engine, effects, limits }: Services,
  { signal }: Work,
  part: (patience: number | undefined) => Promise<R>,
  note: (until: number) => Promise<void>,
): Promise<R> {
  let patience: number | undefined = limits.patience;
  for (;;) {
    try {
      return await part(patience);
    } catch (error) {
      if (!isPutOff(error)) throw error;
      const { until } = error;
      try {
        await engine.sleep(Math.max(0, until - effects.clock.now()), signal);
      } catch (ended) {
        if (isPutOff(ended)) await note(until);
        throw ended;
      }
      patience = undefined;
    }
  }
}
