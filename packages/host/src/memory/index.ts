import { getHeapStatistics } from "node:v8";
import { SharedMemory } from "./shared-memory.ts";

export { SharedMemory, type SharedMemoryOptions } from "./shared-memory.ts";

/** Of the heap: the rest is for the program itself, for what is garbage but not yet collected, and for what isn't counted. */
const PART = 1 / 2;

/** The least that it is of use with: one answer of the usual limit. */
const LEAST = 64 * 1024 * 1024;

let shared: SharedMemory | undefined;

/** The budget of this process: half of what V8 may use (`--max-old-space-size`). All hosts in a process share it. */
export function processMemory(): SharedMemory {
  shared ??= new SharedMemory({ total: Math.max(LEAST, getHeapStatistics().heap_size_limit * PART) });
  return shared;
}
