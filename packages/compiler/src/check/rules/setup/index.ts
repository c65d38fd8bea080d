import type { RuleModule } from "../../checks.ts";
import emptyForm from "./empty-form.ts";
import exchangedOption from "./exchanged-option.ts";
import exchangedValues from "./exchanged-values.ts";
import fieldOptions from "./field-options.ts";
import importOptions from "./import-options.ts";
import listAsOption from "./list-as-option.ts";
import misnamedOption from "./misnamed-option.ts";
import onlyFirstOption from "./only-first-option.ts";
import optionOfOtherRecord from "./option-of-other-record.ts";
import otherAccount from "./other-account.ts";
import otherOptionValue from "./other-option-value.ts";
import otherScale from "./other-scale.ts";
import otherSelection from "./other-selection.ts";
import repeatedOptionValue from "./repeated-option-value.ts";
import review from "./review.ts";
import schedule from "./schedule.ts";
import searchTerm from "./search-term.ts";
import unbuiltAnswer from "./unbuilt-answer.ts";

/** The steps of the guided setup, except for the mapping. */
export const setupRules: readonly RuleModule[] = [
  emptyForm,
  fieldOptions,
  importOptions,
  listAsOption,
  misnamedOption,
  onlyFirstOption,
  optionOfOtherRecord,
  otherAccount,
  otherOptionValue,
  otherScale,
  repeatedOptionValue,
  review,
  schedule,
  searchTerm,
  exchangedOption,
  unbuiltAnswer,
  exchangedValues,
  otherSelection,
];
