import type { Comparison } from "../comparison.ts";
import { authRules } from "./auth.ts";
import { connectionRules } from "./connection.ts";
import { fieldRules } from "./field.ts";
import { fieldOptionRules } from "./field-options.ts";
import { groupRules } from "./groups.ts";
import { historicalRules } from "./historical.ts";
import { intakeRules } from "./intake.ts";
import { mappingRules } from "./mapping.ts";
import { pollingStateRules } from "./polling-state.ts";
import { routingRules } from "./routing.ts";
import { savedRules } from "./saved.ts";
import { scheduleRules } from "./schedule.ts";
import { workflowRules } from "./workflow.ts";

/** Every rule about two versions (D40). */
export const breakingRules: readonly Comparison[] = [
  workflowRules,
  authRules,
  connectionRules,
  intakeRules,
  historicalRules,
  routingRules,
  fieldRules,
  fieldOptionRules,
  mappingRules,
  groupRules,
  scheduleRules,
  savedRules,
  pollingStateRules,
];
