import type { AppIntake } from "@configc/compiler";
import { type Json, printExact } from "@configc/jq";
import { isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import type { Services, Work } from "../intake/services.ts";
import { type Owners, storedValues } from "../store/saved-data.ts";
import type { Installation, Registration } from "../store/tables.ts";

/** The installations that a payload is for, or why there is none: it is never given to all (D31). */
type Route =
  | { readonly installations: readonly Installation[] }
  | { readonly installations?: undefined; readonly reason: string };

/**
 * Finds the installations whose connection has the payload's `account_id`, and whose selection has its `resource_id`.
 *
 * @throws RunError of the surroundings
 */
export async function route(
  services: Services,
  registration: Registration,
  intake: AppIntake,
  payload: Json,
  work: Work,
): Promise<Route> {
  const members = await membersOf(services, registration);
  if (members.length === 0) return { reason: "No installation uses this webhook." };
  if (registration.scope === "workflow") return { installations: members };
  const owners: Owners = {
    application: services.name,
    ...(registration.scope === "connection" ? { connection: registration.owner } : {}),
  };
  let account: string | undefined;
  let resource: string | undefined;
  try {
    const ask = asker(services, intake, owners, payload, work);
    account = await ask("account_id");
    resource = await ask("resource_id");
  } catch (error) {
    if (!isOwnFailure(error)) throw error;
    return { reason: `It can't be routed: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (registration.scope === "application" && account === undefined)
    return { reason: "It names no account, and the webhook is one for all customers." };
  const matching = members.filter(
    ({ settings }) =>
      (account === undefined || settings?.accountId === account) &&
      (resource === undefined || settings?.resourceId === resource),
  );
  if (matching.length > 0) return { installations: matching };
  const named = [
    ...(account === undefined ? [] : [`account \`${account}\``]),
    ...(resource === undefined ? [] : [`resource \`${resource}\``]),
  ];
  return { reason: `No installation is for ${named.join(" and ")}.` };
}

async function membersOf({ store }: Services, { id }: Registration): Promise<readonly Installation[]> {
  return await store.transaction(async (transaction) => {
    const found: Installation[] = [];
    for (const { installation } of await transaction.list("members", { registration: id })) {
      const row = await transaction.get("installations", installation);
      if (row !== undefined) found.push(row);
    }
    return found;
  });
}

/** Runs a routing command over the payload; ids are compared as strings. */
function asker(services: Services, intake: AppIntake, owners: Owners, payload: Json, work: Work) {
  return async (member: "account_id" | "resource_id"): Promise<string | undefined> => {
    const command = intake.commands[member];
    if (command === undefined) return undefined;
    const saved = await storedValues(services.store, owners);
    const output = await services.run(command, {
      input: payload,
      saved,
      signal: work.signal,
      trace: work.tracer,
      ...(owners.connection === undefined ? {} : { connection: owners.connection }),
    });
    if (typeof output === "string" && output !== "") return output;
    if (output === null || output === "" || (typeof output === "object" && Array.isArray(output)))
      throw new RunError("DataError", `\`${member}\` gives nothing for this payload.`, intake);
    return printExact(output);
  };
}
