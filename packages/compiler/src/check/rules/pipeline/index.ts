import type { RuleModule } from "../../checks.ts";
import alreadySet from "./already-set.ts";
import answerAsVariable from "./answer-as-variable.ts";
import caseShape from "./case-shape.ts";
import comparedRaw from "./compared-raw.ts";
import documentedResult from "./documented-result.ts";
import logOutput from "./log-output.ts";
import nothingFound from "./nothing-found.ts";
import otherAnswer from "./other-answer.ts";
import otherCase from "./other-case.ts";
import passedOver from "./passed-over.ts";
import rawMember from "./raw-member.ts";
import rawValue from "./raw-value.ts";
import searchAsRecord from "./search-as-record.ts";
import secondOfOne from "./second-of-one.ts";
import skipsAll from "./skips-all.ts";
import supersededBody from "./superseded-body.ts";
import unbuiltBody from "./unbuilt-body.ts";
import unchosenRecord from "./unchosen-record.ts";
import unfindable from "./unfindable.ts";
import unmappedField from "./unmapped-field.ts";
import unparsedMember from "./unparsed-member.ts";
import unreadCase from "./unread-case.ts";
import wholeBesideParts from "./whole-beside-parts.ts";
import wholeForPart from "./whole-for-part.ts";
import wrapperSent from "./wrapper-sent.ts";
import writtenBack from "./written-back.ts";

/** Pipelines that are run with what they may find, be given and be told by customers. */
export const pipelineRules: readonly RuleModule[] = [
  supersededBody,
  alreadySet,
  caseShape,
  comparedRaw,
  documentedResult,
  nothingFound,
  unfindable,
  unmappedField,
  skipsAll,
  rawMember,
  rawValue,
  unparsedMember,
  otherAnswer,
  otherCase,
  passedOver,
  wholeForPart,
  writtenBack,
  logOutput,
  unchosenRecord,
  unbuiltBody,
  searchAsRecord,
  answerAsVariable,
  secondOfOne,
  unreadCase,
  wholeBesideParts,
  wrapperSent,
];
