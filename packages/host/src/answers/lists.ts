import type { Delivery, Failure, Installation, Store } from "@configc/runtime";
import { fingerprintOf, type Trouble, troublesOf } from "./trouble.ts";

/** Which part of a host's state is asked for. */
export interface ListFilter {
  readonly app?: string;
  readonly customer?: string;
  readonly installation?: string;
}

/** An installation and what of it fails. */
export type FailingInstallation = Trouble & {
  readonly installation: string;
  readonly app: string;
  readonly customer?: string;
};

/** An item that failed for its own reasons, without what it holds. */
export interface FailedDelivery {
  readonly item: string;
  readonly app: string;
  readonly installation?: string;
  readonly origin: string;
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly received: number;
  readonly failed?: number;
  readonly failure?: Failure & { readonly fingerprint: string };
}

/** How much there is of an app, and waits. */
export interface AppState {
  readonly app: string;
  readonly active: number;
  readonly paused: number;
  readonly waiting: number;
  /** When the first item that waits came, in milliseconds since 1970. */
  readonly waitingSince?: number;
  readonly failed: number;
}

/** What fails of a host, the longest first: as `configc-host failing` tells of a fleet. It reads all active installations. */
export async function failingOf(store: Store, filter: ListFilter): Promise<readonly FailingInstallation[]> {
  const found: FailingInstallation[] = [];
  for (const installation of await installationsIn(store, filter)) {
    const { id, app, customer, settings, connection } = installation;
    const key = settings?.connection ?? connection;
    const rows = await store.transaction(async (transaction) => {
      const where = { installation: id, status: "waiting" } as const;
      return {
        installation,
        connection: key === undefined ? undefined : await transaction.get("connections", key),
        records: await transaction.list("polling", { installation: id }),
        waiting: (await transaction.list("deliveries", where, { limit: 1 }))[0],
      };
    });
    const whose = customer === undefined ? {} : { customer };
    for (const trouble of troublesOf(rows)) found.push({ installation: id, app, ...whose, ...trouble });
  }
  return found.sort((a, b) => (a.since ?? 0) - (b.since ?? 0));
}

/** The items of a host that failed and can be tried again, the oldest first. */
export async function failedItemsOf(store: Store, filter: ListFilter): Promise<readonly FailedDelivery[]> {
  const rows = await failedRows(store, await installationsIn(store, filter));
  return rows.map(({ id, app, installation, origin, attempts, receivedAt, settledAt, failure }) => ({
    item: id,
    app,
    ...(installation === undefined ? {} : { installation }),
    origin,
    tries: attempts,
    received: receivedAt,
    ...(settledAt === undefined ? {} : { failed: settledAt }),
    ...(failure === undefined ? {} : { failure: { ...failure, fingerprint: fingerprintOf(failure) } }),
  }));
}

/** How much there is of an app of a host, and waits. */
export function stateOf(store: Store, app: string): Promise<AppState> {
  return store.transaction(async (transaction) => {
    const [first] = await transaction.list("deliveries", { app, status: "waiting" }, { limit: 1 });
    return {
      app,
      active: await transaction.count("installations", { app, status: "active" }),
      paused: await transaction.count("installations", { app, status: "paused" }),
      waiting: await transaction.count("deliveries", { app, status: "waiting" }),
      ...(first === undefined ? {} : { waitingSince: first.receivedAt }),
      failed: await transaction.count("deliveries", { app, status: "failed" }),
    };
  });
}

/** The failed items of some installations. */
export async function failedRows(
  store: Store,
  installations: readonly Installation[],
): Promise<readonly Delivery[]> {
  const rows: Delivery[] = [];
  for (const { id } of installations)
    rows.push(
      ...(await store.transaction((transaction) =>
        transaction.list("deliveries", { installation: id, status: "failed" }),
      )),
    );
  return rows;
}

/** Those that weren't removed. */
export async function installationsIn(
  store: Store,
  { app, customer, installation }: ListFilter,
): Promise<readonly Installation[]> {
  const rows = await store.transaction((transaction) => transaction.list("installations", {}));
  return rows.filter(
    (row) =>
      row.status !== "removed" &&
      (app === undefined || row.app === app) &&
      (customer === undefined || row.customer === customer) &&
      (installation === undefined || row.id === installation),
  );
}
