import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { maskSample, readSamples, sampleContent, sampleFileName } from "@configc/compiler";
import type { Recording } from "@configc/host";
import { samplesFolder } from "@configc/language-server/samples";
import { writeAtomically } from "../files/write.ts";

/**
 * Keeps the answers of a run as samples beside the config, masked; one that is there already isn't written again.
 *
 * @returns the folder as people are told of it, and how many files are new
 * @throws Error with a `syscall` if a file can't be written
 */
export function keepSamples(
  config: string,
  recording: Recording,
): { readonly folder: string; readonly written: number } {
  const folder = samplesFolder(resolve(config));
  const read = readSamples("recording", recording);
  let written = 0;
  for (const sample of "samples" in read ? read.samples : []) {
    const masked = maskSample(sample);
    const content = sampleContent(masked);
    const name = sampleFileName(masked, (taken) => isOther(join(folder, taken), content));
    if (existsSync(join(folder, name))) continue;
    writeAtomically(join(folder, name), content);
    written++;
  }
  return { folder: relative("", folder), written };
}

/** Whether a file is there and has another content. */
function isOther(path: string, content: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8") !== content;
}
