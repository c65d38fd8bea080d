import { readInstallation, workflowOf } from "../intake/installed.ts";
import type { Services } from "../intake/services.ts";
import { jsonText } from "../json.ts";
import type { Transaction } from "../store/store.ts";
import type { Installation } from "../store/tables.ts";
import { refused } from "./error.ts";
import type { SetupOptions } from "./session.ts";
import { createSetup, type Setup } from "./setup.ts";
import { newDraft } from "./steps.ts";

/** The installations of an app: its workflows as customers set them up. */
export interface Installations {
  /**
   * Makes an installation whose setup is to be done.
   *
   * @param options.customer the host's own id of the customer whose it is (E47)
   * @throws SetupError `unknown` where the app has no such workflow
   */
  create(workflow: string, options?: { readonly customer?: string }): Promise<Installation>;
  /** @throws RunError `NotFound` */
  get(id: string): Promise<Installation>;
  /** All of the app, those that were removed too, the oldest first. */
  list(): Promise<readonly Installation[]>;
  /**
   * Goes on with the setup of an installation, or changes that of one in use, and keeps what it has come to. A setup at `ready` is put to
   * work by `activate`.
   *
   * @param work is given the setup; what it throws is thrown, and nothing is kept
   * @throws SetupError `conflict` if somebody else went on with it meanwhile; `state` for one that was removed; `unknown` for a connection of
   * another customer
   */
  setup<R>(id: string, work: (setup: Setup) => Promise<R> | R, options?: SetupOptions): Promise<R>;
}

export function createInstallations(services: Services): Installations {
  const { store, effects, name } = services;
  const get: Installations["get"] = (id) =>
    store.transaction((transaction) => readInstallation(services, transaction, id));
  return {
    async create(workflow, { customer } = {}) {
      const { draft } = createSetup(services, workflow, undefined);
      const now = effects.clock.now();
      const id = effects.random.id();
      const row: Installation = {
        id,
        app: name,
        workflow,
        ...(customer === undefined ? {} : { customer }),
        status: "setup",
        draft,
        createdAt: now,
        changedAt: now,
      };
      await store.transaction((transaction) => transaction.put("installations", row));
      return row;
    },
    get,
    async list() {
      const all = await store.transaction((transaction) => transaction.list("installations", {}));
      return all.filter(({ app }) => app === name);
    },
    async setup(id, work, options) {
      const before = await get(id);
      if (before.status === "removed" || before.status === "removing")
        throw refused("state", "This installation was removed. Make a new one.");
      const began = before.draft ?? newDraft(workflowOf(services, before), before.settings);
      const setup = createSetup(services, before.workflow, began, options, id);
      const result = await work(setup);
      const { draft } = setup;
      if (jsonText(draft as never) !== jsonText(began as never))
        await store.transaction(async (transaction) => {
          const row = await readInstallation(services, transaction, id);
          if (jsonText((row.draft ?? null) as never) !== jsonText((before.draft ?? null) as never))
            throw refused("conflict", "Somebody else changed this setup in the meantime. Look at it again.");
          const connection = row.settings?.connection ?? draft.settings.connection;
          const customer = await customerOf(transaction, row, draft.settings.connection);
          await transaction.put("installations", {
            ...row,
            ...(customer === undefined ? {} : { customer }),
            draft,
            ...(connection === undefined ? {} : { connection }),
            changedAt: effects.clock.now(),
          });
        });
      return result;
    },
  };
}

/**
 * Whose an installation is with that connection.
 *
 * @throws SetupError
 */
async function customerOf(
  transaction: Transaction,
  { customer }: Installation,
  id: string | undefined,
): Promise<string | undefined> {
  const connection = id === undefined ? undefined : await transaction.get("connections", id);
  const owner = connection?.customer;
  if (owner !== undefined && customer !== undefined && owner !== customer)
    throw refused("unknown", "There is no such connected account. Connect yours first.");
  return customer ?? owner;
}
