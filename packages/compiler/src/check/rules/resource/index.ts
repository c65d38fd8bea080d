import type { RuleModule } from "../../checks.ts";

/** Resources of the platform: their names, parts and uses (D25, D38). */
export const resourceRules: readonly RuleModule[] = [];
