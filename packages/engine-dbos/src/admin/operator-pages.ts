import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "@configc/compiler";
import { systemClock } from "@configc/host";
import { createVault } from "@configc/runtime";
import { KnownApps } from "../answers/apps.ts";
import { Database } from "../postgres/database.ts";
import { Runs } from "../runs/runs.ts";
import { postgresStore } from "../store/index.ts";
import { checkSchema } from "../store/migrate.ts";
import type { Operator } from "./access.ts";
import { adminHandler } from "./handler.ts";

/** What the operators' pages take in a program of one's own. */
export interface OperatorPagesOptions {
  /** `postgres://…` of the fleet. */
  readonly database: string;
  /** 32 bytes, as the workers have it. Without it pages show no requests, no lines of configs and no saved runs, and can't renew tokens. */
  readonly key?: Uint8Array;
  readonly oldKeys?: readonly Uint8Array[];
  /** Apps with their source maps, where lines are to be told without the key. */
  readonly apps?: Readonly<Record<string, App>>;
  /** The path below which they are served, as the process sees it, such as `/operators`. Default: all paths. */
  readonly base?: string;
  /** Folder with the runs that workers of this machine saved. */
  readonly savedRuns?: string;
  /** Your own authentication: who sends a request, for the record of acts. Undefined: nobody who may; it is answered 401. */
  readonly operator: (request: IncomingMessage) => Operator | undefined | Promise<Operator | undefined>;
  /** Is told what went wrong in here. */
  readonly failed?: (error: unknown) => void;
}

/** The operators' pages and their API, for a server of one's own. */
export interface OperatorPages {
  /**
   * Answers a request: pages, and below `api/` the same as JSON. Forms are taken from these pages only, API calls that change something also with an
   * `authorization` header and no `origin`.
   *
   * @returns false for a path that isn't below `base`: nothing was done
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the operators' pages for a server of one's own, behind its own authentication (E205).
 *
 * @throws RunError `StoreError` if the database isn't prepared or can't be reached; TypeError for a `base` that doesn't begin with a slash
 */
export async function openOperatorPages(options: OperatorPagesOptions): Promise<OperatorPages> {
  const { database: url, key, oldKeys = [], apps: given, savedRuns, operator } = options;
  const { base: prefix = "", failed = () => undefined } = options;
  const base = prefix.replace(/\/+$/, "");
  if (base !== "" && !base.startsWith("/"))
    throw new TypeError(`\`base\` has “${prefix}”: it must be a path, such as /operators.`);
  const vault = key === undefined ? undefined : createVault(key, ...oldKeys);
  const database = new Database({ url, connections: 3 });
  const opened: (() => Promise<void>)[] = [() => database.close()];
  const close = async (): Promise<void> => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    await checkSchema(database);
    const runs = await Runs.open(url, database);
    opened.push(() => runs.close());
    const store = await postgresStore({ url, connections: 4 });
    opened.push(() => store.close());
    const apps = new KnownApps(database, vault, given);
    const context = { database, store, runs, vault, apps, savedRuns, now: () => systemClock.now() };
    const access = { operator, logIn: () => undefined, asksForToken: false };
    const answer = adminHandler({ context, access, local: false, failed });
    return {
      async handle(request, response) {
        const url = new URL(addressOf(request), "http://host");
        if (base !== "" && url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return false;
        if (url.pathname === base && base !== "") {
          // Relative: a proxy in front may have taken away a part of the path. Links of the pages are relative to the slash.
          response
            .writeHead(308, { location: `${base.slice(base.lastIndexOf("/") + 1)}/${url.search}` })
            .end();
          return true;
        }
        url.pathname = url.pathname.slice(base.length);
        await answer(request, response, url);
        return true;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The path that was asked for: routers take away from `url` the part that they went by, and keep the whole. */
function addressOf(request: IncomingMessage): string {
  const { originalUrl } = request as { originalUrl?: unknown };
  const path = typeof originalUrl === "string" ? originalUrl : (request.url ?? "/");
  // Two slashes at the beginning would be a host.
  return path.replace(/^\/+/, "/");
}
