import type { App, AppNode, AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import type { Services } from "../intake/services.ts";
import { isObject, ownMember } from "../json.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Draft, ImportOption, SetupStep } from "../store/tables.ts";
import { type MapFields, normalMapping } from "./check-mapping.ts";
import { refused } from "./error.ts";
import { type FieldOption, textOf } from "./options.ts";
import { readDraft } from "./read-draft.ts";
import { type SetupOptions, SetupSession } from "./session.ts";
import { expectStep, transition, wrongStep } from "./transition.ts";
import { type SetupView, viewOf } from "./view.ts";

/**
 * The guided setup of one workflow (D43), for any page or command that walks a customer through it. What it has come to is
 * `draft`: JSON that can be kept anywhere and given back.
 *
 * Every method throws `SetupError` for what the customer has to mend, and then nothing has changed; `RunError` where a command
 * of the app failed.
 */
export interface Setup {
  readonly draft: Draft;
  /** What is to be shown. */
  view(): SetupView;
  /**
   * Takes an account that was connected: asks the app's `describe_connection` whose it is.
   *
   * @param connection key of its credentials
   */
  connect(connection: string): Promise<void>;
  /**
   * The choices of a form field, which may depend on earlier answers.
   *
   * @param search what was typed, for fields with a `search_term`
   */
  options(field: string, search?: string): Promise<readonly FieldOption[]>;
  /**
   * Fills in a form field.
   *
   * @param value of an option, a list of such for a `multiselect`, a text; null takes the answer away
   * @param search by which the choices were found that it is one of
   */
  answer(field: string, value: Json, search?: string): Promise<void>;
  /** Ends the selection: asks `describe_selection` what was selected. */
  select(): Promise<void>;
  /** The fields of both sides of the mapping. */
  mapFields(): Promise<MapFields>;
  /** What was mapped before, as it can be edited: a flat mapping is placed under `default_group`. */
  mapping(): Promise<Mapping | undefined>;
  /** Saves the mapping. */
  map(mapping: Mapping): Promise<void>;
  schedule(option: ImportOption): void;
  /** A review step was seen. */
  review(): void;
  /** Back to a step, or on to one before which everything is complete. */
  go(step: SetupStep): void;
}

/**
 * Begins a setup, or goes on with one.
 *
 * @param given a draft that was kept; undefined for a new one
 * @param owner id of the installation, for values that its commands save
 * @throws SetupError `unknown` where the app has no such workflow, `state` where that isn't a draft
 */
export function createSetup(
  services: Services,
  name: string,
  given: unknown,
  options: SetupOptions = {},
  owner?: string,
): Setup {
  const { app } = services;
  const workflow = workflowNamed(app, name);
  const session = new SetupSession(services, workflow, readDraft(workflow, given), options, owner);
  return {
    get draft() {
      return session.draft;
    },
    view: () => viewOf(app, workflow, session.draft),
    connect: (connection) => connect(session, connection),
    options: (field, search) => session.choices(field, search),
    answer: (field, value, search) => answer(session, field, value, search),
    select: () => select(session),
    mapFields: () => session.mapFields(),
    mapping: () => savedMapping(session),
    map: (mapping) => map(session, mapping),
    schedule: (importOption) => session.accept({ type: "scheduled", importOption }),
    review: () => session.accept({ type: "reviewed" }),
    go: (step) => session.accept({ type: "went", step }),
  };
}

function workflowNamed({ workflows }: App, name: string): AppWorkflow {
  const found = workflows.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = workflows.map((each) => `“${each.name}”`).join(", ");
  throw refused("unknown", `The app has no workflow “${name}”. It has ${names}.`);
}

async function connect(session: SetupSession, connection: string): Promise<void> {
  expectStep(session.draft, "connect");
  const account = await accountOf(session, connection);
  await describe(session.services, connection, account);
  session.accept({ type: "connected", connection, ...account });
}

/** What `describe_connection` tells of an account. */
interface Account {
  readonly accountId?: string;
  readonly account?: string;
}

async function accountOf(session: SetupSession, connection: string): Promise<Account> {
  const { describeConnection } = session.workflow.setup.connect ?? {};
  if (describeConnection === undefined) return {};
  const told = await session.run(describeConnection, {}, connection);
  const accountId = textAt(told, "account_id", session.placeOf(describeConnection));
  const account = isObject(told) ? textOf(ownMember(told, "description")) : undefined;
  return { accountId, ...(account === undefined ? {} : { account }) };
}

async function answer(session: SetupSession, id: string, value: Json, search?: string): Promise<void> {
  const field = session.workflow.setup.select?.fields.find((each) => each.id === id);
  const isChoice = field?.type === "dropdown" || field?.type === "multiselect";
  // Nothing is fetched for an answer that is taken away, or at a wrong step.
  const needsOptions = isChoice && value !== null && session.draft.step === "select";
  const found = needsOptions ? await session.choices(id, search) : undefined;
  // What was chosen before was found by another search.
  const choices = search ? found?.concat(chosenBefore(session.draft.settings.customData, id)) : found;
  session.accept({
    type: "answered",
    field: id,
    value,
    ...(choices === undefined ? {} : { options: choices }),
  });
}

async function select(session: SetupSession): Promise<void> {
  const { workflow, services } = session;
  const { resourceId, display } = workflow.setup.select ?? {};
  // First without what it has to be asked for: a field that is missing is the customer's to mend, not the command's to fail at.
  transition(services.app, workflow, session.draft, { type: "selected", resourceId: "", display: "" });
  const text = async (command: string): Promise<string> =>
    scalar(await session.run(command), session.placeOf(command));
  const id = resourceId === undefined ? undefined : await text(resourceId);
  const shown = display === undefined ? undefined : await text(display);
  session.accept({
    type: "selected",
    ...(id === undefined ? {} : { resourceId: id }),
    ...(shown === undefined ? {} : { display: shown }),
  });
}

async function savedMapping(session: SetupSession): Promise<Mapping | undefined> {
  const { map } = session.workflow.setup;
  const saved = session.draft.settings.mapping;
  if (map === undefined || saved === undefined) return undefined;
  return normalMapping(saved as unknown as Json, map, await session.mapFields());
}

async function map(session: SetupSession, mapping: Mapping): Promise<void> {
  const { map: taken } = session.workflow.setup;
  if (session.draft.step !== "map" || taken === undefined) throw wrongStep(session.draft, "map");
  const fields = await session.mapFields();
  session.accept({
    type: "mapped",
    mapping: normalMapping(mapping as unknown as Json, taken, fields),
    fields,
  });
}

/** Deliveries are routed by the account, so the connection itself has to know it (D31). */
async function describe({ store }: Services, id: string, { accountId, account }: Account): Promise<void> {
  await store.transaction(async (transaction) => {
    const row = await transaction.get("connections", id);
    if (row === undefined) return;
    const { broken: _, ...kept } = row;
    await transaction.put("connections", {
      ...kept,
      ...(accountId === undefined ? {} : { accountId }),
      ...(account === undefined ? {} : { description: account }),
    });
  });
}

function textAt(told: Json, name: string, place: AppNode): string {
  const text = isObject(told) ? textOf(ownMember(told, name)) : undefined;
  if (text !== undefined && text !== "") return text;
  throw new RunError(
    "DataError",
    `\`describe_connection\` must give \`${name}\`, a string that tells accounts apart.`,
    place,
  );
}

/** The choices that the answer of a field consists of so far. */
function chosenBefore(customData: Json, id: string): readonly FieldOption[] {
  const answer = isObject(customData) ? ownMember(customData, id) : undefined;
  if (!isObject(answer)) return [];
  const listed = (name: string) => [ownMember(answer, name) ?? []].flat() as readonly Json[];
  const displays = listed("display");
  return listed("value").map((value, index) => ({ value, display: textOf(displays[index]) ?? "" }));
}

/** What describe_selection's commands give: a text, or a number that stands for one. */
function scalar(given: Json, place: AppNode): string {
  const text = textOf(given);
  if (text !== undefined) return text;
  throw new RunError("DataError", "`describe_selection` must give a string.", place);
}
