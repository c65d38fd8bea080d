import type { AppIntake, AppWorkflow } from "@configc/compiler";
import { RunError } from "../errors.ts";
import type { RunOptions } from "../run-options.ts";
import type { RunContext, SavedData } from "../step.ts";
import type { Owners } from "../store/saved-data.ts";
import type { Transaction } from "../store/store.ts";
import type { Connection, Installation, Settings } from "../store/tables.ts";
import type { Services, Work } from "./services.ts";

/** Whom commands run for, and by what. */
export interface Owned {
  readonly installation: Installation;
  readonly settings: Settings;
  readonly connection: Connection | undefined;
  /** Name in the app's `auth`. */
  readonly auth: string | undefined;
  readonly owners: Owners;
}

/** An installation with what its commands run by. */
export interface Installed extends Owned {
  readonly workflow: AppWorkflow;
}

/**
 * Reads an installation.
 *
 * @throws RunError `NotFound` if there is none, or the app has no such workflow (any more); `DataError` if it was never set up
 */
export function loadInstalled(services: Services, id: string): Promise<Installed> {
  return services.store.transaction((transaction) => readInstalled(services, transaction, id));
}

/** The same inside a transaction. */
async function readInstalled(services: Services, transaction: Transaction, id: string): Promise<Installed> {
  const owned = await readOwned(services, transaction, id);
  return { ...owned, workflow: workflowOf(services, owned.installation) };
}

/**
 * Reads an installation whose workflow may be gone from the app: its webhook can be deleted all the same.
 *
 * @throws RunError `NotFound` if there is none; `DataError` if it was never set up
 */
export async function readOwned(services: Services, transaction: Transaction, id: string): Promise<Owned> {
  const installation = await readInstallation(services, transaction, id);
  const { settings } = installation;
  if (settings === undefined)
    throw new RunError("DataError", `The installation \`${id}\` was never activated.`, undefined);
  const connection =
    settings.connection === undefined ? undefined : await transaction.get("connections", settings.connection);
  const workflow = services.app.workflows.find(({ name }) => name === installation.workflow);
  return {
    installation,
    settings,
    connection,
    auth: workflow === undefined ? connection?.auth : workflow.auth,
    owners: ownersOf(services, installation, settings),
  };
}

/** @throws RunError `NotFound` */
export async function readInstallation(
  { name }: Services,
  transaction: Transaction,
  id: string,
): Promise<Installation> {
  const installation = await transaction.get("installations", id);
  if (installation !== undefined && installation.app === name) return installation;
  throw new RunError("NotFound", `There is no installation \`${id}\` of \`${name}\`.`, undefined);
}

/** Keeps an installation anew, as it becomes from what it is. @returns what is kept, without its time */
export function changeInstallation(
  services: Services,
  id: string,
  to: (row: Installation) => Installation,
): Promise<Installation> {
  return services.store.transaction(async (transaction) => {
    const row = to(await readInstallation(services, transaction, id));
    await transaction.put("installations", { ...row, changedAt: services.effects.clock.now() });
    return row;
  });
}

/** @throws RunError `NotFound` where the app has no such workflow any more */
export function workflowOf({ app, name }: Services, { workflow }: Installation): AppWorkflow {
  const found = app.workflows.find((each) => each.name === workflow);
  if (found !== undefined) return found;
  throw new RunError(
    "NotFound",
    `\`${name}\` has no workflow \`${workflow}\`. Customers who use a workflow need it to stay; see \`configc breaking\`.`,
    undefined,
  );
}

function ownersOf({ name }: Services, { id }: Installation, { connection }: Settings): Owners {
  return { application: name, workflow: id, ...(connection === undefined ? {} : { connection }) };
}

export function intakeOf({ app }: Services, { intake }: AppWorkflow): AppIntake | undefined {
  return intake === undefined ? undefined : app.intakes[intake];
}

export function historicalIntakeOf(
  { app }: Services,
  { historicalIntake }: AppWorkflow,
): AppIntake | undefined {
  return historicalIntake === undefined ? undefined : app.intakes[historicalIntake];
}

/** Lets what runs next be put off, all of it together: what is sent by one of several commands would be sent again. */
export function putOffAfter(patience: number | undefined): Pick<RunOptions, "putOff"> {
  return patience === undefined ? {} : { putOff: { patience, sent: false } };
}

/**
 * What is being made. Engines make objects by name many times as fast as they put them together from several, which counts where it is
 * done for each item.
 */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** How the commands of an installation run. */
export function runOptionsOf(
  { auth, settings, connection }: Owned,
  saved: SavedData,
  { signal, tracer }: Work,
): RunOptions & { readonly context: RunContext } {
  const context: Writable<RunContext> = { custom_data: settings.customData };
  if (connection?.subdomain !== undefined) context.subdomain = connection.subdomain;
  const options: Writable<RunOptions> & { context: RunContext } = { saved, signal, trace: tracer, context };
  if (settings.connection !== undefined) options.connection = settings.connection;
  if (auth !== undefined) options.auth = auth;
  return options;
}
