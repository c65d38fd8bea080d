import type { Samples, Settings } from "@configc/compiler";
import { fixText } from "@configc/compiler";
import { readWhole } from "@configc/language-server/samples";
import { failureOf } from "../files/failure.ts";
import type { Source } from "../files/source.ts";
import { writeAtomically } from "../files/write.ts";
import { allowBaselineCode } from "./baseline-code.ts";
import { checkText } from "./check-text.ts";
import type { Outcome } from "./outcome.ts";
import type { TaskOptions } from "./task-options.ts";

/** Bytes of a file that is as much work as some dozen others. */
const LARGE = 100_000;

/** A file to check, with what holds for it. */
export interface Task {
  readonly source: Source;
  readonly settings: Partial<Settings>;
  readonly samples: Samples;
}

/**
 * Reads, fixes if asked to, and checks one file.
 *
 * @param content if it was read already
 */
export function checkFile(
  { source, settings, samples }: Task,
  options: TaskOptions,
  content: Uint8Array | undefined = source.content,
): Outcome {
  const { path, absolute } = source;
  try {
    const bytes = content ?? readWhole(absolute);
    if (bytes.length > LARGE) allowBaselineCode();
    if (options.fix === "no") {
      const file = checkText(path, bytes, settings, samples, options);
      return { file, original: file.text };
    }
    const { text, fixed } = fixText(path, bytes, settings);
    if (fixed > 0 && options.fix === "write" && source.content === undefined) writeAtomically(absolute, text);
    // Bytes rather than text where nothing changed: only they tell that a file isn't UTF-8.
    const file = checkText(path, fixed > 0 ? text : bytes, settings, samples, options);
    return {
      file: { ...file, fixed },
      original: fixed > 0 ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : text,
    };
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return { failure: failureOf(path, error) };
    throw error;
  }
}
