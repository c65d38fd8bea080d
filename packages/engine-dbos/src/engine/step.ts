import { type Json, RunError, type RunErrorKind } from "@configc/runtime";
import { isPutOff } from "@configc/runtime/internal";
import { DBOS } from "@dbos-inc/dbos-sdk";

/** What is recorded of a step: what it gave, or how it failed. */
export interface Recorded {
  readonly value?: Json;
  readonly failure?: RecordedFailure;
}

interface RecordedFailure {
  readonly kind: RunErrorKind;
  readonly message: string;
  readonly pointer: string;
  readonly status?: number;
  readonly until?: number;
}

/**
 * Does a step of the run around it and records it, or gives what was recorded. Outside of a run, and inside of a step, it is
 * simply done.
 *
 * What was cancelled is neither done nor failed: nothing is recorded, and whoever takes up the run does it again.
 */
export async function recordedStep<R extends Json | undefined>(
  name: string,
  work: () => Promise<R>,
): Promise<R> {
  if (!DBOS.isWithinWorkflow() || DBOS.isInStep()) return await work();
  let live: unknown;
  let cancel = (_error: unknown): void => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    cancel = reject;
  });
  cancelled.catch(() => undefined);
  const attempt = async (): Promise<Recorded> => {
    try {
      const value = await work();
      return value === undefined ? {} : { value };
    } catch (error) {
      // A run that is put off is over, and another one goes on.
      if (isCancelled(error) && !isPutOff(error)) {
        cancel(error);
        // DBOS would record the end of this promise, whatever it is.
        return await new Promise<never>(() => undefined);
      }
      live = error;
      return { failure: recordedFailure(error) };
    }
  };
  let recorded: Recorded;
  try {
    recorded = await Promise.race([DBOS.runStep(attempt, { name }), cancelled]);
  } catch (error) {
    throw isCancelled(error) ? error : interrupted(error);
  }
  // The work has given it, here or in the process that recorded it.
  if (recorded.failure === undefined) return recorded.value as R;
  throw live ?? restored(recorded.failure);
}

/** The engine itself ends the run here: it was cancelled, or another worker has taken it up. */
function interrupted(cause: unknown): RunError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new RunError("Cancelled", `The run was ended: ${message}`, undefined, { cause });
}

export function isCancelled(error: unknown): error is RunError {
  return error instanceof RunError && error.kind === "Cancelled";
}

function recordedFailure(error: unknown): RecordedFailure {
  if (error instanceof RunError) {
    const { kind, message, pointer, status, until } = error;
    return {
      kind,
      message,
      pointer,
      ...(status === undefined ? {} : { status }),
      ...(until === undefined ? {} : { until }),
    };
  }
  // A mistake of ours, or of the host's effects: their own fault wherever it is tried again.
  return { kind: "DataError", message: error instanceof Error ? error.message : String(error), pointer: "" };
}

function restored({ kind, message, pointer, status, until }: RecordedFailure): RunError {
  const place = { pointer, span: { start: 0, end: 0 } };
  return new RunError(kind, message, place, {
    ...(status === undefined ? {} : { status }),
    ...(until === undefined ? {} : { until }),
  });
}
