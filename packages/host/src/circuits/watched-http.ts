import { AsyncLocalStorage } from "node:async_hooks";
import type { App } from "@configc/compiler";
import { type Http, HttpFailure, isHttpFailure } from "@configc/runtime";
import type { Circuits, Outcome } from "./circuits.ts";

/** Around the work of a job: what a person asks for at that moment is tried in any case. */
const inJob = new AsyncLocalStorage<true>();

/** Does a job's work, whose requests to services that are left alone fail at once. */
export function asJob<R>(work: () => Promise<R>): Promise<R> {
  return inJob.run(true, work);
}

/** HTTP for an app that tells how its services answer, and leaves those alone that don't (E39). */
export function watchedHttp(http: Http, name: string, app: App, circuits: Circuits): Http {
  const own = originOf(app);
  return {
    async request(request) {
      const { origin } = new URL(request.url);
      const until = inJob.getStore() === true ? circuits.openUntil(name, origin) : undefined;
      if (until !== undefined)
        throw new HttpFailure(
          "unavailable",
          `${origin} hasn't answered lately, and is left alone until ${new Date(until).toISOString()}`,
          undefined,
          until,
        );
      const ended = (outcome: Outcome): void => circuits.ended(name, origin, origin === own, outcome);
      try {
        const response = await http.request(request);
        ended(response.status === 429 || response.status >= 500 ? "refused" : "answered");
        return response;
      } catch (error) {
        // Whoever ends a run has learnt nothing of the service; one that sends too much is there.
        if (!request.signal.aborted && isHttpFailure(error) && isSilence(error)) ended("silent");
        throw error;
      }
    },
  };
}

function isSilence({ kind }: HttpFailure): boolean {
  return kind === "network" || kind === "timeout";
}

/** The origin of an app's API; undefined where each customer has another. */
function originOf({ api: { baseUrl } }: App): string | undefined {
  if (baseUrl === undefined || !baseUrl.every((part) => typeof part === "string")) return undefined;
  const url = baseUrl.join("");
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
