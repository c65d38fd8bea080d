import type { RuleModule } from "../../checks.ts";

/** What single commands ask for beyond the form that the language table states. */
export const commandRules: readonly RuleModule[] = [];
