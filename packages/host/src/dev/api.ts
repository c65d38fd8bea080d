import { type Json, parseExact } from "@configc/runtime";
import { type HostActName, type HostTarget, hostActs, operate } from "../acts/index.ts";
import { failedItemsOf, failingOf, type ListFilter, stateOf } from "../answers/lists.ts";
import { why } from "../answers/why.ts";
import { PageError, type Site } from "./site.ts";

/**
 * What operators ask of a fleet, asked of the app on this machine (E206): the same addresses below `/api/`, as far as they mean something here.
 *
 * @param parts of the address behind `/api/`
 * @throws PageError, RunError for what can't be answered or done
 */
export async function api(
  site: Site,
  method: string,
  [what = "", id]: readonly string[],
  asked: Readonly<Record<string, string>>,
  body: () => Promise<string>,
): Promise<unknown> {
  const { host, name, app } = site;
  const { customer, installation } = asked;
  const filter: ListFilter = {
    app: name,
    ...(customer === undefined ? {} : { customer }),
    ...(installation === undefined ? {} : { installation }),
  };
  if (method === "POST" && what === "acts" && isAct(id)) {
    const { target, dryRun, why: reason } = given(await body());
    return await operate(host, id, { target: { app: name, ...target }, dryRun, why: reason });
  }
  if (method !== "GET") throw new PageError(405, `Acts are posted to /api/acts/: ${hostActs.join(", ")}.`);
  if (what === "installations" && id !== undefined) {
    const now = host.effects.clock.now();
    const told = await why({ store: host.store, installation: id, now, appOf: async () => app });
    if (told === undefined) throw new PageError(404, `There is no installation “${id}”.`);
    return told;
  }
  switch (what) {
    case "queues":
      return { apps: [await stateOf(host.store, name)] };
    case "failing":
      return { rows: await failingOf(host.store, filter) };
    case "items":
      return { rows: await failedItemsOf(host.store, filter) };
    default:
      throw new PageError(404, "There are `/api/` queues, failing, items, installations/ID and acts/NAME.");
  }
}

function isAct(name: string | undefined): name is HostActName {
  return (hostActs as readonly (string | undefined)[]).includes(name);
}

function given(text: string): {
  readonly target: HostTarget;
  readonly dryRun: boolean;
  readonly why: string;
} {
  let value: Json;
  try {
    value = parseExact(text);
  } catch {
    throw new PageError(400, "The body isn't JSON.");
  }
  const { target, dryRun = false, why: reason = "" } = object(value);
  const known = object(target ?? null);
  if (typeof dryRun !== "boolean" || typeof reason !== "string")
    throw new PageError(400, "`dryRun` needs true or false, `why` a string.");
  const names: readonly string[] = ["app", "customer", "installation", "fingerprint", "item"];
  const wrong = Object.entries(known).find(([key, each]) => typeof each !== "string" || !names.includes(key));
  if (wrong !== undefined || Object.keys(known).length === 0)
    throw new PageError(400, `\`target\` needs some of ${names.join(", ")}, as strings.`);
  return { target: known as HostTarget, dryRun, why: reason };
}

function object(value: Json): Readonly<Record<string, Json>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, Json>>;
  throw new PageError(400, "The body and its `target` need to be objects.");
}
