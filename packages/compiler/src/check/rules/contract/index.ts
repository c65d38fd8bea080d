import type { RuleModule } from "../../checks.ts";
import absentAlternative from "./absent-alternative.ts";
import historyEnvelope from "./history-envelope.ts";
import historyLevel from "./history-level.ts";
import historyShape from "./history-shape.ts";
import inputs from "./inputs.ts";
import jqTypes from "./jq-types.ts";
import listInText from "./list-in-text.ts";
import objectAsField from "./object-as-field.ts";
import objectByUse from "./object-by-use.ts";
import objectInText from "./object-in-text.ts";
import outputs from "./outputs.ts";
import sourceFields from "./source-fields.ts";
import stepMember from "./step-member.ts";

/** What commands give and take, by its type. */
export const contractRules: readonly RuleModule[] = [
  outputs,
  inputs,
  jqTypes,
  objectByUse,
  objectInText,
  stepMember,
  sourceFields,
  historyShape,
  historyEnvelope,
  historyLevel,
  listInText,
  objectAsField,
  absentAlternative,
];
