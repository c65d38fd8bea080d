import {
  type CredentialsFile,
  CredentialsFileError,
  credentialsFile,
  dryRunHttp,
  embeddedPlatform,
  nodeEffects,
  type Recorder,
  type Recording,
  record,
  replay,
} from "@configc/host";
import type { Effects, Http, HttpRequest } from "@configc/runtime";
import { UsageError } from "../command-line/usage-error.ts";
import type { LoadedConfig } from "./config.ts";
import type { RunVerbOptions } from "./options.ts";
import { readJsonFile } from "./read-input.ts";

/** The world of one run. */
export interface RunWorld {
  readonly effects: Effects;
  /** Names of the auths that there are credentials for. */
  readonly connections: readonly string[];
  readonly recorder: Recorder | undefined;
  /** What isn't recorded: for logins. */
  readonly http: Http;
  /** The file with the credentials, if one is named. */
  readonly file: CredentialsFile | undefined;
}

/** @throws UsageError if a file that is named can't be used */
export async function worldOf(
  options: RunVerbOptions,
  { settings }: LoadedConfig,
  show: (request: HttpRequest) => void,
): Promise<RunWorld> {
  const node = nodeEffects({ allowPrivateNetwork: options.allowPrivateNetwork });
  if (options.replay !== undefined) {
    const recording = readRecording(options.replay);
    const effects = { ...node, ...replay(recording).effects };
    return {
      effects,
      connections: Object.keys(recording.credentials),
      recorder: undefined,
      file: undefined,
      http: effects.http,
    };
  }
  const file =
    options.credentials === undefined ? undefined : await readCredentials(options.credentials, options.login);
  const effects: Effects = {
    ...node,
    platform: embeddedPlatform(settings.resources === undefined ? {} : { resources: settings.resources }),
    ...(file === undefined ? {} : { credentials: file }),
    ...(options.dryRun ? { http: dryRunHttp(show) } : {}),
  };
  const connections = file?.names() ?? [];
  if (options.record === undefined && !options.samples)
    return { effects, connections, recorder: undefined, file, http: effects.http };
  const recorder = record(effects);
  return { effects: recorder.effects, connections, recorder, file, http: effects.http };
}

async function readCredentials(path: string, login: boolean) {
  try {
    const credentials = await credentialsFile(path);
    if (credentials.names().length === 0 && !login)
      throw new UsageError(`There are no credentials in ${path}.`, "run");
    return credentials;
  } catch (error) {
    if (error instanceof CredentialsFileError) throw new UsageError(error.message, "run");
    throw error;
  }
}

function readRecording(path: string): Recording {
  const value = readJsonFile(path) as Partial<Record<keyof Recording, unknown>> | null;
  const lists = ["clock", "random", "ids", "http", "platform"] as const;
  const isRecording =
    typeof value === "object" &&
    value?.version === 1 &&
    lists.every((name) => Array.isArray(value[name])) &&
    typeof value.credentials === "object" &&
    value.credentials !== null;
  if (!isRecording)
    throw new UsageError(
      `${path} is no recording of this version: “configc run … --record ${path}” makes one.`,
      "run",
    );
  return value as unknown as Recording;
}
