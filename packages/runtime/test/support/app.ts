import { type App, compile } from "@configc/compiler";
import type { Json } from "@configc/jq";
import {
  createRuntime,
  type Effects,
  type RunError,
  type RunOptions,
  type RuntimeOptions,
} from "@configc/runtime";
import { testEffects } from "./effects.ts";

/** Where `appWith` puts the command. */
export const node = "/workflows/0/data_pipeline/source";

export interface AppParts {
  readonly api?: object;
  /** The entry `acme`, which the workflow uses. */
  readonly entry?: object;
}

/** An app with the command as the source of its only pipeline. */
export function appWith(command: unknown, { api, entry }: AppParts = {}): App {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      ...(entry === undefined ? {} : { auth: { acme: entry } }),
      ...(api === undefined ? {} : { api }),
      workflows: [
        {
          name: "one",
          label: "One",
          type: "automations",
          auth: "acme",
          setup: {},
          data_pipeline: { source: command },
        },
      ],
    }),
  );
  return app;
}

export interface RunParts extends RunOptions, AppParts {
  readonly effects?: Effects;
  readonly runtime?: RuntimeOptions;
}

/** Runs a command at its place. */
export async function runCommand(
  command: unknown,
  { api, entry, effects = testEffects(), runtime, ...options }: RunParts = {},
): Promise<Json> {
  const parts = { ...(api === undefined ? {} : { api }), ...(entry === undefined ? {} : { entry }) };
  return await createRuntime(appWith(command, parts), effects, runtime).run(node, options);
}

/** The error that a run fails with. */
export async function failureOf(run: Promise<unknown>): Promise<RunError> {
  return await run.then(
    (value) => {
      throw new Error(`The run didn't fail; it gave ${JSON.stringify(value)}.`);
    },
    (error: RunError) => error,
  );
}
