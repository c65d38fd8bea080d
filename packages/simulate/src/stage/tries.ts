import { isHttpFailure, RunError } from "@configc/runtime";
import type { Stage } from "./stage.ts";

/** Why an app couldn't do something, and the place in its config where it failed. */
export interface StepFailure {
  readonly message: string;
  readonly pointer: string;
}

/** How something went that is done again while it fails. */
interface Tried {
  /** Of the last try; undefined where that succeeded. */
  readonly failure: StepFailure | undefined;
  /** Whether the process ended meanwhile. */
  readonly hasDied: boolean;
}

/** Tries of something that fails for the surroundings' sake. */
export const TRIES = 6;
/** Milliseconds between two of them. */
const BETWEEN = 900_000;

/**
 * Does something, again and again while its surroundings fail, and again after the process ended.
 *
 * @param revive makes the next process, after this one ended
 */
export async function tryAgain(
  stage: Stage,
  act: () => Promise<unknown>,
  revive: () => Promise<void>,
): Promise<Tried> {
  let failure: StepFailure | undefined;
  let hasDied = false;
  for (let tries = 0; tries < TRIES; tries++) {
    failure = undefined;
    try {
      await act();
      break;
    } catch (error) {
      if (stage.isDead) {
        hasDied = true;
        await revive();
        continue;
      }
      failure = failureOf(error);
      stage.now += BETWEEN;
    }
  }
  return { failure, hasDied };
}

/** What an error says of an app. @throws the error, where it isn't the app's or its service's */
export function failureOf(error: unknown): StepFailure {
  if (error instanceof RunError) return { message: error.message, pointer: error.pointer };
  if (isHttpFailure(error)) return { message: (error as Error).message, pointer: "" };
  throw error;
}
