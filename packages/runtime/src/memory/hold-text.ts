import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Frame } from "../step.ts";
import { valueCost } from "./json-cost.ts";
import { takeRoom } from "./memory.ts";

/** Of what a value takes up, its text, and the bytes that it is sent or kept as. */
const TEXT_AND_BYTES = 2;

/**
 * Takes room for the text of a value before it is made: the same parts may stand in the value many times, and then the text is larger than it.
 *
 * @param what it is, in an error
 * @returns undefined if there is room, which is the usual
 * @throws RunError
 */
export function holdText(
  { room, signal }: Pick<Frame, "room" | "signal">,
  value: Json,
  what: string,
  place: AppNode,
): Promise<void> | undefined {
  return room === undefined
    ? undefined
    : takeRoom(room, TEXT_AND_BYTES * valueCost(value), what, signal, place);
}
