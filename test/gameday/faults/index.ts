import type { AnyFault } from "../fault.ts";
import { authFaults } from "./auth.ts";
import { customerFaults } from "./customers.ts";
import { dataFaults } from "./data.ts";
import { deployFaults } from "./deploy.ts";
import { embeddedFaults } from "./embedded.ts";
import { postgresFaults } from "./postgres.ts";
import { serviceFaults } from "./service.ts";
import { webhookFaults } from "./webhooks.ts";
import { workerFaults } from "./workers.ts";

/** All that happens on a game day. */
export const faults: readonly AnyFault[] = [
  ...serviceFaults,
  ...authFaults,
  ...dataFaults,
  ...deployFaults,
  ...webhookFaults,
  ...customerFaults,
  ...workerFaults,
  ...postgresFaults,
  ...embeddedFaults,
];
