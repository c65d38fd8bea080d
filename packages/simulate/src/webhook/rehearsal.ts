import type { Runtime } from "@configc/runtime";
import { Collection } from "../service/collection.ts";
import { Stage } from "../stage/stage.ts";
import { kindest } from "../world/hypotheses.ts";
import type { ServiceHook } from "./hooks.ts";
import { Site } from "./site.ts";
import type { Challenge, WebhookSubject } from "./subject.ts";

/** A stage on which nothing happens but what is asked. */
export function rehearsal(
  subject: Pick<WebhookSubject, "app" | "workflow" | "form" | "mapping" | "protocol"> & {
    readonly challenge?: Challenge | undefined;
  },
  onRegistered: (hook: ServiceHook) => Promise<boolean> = async () => true,
): {
  readonly stage: Stage;
  readonly runtime: Runtime;
  readonly site: Site;
} {
  const { app, protocol } = subject;
  const site = new Site(
    app,
    protocol,
    new Collection(),
    { ...kindest, rounding: 1_000 },
    undefined,
    subject.challenge,
  );
  const stage: Stage = new Stage(subject, {
    seed: 0,
    faults: [],
    customers: MOST,
    serve: (request) => site.answer(request, stage.now, onRegistered),
  });
  return { stage, runtime: stage.runtime(), site };
}

/** Installations that one world has, at most. */
export const MOST = 2;
