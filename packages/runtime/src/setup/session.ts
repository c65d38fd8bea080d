import type { AppNode, AppOptions, AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { Services } from "../intake/services.ts";
import type { RunOptions } from "../run-options.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Connection, Draft } from "../store/tables.ts";
import { createTracer, type TraceEvent, type Tracer } from "../trace.ts";
import type { MapFields } from "./check-mapping.ts";
import { refused } from "./error.ts";
import { type FieldOption, readFieldOptions, readMapOptions } from "./options.ts";
import { type SetupEvent, transition } from "./transition.ts";

/** What a step of the guided setup takes. */
export interface SetupOptions {
  readonly signal?: AbortSignal;
  /** Is told each event of the commands that run. */
  readonly trace?: Tracer | ((event: TraceEvent) => void);
  /** Of the connection, where the store doesn't know it. */
  readonly subdomain?: string;
}

/** A setup under way: what is filled in so far, and the app's commands as they run with it. */
export class SetupSession {
  draft: Draft;
  readonly workflow: AppWorkflow;
  readonly services: Services;
  readonly #options: SetupOptions;
  readonly #owner: string | undefined;
  readonly #tracer: Tracer;

  /** @param owner id of the installation, for values that its commands save */
  constructor(
    services: Services,
    workflow: AppWorkflow,
    draft: Draft,
    options: SetupOptions,
    owner: string | undefined,
  ) {
    this.services = services;
    this.workflow = workflow;
    this.draft = draft;
    this.#options = options;
    this.#owner = owner;
    const { trace } = options;
    this.#tracer = typeof trace === "object" ? trace : createTracer(services.effects.clock, trace);
  }

  /** @throws SetupError where the event isn't accepted */
  accept(event: SetupEvent): void {
    this.draft = transition(this.services.app, this.workflow, this.draft, event);
  }

  /** Runs a command with what is filled in so far. */
  async run(
    command: string,
    more: RunOptions = {},
    connection = this.draft.settings.connection,
  ): Promise<Json> {
    const { services, workflow } = this;
    const [options, owner] = [this.#options, this.#owner];
    const row = connection === undefined ? undefined : await connectionRow(services, connection);
    const subdomain = row?.subdomain ?? options.subdomain;
    return await services.run(command, {
      trace: this.#tracer,
      saved: await storedValues(services.store, {
        application: services.name,
        ...(connection === undefined ? {} : { connection }),
        ...(owner === undefined ? {} : { workflow: owner }),
      }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(connection === undefined ? {} : { connection }),
      ...(workflow.auth === undefined ? {} : { auth: workflow.auth }),
      context: {
        custom_data: this.draft.settings.customData,
        ...(subdomain === undefined ? {} : { subdomain }),
      },
      ...more,
    });
  }

  /** Where a command stands, for what is wrong with its output. */
  placeOf(command: string): AppNode {
    return this.services.app.commands[command] ?? { pointer: command, span: { start: 0, end: 0 } };
  }

  /** The choices of a form field. */
  async choices(id: string, search?: string): Promise<readonly FieldOption[]> {
    const field = this.workflow.setup.select?.fields.find((each) => each.id === id);
    if (field === undefined) throw refused("unknown", `There is no form field “${id}”.`, id);
    const { searchTerm: parameter } = field;
    const typed =
      parameter === undefined || search === undefined || search === ""
        ? {}
        : { search: { parameter, term: search } };
    return readFieldOptions(await this.#valuesOf(field.options, typed), field);
  }

  /** The fields of both sides of the mapping. */
  async mapFields(): Promise<MapFields> {
    const { map } = this.workflow.setup;
    if (map === undefined) throw refused("wrong-step", "This workflow has no mapping.");
    const side = async (from: AppOptions | undefined) => readMapOptions(await this.#valuesOf(from), map);
    // One after the other: they may need the same token.
    const sources = await side(map.source.options);
    return { sources, targets: await side(map.target.options) };
  }

  #valuesOf(from: AppOptions | undefined, more?: RunOptions): Promise<Json> | Json {
    if (from === undefined) return [];
    return "items" in from ? (from.items as Json) : this.run(from.command, more);
  }
}

function connectionRow({ store }: Services, id: string): Promise<Connection | undefined> {
  return store.transaction((transaction) => transaction.get("connections", id));
}
