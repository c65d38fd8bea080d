import type { RuleModule } from "../../checks.ts";
import methodCase from "./method-case.ts";
import workflowTexts from "./workflow-texts.ts";

/** Recommended forms: taste, never more than a hint. */
export const styleRules: readonly RuleModule[] = [methodCase, workflowTexts];
