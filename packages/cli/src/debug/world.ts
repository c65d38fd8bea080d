import type { Settings } from "@configc/compiler";
import { resourceSettings } from "@configc/compiler/internal";
import type { SessionJob, Told } from "@configc/debug/node";
import {
  type CaseGiven,
  caseEffects,
  credentialsFile,
  credentialsInMemory,
  embeddedPlatform,
  nodeEffects,
  type Recording,
  replay,
  replayHttp,
} from "@configc/host";
import { type Credential, type Credentials, type Effects, portableEffects } from "@configc/runtime";

/** What answers a run that is debugged. */
export type RunSource =
  | {
      readonly kind: "live";
      readonly allowPrivateNetwork: boolean;
      /** A credentials file, or what stands in one. */
      readonly credentials?: string | Readonly<Record<string, Credential>>;
      readonly resources: Settings["resources"] | undefined;
    }
  | { readonly kind: "recording"; readonly recording: Recording }
  | {
      readonly kind: "case";
      readonly given: CaseGiven;
      readonly resources: Settings["resources"] | undefined;
    };

/** The effects of a run, in the thread that runs it. */
export async function effectsOf({ source }: SessionJob, tell: (message: Told) => void): Promise<Effects> {
  const from = source as RunSource;
  switch (from.kind) {
    case "recording":
      return portableEffects(replay(from.recording).effects);
    case "case":
      return caseEffects(from.given, replayHttp(from.given.http ?? []), resourcesOf(from.resources));
    case "live": {
      const { credentials, allowPrivateNetwork, resources } = from;
      const kept =
        typeof credentials === "string"
          ? await credentialsFile(credentials)
          : credentials === undefined
            ? undefined
            : telling(credentials, tell);
      return {
        ...nodeEffects({ allowPrivateNetwork }),
        platform: embeddedPlatform({ resources: resourcesOf(resources) }),
        ...(kept === undefined ? {} : { credentials: kept }),
      };
    }
  }
}

/** Credentials that somebody else keeps, who is told of those that were renewed. */
function telling(known: Readonly<Record<string, Credential>>, tell: (message: Told) => void): Credentials {
  const inMemory = credentialsInMemory(known);
  return {
    ...inMemory,
    async write(connection, credential, replaced) {
      await inMemory.write(connection, credential, replaced);
      tell({ kind: "renewed", auth: connection, credential });
    },
  };
}

function resourcesOf(resources: Settings["resources"] | undefined) {
  return resourceSettings(resources === undefined ? {} : { resources });
}
