import type { RuleModule } from "../../checks.ts";
import addedTimes from "./added-times.ts";
import allForAny from "./all-for-any.ts";
import alwaysInRange from "./always-in-range.ts";
import booleanAsText from "./boolean-as-text.ts";
import bothKinds from "./both-kinds.ts";
import choiceAsList from "./choice-as-list.ts";
import chosenLists from "./chosen-lists.ts";
import comparedWithItself from "./compared-with-itself.ts";
import constants from "./constants.ts";
import crossedMembers from "./crossed-members.ts";
import cutPrefix from "./cut-prefix.ts";
import dateOrder from "./date-order.ts";
import dateShapes from "./date-shapes.ts";
import dates from "./dates.ts";
import defaultOfOtherKind from "./default-of-other-kind.ts";
import digitTexts from "./digit-texts.ts";
import dividedSpan from "./divided-span.ts";
import documentedCase from "./documented-case.ts";
import documentedComparison from "./documented-comparison.ts";
import documentedKind from "./documented-kind.ts";
import documentedNull from "./documented-null.ts";
import documentedSeparator from "./documented-separator.ts";
import dropsTheWanted from "./drops-the-wanted.ts";
import eitherGuard from "./either-guard.ts";
import emptyText from "./empty-text.ts";
import entriesAsList from "./entries-as-list.ts";
import exchangedBranches from "./exchanged-branches.ts";
import failingBranch from "./failing-branch.ts";
import failsOnNull from "./fails-on-null.ts";
import fixedDecimals from "./fixed-decimals.ts";
import fixedLookup from "./fixed-lookup.ts";
import flagAsPresence from "./flag-as-presence.ts";
import flagAsText from "./flag-as-text.ts";
import forgottenLimit from "./forgotten-limit.ts";
import halfAsked from "./half-asked.ts";
import hostFunction from "./host-function.ts";
import idleAlternative from "./idle-alternative.ts";
import impossibleResult from "./impossible-result.ts";
import keepsOnlyEmpty from "./keeps-only-empty.ts";
import lacksGuard from "./lacks-guard.ts";
import lengthOfAnswer from "./length-of-answer.ts";
import listAsNull from "./list-as-null.ts";
import listAsText from "./list-as-text.ts";
import localTimeAsUtc from "./local-time-as-utc.ts";
import lostObject from "./lost-object.ts";
import memberAbove from "./member-above.ts";
import minusItself from "./minus-itself.ts";
import missingAsThere from "./missing-as-there.ts";
import missingWherePresent from "./missing-where-present.ts";
import namedDurations from "./named-durations.ts";
import names from "./names.ts";
import neverEqualCalls from "./never-equal-calls.ts";
import noSuchItem from "./no-such-item.ts";
import nothingGathered from "./nothing-gathered.ts";
import numberAsFlag from "./number-as-flag.ts";
import numberAsText from "./number-as-text.ts";
import objectAsId from "./object-as-id.ts";
import objectAsValue from "./object-as-value.ts";
import objectCompared from "./object-compared.ts";
import oneCountsAsNone from "./one-counts-as-none.ts";
import oneSidedCase from "./one-sided-case.ts";
import oneSidedOffset from "./one-sided-offset.ts";
import positions from "./positions.ts";
import recordAsId from "./record-as-id.ts";
import regex from "./regex.ts";
import repeatedCondition from "./repeated-condition.ts";
import sameBranches from "./same-branches.ts";
import sameForEachOption from "./same-for-each-option.ts";
import sameForOptions from "./same-for-options.ts";
import sameInEachCase from "./same-in-each-case.ts";
import sameMonth from "./same-month.ts";
import scaledTwice from "./scaled-twice.ts";
import skippedField from "./skipped-field.ts";
import skippedPiece from "./skipped-piece.ts";
import skipsOnlyBoth from "./skips-only-both.ts";
import slips from "./slips.ts";
import stream from "./stream.ts";
import sumOfNothing from "./sum-of-nothing.ts";
import sumOfRecords from "./sum-of-records.ts";
import syntax from "./syntax.ts";
import tableKey from "./table-key.ts";
import textAsCondition from "./text-as-condition.ts";
import textOrder from "./text-order.ts";
import turnedTable from "./turned-table.ts";
import uncutFractions from "./uncut-fractions.ts";
import undoneReplacement from "./undone-replacement.ts";
import units from "./units.ts";
import unpaddedRemainder from "./unpadded-remainder.ts";
import usedWhereEmpty from "./used-where-empty.ts";
import variableInText from "./variable-in-text.ts";
import wholeObjectAsId from "./whole-object-as-id.ts";
import zeroDivisor from "./zero-divisor.ts";

/** jq programs: what `@configc/jq` finds in them, and what a hosted config makes of them (D10, D23). */
export const jqRules: readonly RuleModule[] = [
  sumOfNothing,
  sumOfRecords,
  syntax,
  names,
  positions,
  fixedDecimals,
  hostFunction,
  regex,
  slips,
  stream,
  lostObject,
  emptyText,
  constants,
  crossedMembers,
  dates,
  uncutFractions,
  tableKey,
  fixedLookup,
  units,
  namedDurations,
  noSuchItem,
  nothingGathered,
  numberAsFlag,
  numberAsText,
  dividedSpan,
  documentedCase,
  documentedSeparator,
  dropsTheWanted,
  choiceAsList,
  chosenLists,
  entriesAsList,
  exchangedBranches,
  usedWhereEmpty,
  missingWherePresent,
  halfAsked,
  skipsOnlyBoth,
  missingAsThere,
  failingBranch,
  failsOnNull,
  comparedWithItself,
  flagAsPresence,
  flagAsText,
  forgottenLimit,
  lacksGuard,
  minusItself,
  lengthOfAnswer,
  localTimeAsUtc,
  documentedComparison,
  documentedKind,
  documentedNull,
  dateOrder,
  sameForEachOption,
  sameForOptions,
  sameMonth,
  skippedField,
  skippedPiece,
  digitTexts,
  textAsCondition,
  textOrder,
  listAsNull,
  listAsText,
  objectAsId,
  objectAsValue,
  objectCompared,
  wholeObjectAsId,
  recordAsId,
  eitherGuard,
  neverEqualCalls,
  idleAlternative,
  oneSidedCase,
  oneSidedOffset,
  addedTimes,
  booleanAsText,
  allForAny,
  alwaysInRange,
  memberAbove,
  bothKinds,
  dateShapes,
  cutPrefix,
  turnedTable,
  undoneReplacement,
  unpaddedRemainder,
  impossibleResult,
  defaultOfOtherKind,
  repeatedCondition,
  sameBranches,
  sameInEachCase,
  oneCountsAsNone,
  variableInText,
  zeroDivisor,
  scaledTwice,
  keepsOnlyEmpty,
];
