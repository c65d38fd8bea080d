import type { RuleModule } from "../../checks.ts";
import extendedFeature from "./extended-feature.ts";

/** What other platforms than ours would refuse. */
export const portabilityRules: readonly RuleModule[] = [extendedFeature];
