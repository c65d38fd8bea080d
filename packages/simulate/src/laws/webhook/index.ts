import { requestsStayLinear } from "../requests-stay-linear.ts";
import { secretsStay } from "../secrets-stay.ts";
import { everythingArrives } from "./everything-arrives.ts";
import { faultsOnlyDelay } from "./faults-only-delay.ts";
import { forgedRefused } from "./forged-refused.ts";
import { genuineAccepted } from "./genuine-accepted.ts";
import { historyAgrees } from "./history-agrees.ts";
import type { WebhookLaw } from "./law.ts";
import { nothingOrphaned } from "./nothing-orphaned.ts";
import { rightCustomer } from "./right-customer.ts";
import { runsSucceed } from "./runs-succeed.ts";
import { writtenOnce } from "./written-once.ts";

/** The laws of webhooks, in the order in which a breach is told. */
export const webhookLaws: readonly WebhookLaw[] = [
  genuineAccepted,
  runsSucceed,
  forgedRefused,
  everythingArrives,
  rightCustomer,
  writtenOnce,
  nothingOrphaned,
  historyAgrees,
  secretsStay,
  requestsStayLinear,
];

/** What holds while things go wrong. */
export const webhookFaultLaws: readonly WebhookLaw[] = [faultsOnlyDelay, nothingOrphaned, secretsStay];
