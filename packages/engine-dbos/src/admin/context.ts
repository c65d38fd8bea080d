import type { ActContext } from "../acts/index.ts";
import type { KnownApps } from "../answers/apps.ts";

/** What the API and the pages work with. */
export interface AdminContext extends Omit<ActContext, "why"> {
  readonly apps: KnownApps;
  /** Folder with the runs that workers of this machine saved. */
  readonly savedRuns: string | undefined;
}

/** A request that can't be answered as it is. */
export class AdminError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
