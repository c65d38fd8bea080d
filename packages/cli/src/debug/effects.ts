import type { Settings, WorldFile } from "@configc/compiler";
import { resourceSettings } from "@configc/compiler/internal";
import type { CycledEffects, SessionJob, Told } from "@configc/debug/node";
import {
  credentialsFile,
  credentialsInMemory,
  embeddedPlatform,
  nodeEffects,
  type RecordedExchange,
  type Recording,
  replay,
  replayHttp,
} from "@configc/host";
import { type CaseGiven, caseEffects } from "@configc/host/internal";
import { isObject } from "@configc/jq/internal";
import { type Credential, type Credentials, type Effects, portableEffects } from "@configc/runtime";
import { answeringService, type KnownApi, type World, withKnown } from "@configc/simulate";

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
  /** The service that the app takes its own for. */
  | {
      readonly kind: "simulated";
      /** What happens there. */
      readonly world?: World;
      readonly known?: WorldFile;
      /** What documents, samples and recordings say of it. */
      readonly api?: KnownApi;
      readonly resources: Settings["resources"] | undefined;
    }
  | {
      readonly kind: "case";
      readonly given: CaseGiven;
      /** What answers each of its cycles, and when it begins. */
      readonly cycles?: readonly { readonly start: number; readonly http: readonly RecordedExchange[] }[];
      readonly resources: Settings["resources"] | undefined;
    };

/** The effects of a run, in the thread that runs it. */
export async function effectsOf(job: SessionJob, tell: (message: Told) => void): Promise<CycledEffects> {
  const from = job.source as RunSource;
  switch (from.kind) {
    case "simulated":
      return await simulatedEffects(job, from);
    case "recording":
      return portableEffects(replay(from.recording).effects);
    case "case":
      return caseEffectsOf(from);
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

function caseEffectsOf({ given, cycles, resources }: Extract<RunSource, { kind: "case" }>): CycledEffects {
  if (cycles === undefined) return caseEffects(given, replayHttp(given.http ?? []), resourcesOf(resources));
  const worldOf = (index: number) => {
    const { start = 0, http = [] } = cycles[index] ?? {};
    const at = { ...given, now: new Date(start).toISOString() };
    return caseEffects(at, replayHttp(http), resourcesOf(resources));
  };
  const effects = worldOf(0);
  let { clock, http } = effects;
  return {
    ...effects,
    clock: { now: () => clock.now(), sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal) },
    http: { request: (sent) => http.request(sent) },
    beginCycle: (index) => {
      ({ clock, http } = worldOf(index));
    },
  };
}

/** What comes after an edit: the clock goes on from where it stood. */
async function simulatedEffects(
  { app, plan, heard }: SessionJob,
  { world, known, api = {}, resources }: Extract<RunSource, { kind: "simulated" }>,
): Promise<Effects> {
  const last = heard.findLast(({ question }) => question === "now")?.value;
  const begun = Date.now();
  const start = typeof last === "number" ? last : begun;
  const now = (): number => start + Date.now() - begun;
  const form = plan.given.context?.custom_data;
  const service = await answeringService(withKnown(app, api), plan.node, {
    now: start,
    ...(isObject(form) ? { form } : {}),
    ...(world === undefined ? {} : { world }),
    ...(known === undefined ? {} : { known }),
  });
  const effects = caseEffects(
    { run: plan.node },
    { request: async (request) => service.answer(request, now()) },
    resourcesOf(resources),
  );
  return { ...effects, clock: { ...effects.clock, now }, credentials: service.credentials };
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
