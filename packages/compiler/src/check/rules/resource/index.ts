import type { RuleModule } from "../../checks.ts";
import part from "./part.ts";
import personalize from "./personalize.ts";
import unknown from "./unknown.ts";

/** Resources of the platform: their names, parts and uses (D25, D38). */
export const resourceRules: readonly RuleModule[] = [unknown, part, personalize];
