import type { RuleModule } from "../../checks.ts";
import inputs from "./inputs.ts";
import jqTypes from "./jq-types.ts";
import objectInText from "./object-in-text.ts";
import outputs from "./outputs.ts";
import pipelineShape from "./pipeline-shape.ts";
import stepMember from "./step-member.ts";

/** What commands give and take, by its type. */
export const contractRules: readonly RuleModule[] = [
  outputs,
  inputs,
  jqTypes,
  objectInText,
  stepMember,
  pipelineShape,
];
