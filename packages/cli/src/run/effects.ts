import { existsSync } from "node:fs";
import { resourceSettings } from "@configc/compiler/internal";
import {
  type CredentialsFile,
  CredentialsFileError,
  credentialsFile,
  embeddedPlatform,
  nodeEffects,
  type Recorder,
  type Recording,
  record,
  replay,
} from "@configc/host";
import { dryRunHttp } from "@configc/host/internal";
import type { Effects, Http, HttpRequest } from "@configc/runtime";
import { UsageError } from "../command-line/usage-error.ts";
import type { LoadedConfig } from "./config.ts";
import type { RunVerbOptions } from "./options.ts";

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

/**
 * @param recording that answers instead of the network, if one does
 * @throws UsageError if a file that is named can't be used
 */
export async function worldOf(
  options: RunVerbOptions,
  { settings }: LoadedConfig,
  recording: Recording | undefined,
  show: (request: HttpRequest) => void,
): Promise<RunWorld> {
  const node = nodeEffects({ allowPrivateNetwork: options.allowPrivateNetwork });
  if (recording !== undefined) {
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
    platform: embeddedPlatform({ resources: resourceSettings(settings) }),
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
      throw new UsageError(
        existsSync(path)
          ? `There are no credentials in ${path}.`
          : `The credentials file ${path} doesn't exist. --login logs in by OAuth and writes it.`,
        "run",
      );
    return credentials;
  } catch (error) {
    if (error instanceof CredentialsFileError) throw new UsageError(error.message, "run");
    throw error;
  }
}
