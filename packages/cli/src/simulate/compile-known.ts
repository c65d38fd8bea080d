import { resolve } from "node:path";
import { compile, type Diagnostic, type Samples } from "@configc/compiler";
import { knownApi, withKnown } from "@configc/simulate";
import { sampleFiles } from "../check/tasks.ts";
import { readNamedFile } from "../files/read.ts";
import type { LoadedConfig } from "../run/config.ts";
import { nearestSettings } from "../settings/nearest.ts";

/** A config whose app has with it what documents, samples and recordings say of its service. */
export interface KnownConfig extends LoadedConfig {
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that are errors. */
  readonly errors: readonly Diagnostic[];
  readonly samples: Samples;
}

/** @throws UsageError if it can't be opened, or its settings are wrong */
export async function compileKnown(file: string, verb: string): Promise<KnownConfig> {
  const absolute = resolve(file);
  const finder = nearestSettings();
  const settings = finder.ofFile(absolute);
  const text = readNamedFile(file, verb);
  const files = sampleFiles();
  const sources = finder.samplesOf(absolute);
  // Only what the settings name may have to be waited for.
  if (sources !== undefined) await files.load(absolute, sources);
  const samples = files.of(absolute, sources);
  const { model, app, diagnostics } = compile(text, { uri: file, settings, samples });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { file, model, app: withKnown(app, knownApi(model)), settings, diagnostics, errors, samples };
}
