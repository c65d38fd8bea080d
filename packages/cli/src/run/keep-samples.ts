import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { compile, type PayloadSample, type Sample } from "@configc/compiler";
import {
  maskPayload,
  maskSample,
  readSamples,
  sampleContent,
  sampleFileName,
} from "@configc/compiler/internal";
import type { Recording } from "@configc/host";
import { samplesFolder } from "@configc/language-server/samples";
import type { ReceivedDelivery } from "@configc/runtime";
import { personal, writeAtomically } from "../files/write.ts";

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
  return keepMasked(config, maskedSamples(config, recording));
}

/** Keeps answers that came from elsewhere in the same way. */
export function keepAnswers(
  config: string,
  answers: readonly Sample[],
): { readonly folder: string; readonly written: number } {
  const { model } = compile(readFileSync(config), { uri: config });
  return keepMasked(
    config,
    answers.map((sample) => maskSample(sample, model)),
  );
}

function keepMasked(
  config: string,
  masked: readonly Sample[],
): { readonly folder: string; readonly written: number } {
  const folder = samplesFolder(resolve(config));
  const written = masked.filter((each) => keep(folder, each) !== undefined).length;
  return { folder: relative("", folder), written };
}

/** Whether a file is one among the samples of a config: what is kept there is masked, however it comes there. */
export function isAmongSamples(path: string, config: string): boolean {
  return dirname(resolve(path)) === samplesFolder(resolve(config));
}

/** The answers of a run as one file of samples, masked. */
export function samplesFile(config: string, recording: Recording): string {
  const samples = maskedSamples(config, recording).map((each) => JSON.parse(sampleContent(each)) as unknown);
  return `${JSON.stringify(samples, undefined, 2)}\n`;
}

function maskedSamples(config: string, recording: Recording): Sample[] {
  const { model } = compile(readFileSync(config), { uri: config });
  const read = readSamples("recording", recording);
  return "samples" in read ? read.samples.map((sample) => maskSample(sample, model)) : [];
}

/**
 * Keeps what a webhook sent in the same way.
 *
 * @returns the file as people are told of it; undefined if there is such a sample already
 * @throws Error with a `syscall` if it can't be written
 */
export function keepPayload(
  config: string,
  { intake, payload, numbered }: ReceivedDelivery,
): string | undefined {
  // Exact numbers become plain ones, as a file has them.
  const plain = JSON.parse(JSON.stringify(payload)) as PayloadSample["payload"];
  const path = keep(
    samplesFolder(resolve(config)),
    maskPayload({ name: "", webhook: intake, payload: plain, numbered }),
  );
  return path === undefined ? undefined : relative("", path);
}

/** @returns the file, if it is new */
function keep(folder: string, masked: Sample | PayloadSample): string | undefined {
  const content = sampleContent(masked);
  const name = sampleFileName(masked, (taken) => isOther(join(folder, taken), content));
  const path = join(folder, name);
  if (existsSync(path)) return undefined;
  writeAtomically(path, content, personal);
  return path;
}

/** Whether a file is there and has another content. */
function isOther(path: string, content: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8") !== content;
}
