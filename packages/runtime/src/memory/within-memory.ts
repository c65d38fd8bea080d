import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import type { Frame } from "../step.ts";
import { valueCost } from "./json-cost.ts";
import { megabytes, type Room, takeRoom } from "./memory.ts";

/** What came of running a program with so much memory. */
export type Attempt = Made | Failed;

interface Told {
  /** Tells whoever listens; only of the attempt that counts. */
  readonly tell: () => void;
}

interface Made extends Told {
  readonly output: Json;
  /** Bytes that it made, what is garbage by now included. */
  readonly made: number;
}

interface Failed extends Told {
  readonly error: RunError;
  /** Whether it failed only because it had too little memory. */
  readonly isShort: boolean;
}

/** How much more memory a program gets that had too little: so many attempts are few, and the last isn't much longer than those before together. */
const GROWTH = 4;

/**
 * Runs a program within the memory of the process (E44). While it runs nothing else does, so it may use what is free, and a part that is kept for
 * this; one that needs more waits until there is more, and is run again: it has no effects. What it gave is held until the run ends.
 *
 * @param run one attempt, with so many bytes
 * @throws RunError of the program; `LimitError` if it needs more than it may ever have, `MemoryError` if others have it just now
 */
export function withinMemory(
  frame: Frame,
  place: AppNode,
  run: (memory: number) => Attempt,
): Json | Promise<Json> {
  const { limits, room } = frame;
  const { now, ever } = room?.passing() ?? { now: limits.jqMemory, ever: limits.jqMemory };
  const most = Math.min(limits.jqMemory, ever);
  const memory = Math.min(now, most);
  const attempt = run(memory);
  if (room !== undefined && isShort(attempt) && memory < limits.jqMemory)
    return runAgain({ frame, place, room, run, most }, attempt, memory);
  return keep(attempt, frame, place);
}

interface Waiting {
  readonly frame: Frame;
  readonly place: AppNode;
  readonly room: Room;
  readonly run: (memory: number) => Attempt;
  readonly most: number;
}

async function runAgain(
  { frame, place, room, run, most }: Waiting,
  first: Attempt,
  memory: number,
): Promise<Json> {
  let attempt = first;
  let [had, held] = [memory, 0];
  const part = room.part();
  try {
    while (isShort(attempt) && had < most) {
      const wanted = Math.min(most, GROWTH * had);
      const lacking = wanted - room.passing().always - held;
      await takeRoom(part, lacking, "What the program makes", frame.signal, place);
      held += Math.max(0, lacking);
      had = Math.max(wanted, Math.min(most, held + room.passing().now));
      attempt = run(had);
    }
  } finally {
    part.close();
  }
  if (isShort(attempt) && most < frame.limits.jqMemory) {
    attempt.tell();
    throw new RunError(
      "LimitError",
      `The program takes more than ${megabytes(most)} of memory, the most for one app. Let it work on less, such as smaller pages.`,
      place,
    );
  }
  return await keep(attempt, frame, place);
}

function isShort(attempt: Attempt): attempt is Failed {
  return "error" in attempt && attempt.isShort;
}

/** What a program gave, when there is room for it. */
function keep(attempt: Attempt, { limits, room, signal }: Frame, place: AppNode): Json | Promise<Json> {
  attempt.tell();
  if ("error" in attempt) throw attempt.error;
  const { output, made } = attempt;
  if (typeof output !== "object" && typeof output !== "string") return output;
  const cost = valueCost(output, limits.jqMemory);
  if (cost > limits.jqMemory)
    throw new RunError(
      "LimitError",
      `The program gives a value that takes more than ${megabytes(limits.jqMemory)} as text: it repeats the same parts many times.`,
      place,
    );
  // What of it was there before is held already.
  const held = Math.min(made, cost);
  if (room === undefined || held === 0) return output;
  const waiting = takeRoom(room, held, "What the program gives", signal, place);
  return waiting === undefined ? output : waiting.then(() => output);
}
