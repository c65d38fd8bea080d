import type { Readable } from "node:stream";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds without a word of the client's, after which it is taken to be thinking, … */
const PAUSE = 1_000;
/** … and at rest: the engine's space for new objects shrinks only some seconds after the last work. */
const REST = 10_000;
/** Milliseconds between two collections, so that a word which comes by then waits for one of them at most. */
const BREATH = 150;
/** Bytes of growth that are worth collections: fewer come together in a few edits. */
const WORTH = 32 * 2 ** 20;
/** Bytes that a collection gives back, if another one is likely to give back more. */
const GAIN = 8 * 2 ** 20;

/**
 * Collects garbage in the client's pauses. Each edit leaves some behind, and the engine, which expects as much work to follow, lets it
 * grow to several times what is in use before it looks at all of it. It takes a few collections to give back what is free, since each
 * frees the pages that the one before it emptied.
 *
 * @param input what the client says
 */
export function collectWhenIdle(input: Readable): void {
  let timer: NodeJS.Timeout | undefined;
  let settled = 0;
  let collect: (() => void) | undefined;
  const pause = (): void => {
    const before = heapSize();
    if (before - settled >= WORTH) {
      collect ??= collector();
      collect();
      if (before - heapSize() >= GAIN) return wait(BREATH, pause);
      settled = heapSize();
    }
    wait(REST - PAUSE, rest);
  };
  const rest = (): void => {
    collect?.();
    settled = heapSize();
    collect = undefined;
  };
  const wait = (milliseconds: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, milliseconds).unref();
  };
  input.on("data", () => wait(PAUSE, pause));
}

const heapSize = (): number => getHeapStatistics().total_heap_size;

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
