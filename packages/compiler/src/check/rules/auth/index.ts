import type { RuleModule } from "../../checks.ts";
import otherHost from "./other-host.ts";
import settings from "./settings.ts";
import authType from "./type.ts";

/** Auth entries: their types and settings (D27, D28). */
export const authRules: readonly RuleModule[] = [authType, settings, otherHost];
