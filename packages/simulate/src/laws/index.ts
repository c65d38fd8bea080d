import { backlogDrains } from "./backlog-drains.ts";
import { everythingArrives } from "./everything-arrives.ts";
import { faultsOnlyDelay } from "./faults-only-delay.ts";
import type { Law } from "./law.ts";
import { pollingStaysLinear } from "./polling-stays-linear.ts";
import { quietCyclesEnd } from "./quiet-cycles-end.ts";
import { runsSucceed } from "./runs-succeed.ts";
import { secretsStay } from "./secrets-stay.ts";
import { somethingArrives } from "./something-arrives.ts";
import { stateStaysSmall } from "./state-stays-small.ts";

/** The laws of polling, in the order in which a breach is told. */
export const pollingLaws: readonly Law[] = [
  runsSucceed,
  somethingArrives,
  everythingArrives,
  quietCyclesEnd,
  secretsStay,
  pollingStaysLinear,
  stateStaysSmall,
];

/** What holds while things go wrong: the others suppose that the service answers. */
export const faultLaws: readonly Law[] = [faultsOnlyDelay, backlogDrains, secretsStay];
