import type { Act } from "./act.ts";
import { disconnect, refresh } from "./connections.ts";
import { deleteCustomer } from "./delete-customer.ts";
import { hold, release } from "./hold.ts";
import { purgeItems, retryItems, skipItems } from "./items.ts";
import { activate, pause } from "./pause.ts";
import { retry } from "./retry.ts";

/** All that operators do by a command or on a page, by name. */
export const acts: readonly Act[] = [
  retry,
  retryItems,
  skipItems,
  purgeItems,
  hold,
  release,
  pause,
  activate,
  refresh,
  disconnect,
  deleteCustomer,
];

export type { Act, ActContext, Affected, Target } from "./act.ts";
export { type KeptAct, keptActs } from "./history.ts";
export { type ActRequest, type Performed, performAct } from "./perform.ts";
