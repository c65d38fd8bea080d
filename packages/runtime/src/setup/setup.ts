import type { AppNode, AppOptions, AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import type { Services } from "../intake/services.ts";
import { isObject, ownMember } from "../json.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { RunOptions } from "../run-options.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Connection, Draft, ImportOption, SetupStep } from "../store/tables.ts";
import { createTracer, type TraceEvent, type Tracer } from "../trace.ts";
import { type MapFields, normalMapping } from "./check-mapping.ts";
import { refused } from "./error.ts";
import { type FieldOption, readFieldOptions, readMapOptions, textOf } from "./options.ts";
import { readDraft } from "./read-draft.ts";
import { type SetupEvent, transition } from "./transition.ts";
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

/** What a step of the guided setup takes. */
export interface SetupOptions {
  readonly signal?: AbortSignal;
  /** Is told each event of the commands that run. */
  readonly trace?: Tracer | ((event: TraceEvent) => void);
  /** Of the connection, where the store doesn't know it. */
  readonly subdomain?: string;
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
  const found = app.workflows.find((each) => each.name === name);
  if (found === undefined)
    throw refused(
      "unknown",
      `The app has no workflow “${name}”. It has ${app.workflows.map((each) => `“${each.name}”`).join(", ")}.`,
    );
  const workflow: AppWorkflow = found;
  let draft = readDraft(workflow, given);
  const { trace } = options;
  const tracer = typeof trace === "object" ? trace : createTracer(services.effects.clock, trace);
  const accept = (event: SetupEvent): void => {
    draft = transition(app, workflow, draft, event);
  };

  /** Runs a command with what is filled in so far. */
  async function run(
    command: string,
    more: RunOptions = {},
    connection = draft.settings.connection,
  ): Promise<Json> {
    const row = connection === undefined ? undefined : await connectionRow(services, connection);
    const subdomain = row?.subdomain ?? options.subdomain;
    return await services.run(command, {
      trace: tracer,
      saved: await storedValues(services.store, {
        application: services.name,
        ...(connection === undefined ? {} : { connection }),
        ...(owner === undefined ? {} : { workflow: owner }),
      }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(connection === undefined ? {} : { connection }),
      ...(workflow.auth === undefined ? {} : { auth: workflow.auth }),
      context: {
        custom_data: draft.settings.customData,
        ...(subdomain === undefined ? {} : { subdomain }),
      },
      ...more,
    });
  }

  const valuesOf = (from: AppOptions | undefined, more?: RunOptions): Promise<Json> | Json =>
    from === undefined ? [] : "items" in from ? (from.items as Json) : run(from.command, more);

  async function choicesOf(id: string, search?: string): Promise<readonly FieldOption[]> {
    const field = workflow.setup.select?.fields.find((each) => each.id === id);
    if (field === undefined) throw refused("unknown", `There is no form field “${id}”.`, id);
    const { searchTerm: parameter } = field;
    const typed =
      parameter === undefined || search === undefined || search === ""
        ? {}
        : { search: { parameter, term: search } };
    return readFieldOptions(await valuesOf(field.options, typed), field);
  }

  async function mapFields(): Promise<MapFields> {
    const { map } = workflow.setup;
    if (map === undefined) throw refused("wrong-step", "This workflow has no mapping.");
    const side = async (from: AppOptions | undefined) => readMapOptions(await valuesOf(from), map);
    // One after the other: they may need the same token.
    const sources = await side(map.source.options);
    return { sources, targets: await side(map.target.options) };
  }

  return {
    get draft() {
      return draft;
    },
    view: () => viewOf(app, workflow, draft),
    async connect(connection) {
      if (draft.step !== "connect")
        throw refused("wrong-step", `The setup is at “${draft.step}”, not at “connect”.`);
      const { describeConnection } = workflow.setup.connect ?? {};
      const told = describeConnection === undefined ? {} : await run(describeConnection, {}, connection);
      const place = describeConnection === undefined ? workflow : placeOf(services, describeConnection);
      const accountId = describeConnection === undefined ? undefined : textAt(told, "account_id", place);
      const account = isObject(told) ? textOf(ownMember(told, "description")) : undefined;
      const described = {
        ...(accountId === undefined ? {} : { accountId }),
        ...(account === undefined ? {} : { account }),
      };
      await describe(services, connection, described);
      accept({ type: "connected", connection, ...described });
    },
    options: choicesOf,
    async answer(id, value, search) {
      const field = workflow.setup.select?.fields.find((each) => each.id === id);
      const isChoice = field?.type === "dropdown" || field?.type === "multiselect";
      // Nothing is fetched for an answer that is taken away, or at a wrong step.
      const needsOptions = isChoice && value !== null && draft.step === "select";
      const found = needsOptions ? await choicesOf(id, search) : undefined;
      // What was chosen before was found by another search.
      const choices = search ? found?.concat(chosenBefore(draft.settings.customData, id)) : found;
      accept({ type: "answered", field: id, value, ...(choices === undefined ? {} : { options: choices }) });
    },
    async select() {
      const { resourceId, display } = workflow.setup.select ?? {};
      // First without what it has to be asked for: a field that is missing is the customer's to mend, not the command's to fail at.
      if (draft.step === "select")
        transition(app, workflow, draft, { type: "selected", resourceId: "", display: "" });
      else throw refused("wrong-step", `The setup is at “${draft.step}”, not at “select”.`);
      const id =
        resourceId === undefined ? undefined : scalar(await run(resourceId), placeOf(services, resourceId));
      const shown =
        display === undefined ? undefined : scalar(await run(display), placeOf(services, display));
      accept({
        type: "selected",
        ...(id === undefined ? {} : { resourceId: id }),
        ...(shown === undefined ? {} : { display: shown }),
      });
    },
    mapFields,
    async mapping() {
      const { map } = workflow.setup;
      const saved = draft.settings.mapping;
      if (map === undefined || saved === undefined) return undefined;
      return normalMapping(saved as unknown as Json, map, await mapFields());
    },
    async map(mapping) {
      const { map } = workflow.setup;
      if (draft.step !== "map" || map === undefined)
        throw refused("wrong-step", `The setup is at “${draft.step}”, not at “map”.`);
      const fields = await mapFields();
      accept({ type: "mapped", mapping: normalMapping(mapping as unknown as Json, map, fields), fields });
    },
    schedule: (importOption) => accept({ type: "scheduled", importOption }),
    review: () => accept({ type: "reviewed" }),
    go: (step) => accept({ type: "went", step }),
  };
}

function placeOf({ app }: Services, command: string): AppNode {
  return app.commands[command] ?? { pointer: command, span: { start: 0, end: 0 } };
}

function connectionRow({ store }: Services, id: string): Promise<Connection | undefined> {
  return store.transaction((transaction) => transaction.get("connections", id));
}

/** Deliveries are routed by the account, so the connection itself has to know it (D31). */
async function describe(
  { store }: Services,
  id: string,
  { accountId, account }: { readonly accountId?: string; readonly account?: string },
): Promise<void> {
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
