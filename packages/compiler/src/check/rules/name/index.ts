import type { RuleModule } from "../../checks.ts";
import duplicateName from "./duplicate-name.ts";
import duplicateOption from "./duplicate-option.ts";

/** Names that have to be unique (D5). */
export const nameRules: readonly RuleModule[] = [duplicateName, duplicateOption];
