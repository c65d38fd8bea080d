import { requestsStayLinear } from "../requests-stay-linear.ts";
import { secretsStay } from "../secrets-stay.ts";
import { faultsOnlyDelay } from "./faults-only-delay.ts";
import type { OutboundLaw } from "./law.ts";
import { ownKey } from "./own-key.ts";
import { rightRecord } from "./right-record.ts";
import { runsSucceed } from "./runs-succeed.ts";
import { writtenOnce } from "./written-once.ts";

/** The laws of outbound workflows, in the order in which a breach is told. */
export const outboundLaws: readonly OutboundLaw[] = [
  runsSucceed,
  ownKey,
  writtenOnce,
  rightRecord,
  secretsStay,
  requestsStayLinear,
];

/** What holds while things go wrong. */
export const outboundFaultLaws: readonly OutboundLaw[] = [faultsOnlyDelay, ownKey, writtenOnce, secretsStay];
