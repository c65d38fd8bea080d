import type { RuleModule } from "../../checks.ts";
import centsLimit from "./cents-limit.ts";
import codeForId from "./code-for-id.ts";
import comparedKind from "./compared-kind.ts";
import comparedRecord from "./compared-record.ts";
import crossedCodes from "./crossed-codes.ts";
import daysBetween from "./days-between.ts";
import documentedDate from "./documented-date.ts";
import documentedFactor from "./documented-factor.ts";
import documentedSpan from "./documented-span.ts";
import documentedTerms from "./documented-terms.ts";
import documentedTime from "./documented-time.ts";
import doubledMember from "./doubled-member.ts";
import durationDesignator from "./duration-designator.ts";
import excludedPerson from "./excluded-person.ts";
import flagOfOtherOption from "./flag-of-other-option.ts";
import idForNumber from "./id-for-number.ts";
import inclusiveDays from "./inclusive-days.ts";
import labelOfOtherCode from "./label-of-other-code.ts";
import listInList from "./list-in-list.ts";
import mainOfList from "./main-of-list.ts";
import memberForId from "./member-for-id.ts";
import minorUnits from "./minor-units.ts";
import mixedPeople from "./mixed-people.ts";
import mixedTimeUnits from "./mixed-time-units.ts";
import nameForId from "./name-for-id.ts";
import nights from "./nights.ts";
import numberForDay from "./number-for-day.ts";
import oddPeriod from "./odd-period.ts";
import oneIdTwoKinds from "./one-id-two-kinds.ts";
import oppositeMember from "./opposite-member.ts";
import otherAnswer from "./other-answer.ts";
import otherChoice from "./other-choice.ts";
import otherClock from "./other-clock.ts";
import otherCode from "./other-code.ts";
import otherDirection from "./other-direction.ts";
import otherDuration from "./other-duration.ts";
import otherExtreme from "./other-extreme.ts";
import otherField from "./other-field.ts";
import otherId from "./other-id.ts";
import otherLevel from "./other-level.ts";
import otherRecord from "./other-record.ts";
import otherRole from "./other-role.ts";
import otherSpelling from "./other-spelling.ts";
import otherStep from "./other-step.ts";
import otherUnit from "./other-unit.ts";
import otherWord from "./other-word.ts";
import ownId from "./own-id.ts";
import ownInclude from "./own-include.ts";
import ownWord from "./own-word.ts";
import pastDeadline from "./past-deadline.ts";
import percentOfOne from "./percent-of-one.ts";
import qualifiedWord from "./qualified-word.ts";
import recordBeside from "./record-beside.ts";
import roleBeside from "./role-beside.ts";
import roleGiven from "./role-given.ts";
import routedRecord from "./routed-record.ts";
import routing from "./routing.ts";
import saidNumber from "./said-number.ts";
import secondPerson from "./second-person.ts";
import shortOfBoth from "./short-of-both.ts";
import staleVersion from "./stale-version.ts";
import titledDate from "./titled-date.ts";
import titledPerson from "./titled-person.ts";
import turnedOffset from "./turned-offset.ts";
import unappliedFactor from "./unapplied-factor.ts";
import unconverted from "./unconverted.ts";
import undocumentedCode from "./undocumented-code.ts";
import undocumentedWord from "./undocumented-word.ts";
import unlistedKey from "./unlisted-key.ts";
import wordOfOtherName from "./word-of-other-name.ts";

/** What values are by where they come from, against what is wanted where they go. */
export const valueRules: readonly RuleModule[] = [
  otherRole,
  undocumentedCode,
  undocumentedWord,
  daysBetween,
  documentedDate,
  documentedSpan,
  documentedTerms,
  documentedTime,
  excludedPerson,
  secondPerson,
  doubledMember,
  otherRecord,
  otherExtreme,
  otherField,
  otherId,
  oneIdTwoKinds,
  staleVersion,
  otherAnswer,
  otherChoice,
  otherClock,
  otherUnit,
  idForNumber,
  inclusiveDays,
  otherDuration,
  mixedPeople,
  mixedTimeUnits,
  titledDate,
  titledPerson,
  documentedFactor,
  oddPeriod,
  otherCode,
  otherDirection,
  turnedOffset,
  codeForId,
  memberForId,
  unlistedKey,
  unappliedFactor,
  unconverted,
  durationDesignator,
  listInList,
  minorUnits,
  oppositeMember,
  comparedKind,
  comparedRecord,
  centsLimit,
  crossedCodes,
  otherLevel,
  otherWord,
  otherSpelling,
  nameForId,
  routing,
  ownId,
  ownInclude,
  ownWord,
  pastDeadline,
  qualifiedWord,
  recordBeside,
  otherStep,
  percentOfOne,
  routedRecord,
  mainOfList,
  nights,
  numberForDay,
  roleBeside,
  roleGiven,
  saidNumber,
  shortOfBoth,
  labelOfOtherCode,
  flagOfOtherOption,
  wordOfOtherName,
];
