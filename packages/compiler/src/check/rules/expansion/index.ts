import type { RuleModule } from "../../checks.ts";
import attribute from "./attribute.ts";
import defaults from "./default.ts";
import defaultDisplay from "./default-display.ts";
import defaultNotOption from "./default-not-option.ts";
import displayIdentifies from "./display-identifies.ts";
import field from "./field.ts";
import fieldId from "./field-id.ts";
import fieldOrder from "./field-order.ts";
import filter from "./filter.ts";
import labelAsNumber from "./label-as-number.ts";
import lookalike from "./lookalike.ts";
import members from "./members.ts";
import misspelledDefault from "./misspelled-default.ts";
import notExpanded from "./not-expanded.ts";
import pipedContent from "./piped-content.ts";
import root from "./root.ts";
import scope from "./scope.ts";
import sharedIntake from "./shared-intake.ts";
import style from "./style.ts";
import syntax from "./syntax.ts";
import valueShown from "./value-shown.ts";

/** Expansions: how they are written, what they name, and where they may stand (D6, D7, D11 to D14, D16). */
export const expansionRules: readonly RuleModule[] = [
  attribute,
  defaults,
  field,
  fieldId,
  fieldOrder,
  filter,
  lookalike,
  members,
  notExpanded,
  pipedContent,
  root,
  scope,
  sharedIntake,
  style,
  syntax,
  displayIdentifies,
  defaultNotOption,
  defaultDisplay,
  misspelledDefault,
  labelAsNumber,
  valueShown,
];
