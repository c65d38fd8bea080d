import type { RuleModule } from "../../checks.ts";
import constantIterate from "./constant-iterate.ts";
import earlyWatermark from "./early-watermark.ts";
import idleKey from "./idle-key.ts";
import mixedKinds from "./mixed-kinds.ts";
import pageSize from "./page-size.ts";
import sameRequest from "./same-request.ts";

/** Whether a polling intake, as a small machine, gets to what it is for: every record, and an end. */
export const pollingRules: readonly RuleModule[] = [
  sameRequest,
  constantIterate,
  pageSize,
  idleKey,
  earlyWatermark,
  mixedKinds,
];
