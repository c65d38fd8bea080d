import type { App } from "@configc/compiler";
import type { InstallationStatus, PollReason, SourcePlace, Store } from "@configc/runtime";
import { type Next, nextOf } from "./next.ts";
import { placeOf, type Trouble, troublesOf } from "./trouble.ts";

/** How an installation is, and why. Times are in milliseconds since 1970. */
export interface Why {
  readonly installation: string;
  readonly app: string;
  readonly customer?: string;
  readonly workflow: string;
  readonly status: InstallationStatus;
  /** What the customer sees of its account. */
  readonly account?: string;
  /** Until the customer connects again nothing is tried. */
  readonly mustConnect: boolean;
  readonly failing: readonly (Trouble & { readonly place?: SourcePlace })[];
  /** When the last cycle came to its end. */
  readonly lastSuccess?: number;
  /** Why it ended. */
  readonly lastReason?: PollReason;
  readonly items: {
    readonly waiting: number;
    /** When the first that waits came. */
    readonly waitingSince?: number;
    readonly failed: number;
  };
  /** What it does next by itself; nothing if it is paused, held or its import is complete. */
  readonly next: readonly (Next & { readonly place?: SourcePlace })[];
}

/** What else is known where it is asked. */
export interface WhyOptions {
  readonly store: Store;
  readonly installation: string;
  readonly now: number;
  /** Nothing is begun for it until it is released. */
  readonly held?: boolean;
  /**
   * An app, best with its source map.
   *
   * @param version undefined: the one that is in use
   */
  readonly appOf: (name: string, version: string | undefined) => Promise<App | undefined>;
}

/**
 * How an installation is, why, and what it does next, from what the store has.
 *
 * @returns undefined if there is no such installation
 */
export async function why({
  store,
  installation: id,
  now,
  held,
  appOf,
}: WhyOptions): Promise<Why | undefined> {
  const rows = await store.transaction(async (transaction) => {
    const installation = await transaction.get("installations", id);
    if (installation === undefined) return undefined;
    const key = installation.settings?.connection ?? installation.connection;
    const [waiting] = await transaction.list(
      "deliveries",
      { installation: id, status: "waiting" },
      { limit: 1 },
    );
    return {
      installation,
      connection: key === undefined ? undefined : await transaction.get("connections", key),
      records: await transaction.list("polling", { installation: id }),
      waiting,
      count: await transaction.count("deliveries", { installation: id, status: "waiting" }),
      failed: await transaction.count("deliveries", { installation: id, status: "failed" }),
    };
  });
  if (rows === undefined) return undefined;
  const { installation, connection, records, waiting, count, failed } = rows;
  const { app: name, workflow, status, customer, settings, draft } = installation;
  const app = await appOf(name, undefined);
  const runs = held !== true && (status === "active" || status === "updating");
  const account = settings?.account ?? draft?.settings.account;
  const [last] = records
    .filter(({ endedAt }) => endedAt !== undefined)
    .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  const failing = await Promise.all(
    troublesOf(rows).map(async (trouble) => ({
      ...trouble,
      ...placed(trouble.version === undefined ? app : await appOf(name, trouble.version), trouble.pointer),
    })),
  );
  const next =
    app === undefined || !runs
      ? []
      : nextOf(app, { customer: customer ?? id, installation, connection, records, waiting }, now);
  return {
    installation: id,
    app: name,
    ...(customer === undefined ? {} : { customer }),
    workflow,
    status,
    ...(account === undefined ? {} : { account }),
    mustConnect: connection?.broken !== undefined,
    failing,
    ...(last?.endedAt === undefined ? {} : { lastSuccess: last.endedAt }),
    ...(last?.reason === undefined ? {} : { lastReason: last.reason }),
    items: {
      waiting: count,
      ...(waiting === undefined ? {} : { waitingSince: waiting.receivedAt }),
      failed,
    },
    next: next.map((one) => ({ ...one, ...placed(app, one.pointer) })),
  };
}

function placed(app: App | undefined, pointer: string | undefined): { readonly place?: SourcePlace } {
  const place = app === undefined || pointer === undefined ? undefined : placeOf(app, pointer);
  return place === undefined ? {} : { place };
}
