import { readWhole } from "@configc/language-server/samples";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "./failure.ts";

/**
 * The bytes of a file that the command line names.
 *
 * @param verb whose help is named in the message
 * @throws UsageError that says why it can't be read
 */
export function readNamedFile(file: string, verb: string): Uint8Array {
  try {
    return readWhole(file);
  } catch (error) {
    throw new UsageError(`${file}: ${reasonOf(error)}.`, verb);
  }
}
