import type { RuleModule } from "../../checks.ts";
import description from "./description.ts";
import fieldId from "./field-id.ts";
import methodCase from "./method-case.ts";
import resourceType from "./resource-type.ts";
import workflowLabel from "./workflow-label.ts";
import workflowName from "./workflow-name.ts";

/** Recommended forms: taste, never more than a hint. */
export const styleRules: readonly RuleModule[] = [
  description,
  fieldId,
  methodCase,
  resourceType,
  workflowLabel,
  workflowName,
];
