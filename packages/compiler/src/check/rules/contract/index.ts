import type { RuleModule } from "../../checks.ts";
import inputs from "./inputs.ts";
import jqTypes from "./jq-types.ts";
import outputs from "./outputs.ts";

/** What commands give and take, by its type. */
export const contractRules: readonly RuleModule[] = [outputs, inputs, jqTypes];
