import type { WriteStream } from "node:tty";
import { harmless } from "@configc/runtime/internal";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import type { LoadFormatter } from "../formats/format.ts";
import { formatterOf } from "../formats/index.ts";
import { withoutCommands } from "../terminal/harmless.ts";
import { hasColour, note, printReport, widthOf } from "../terminal/output.ts";
import type { Output } from "./options.ts";
import type { Report } from "./report.ts";

/** Where a report goes. */
interface ReportTargets {
  readonly outputs: readonly Output[];
  /** Takes the formats without a file. */
  readonly stream: WriteStream;
  /** See `formatterOf`. */
  readonly sarif: LoadFormatter;
}

/**
 * Writes a report in each of the formats.
 *
 * @returns whether every file could be written
 */
export async function writeReport(
  report: Report,
  { outputs, stream, sarif }: ReportTargets,
): Promise<boolean> {
  let written = true;
  for (const { format: name, file } of outputs) {
    const format = await formatterOf(name, sarif);
    if (file === undefined) {
      const colour = hasColour(stream);
      const text = format(report, { colour, width: widthOf(stream) });
      printReport(name === "github" ? text : withoutCommands(text), stream);
      continue;
    }
    try {
      writeAtomically(file, harmless(format(report, { colour: false, width: 120 })));
    } catch (error) {
      note(`configc: ${file} can't be written: ${reasonOf(error)}`);
      written = false;
    }
  }
  return written;
}
