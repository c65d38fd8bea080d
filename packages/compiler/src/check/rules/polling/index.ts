import type { RuleModule } from "../../checks.ts";
import alwaysPast from "./always-past.ts";
import answerAsState from "./answer-as-state.ts";
import backwardLink from "./backward-link.ts";
import constantFlag from "./constant-flag.ts";
import constantIterate from "./constant-iterate.ts";
import countedPage from "./counted-page.ts";
import cursorOfEmptyPage from "./cursor-of-empty-page.ts";
import cursorSource from "./cursor-source.ts";
import cutCycle from "./cut-cycle.ts";
import cycleLoad from "./cycle-load.ts";
import documentedBound from "./documented-bound.ts";
import documentedLifetime from "./documented-lifetime.ts";
import droppedPlace from "./dropped-place.ts";
import earlyEnd from "./early-end.ts";
import earlyReceipt from "./early-receipt.ts";
import earlyWatermark from "./early-watermark.ts";
import echoedPage from "./echoed-page.ts";
import emptyKey from "./empty-key.ts";
import emptyThere from "./empty-there.ts";
import emptyWindow from "./empty-window.ts";
import exclusiveWatermark from "./exclusive-watermark.ts";
import filteredPlace from "./filtered-place.ts";
import filteredResults from "./filtered-results.ts";
import firstCycleFails from "./first-cycle-fails.ts";
import forgottenKey from "./forgotten-key.ts";
import forgottenPlace from "./forgotten-place.ts";
import futureStart from "./future-start.ts";
import gap from "./gap.ts";
import halfMoved from "./half-moved.ts";
import halfReadAgain from "./half-read-again.ts";
import headWatermark from "./head-watermark.ts";
import idleKey from "./idle-key.ts";
import indexLag from "./index-lag.ts";
import jobStates from "./job-states.ts";
import keptDeleted from "./kept-deleted.ts";
import keptJob from "./kept-job.ts";
import lastForLatest from "./last-for-latest.ts";
import lateImport from "./late-import.ts";
import leastRecord from "./least-record.ts";
import likelyCursor from "./likely-cursor.ts";
import listAsResult from "./list-as-result.ts";
import lostChoice from "./lost-choice.ts";
import lostPlace from "./lost-place.ts";
import lostStart from "./lost-start.ts";
import mixedKinds from "./mixed-kinds.ts";
import newestFirst from "./newest-first.ts";
import nextAddress from "./next-address.ts";
import nextCycle from "./next-cycle.ts";
import nullKept from "./null-kept.ts";
import numbersWithGaps from "./numbers-with-gaps.ts";
import offsetPastEnd from "./offset-past-end.ts";
import oldFirst from "./old-first.ts";
import oldestRecord from "./oldest-record.ts";
import oneOfList from "./one-of-list.ts";
import onlyFirstResult from "./only-first-result.ts";
import opaquePlace from "./opaque-place.ts";
import otherEnd from "./other-end.ts";
import otherPage from "./other-page.ts";
import overwrittenKey from "./overwritten-key.ts";
import pageEnd from "./page-end.ts";
import positionStep from "./position-step.ts";
import recordBounds from "./record-bounds.ts";
import restartedJob from "./restarted-job.ts";
import reversedEnd from "./reversed-end.ts";
import saidPlace from "./said-place.ts";
import sameRequest from "./same-request.ts";
import shiftingPages from "./shifting-pages.ts";
import shortPage from "./short-page.ts";
import shrinkingList from "./shrinking-list.ts";
import skippedAhead from "./skipped-ahead.ts";
import skippedRecord from "./skipped-record.ts";
import stages from "./stages.ts";
import standingWindow from "./standing-window.ts";
import textArithmetic from "./text-arithmetic.ts";
import timeForNumber from "./time-for-number.ts";
import unaskedSize from "./unasked-size.ts";
import unsentEnd from "./unsent-end.ts";
import windowCourse from "./window-course.ts";

/** Whether a polling intake, as a small machine, gets to what it is for: every record, and an end. */
export const pollingRules: readonly RuleModule[] = [
  sameRequest,
  cutCycle,
  forgottenPlace,
  forgottenKey,
  restartedJob,
  constantIterate,
  countedPage,
  droppedPlace,
  halfReadAgain,
  alwaysPast,
  answerAsState,
  constantFlag,
  pageEnd,
  positionStep,
  cursorSource,
  likelyCursor,
  otherPage,
  backwardLink,
  nextAddress,
  filteredResults,
  firstCycleFails,
  stages,
  idleKey,
  documentedBound,
  earlyWatermark,
  mixedKinds,
  echoedPage,
  cursorOfEmptyPage,
  oldFirst,
  offsetPastEnd,
  emptyWindow,
  standingWindow,
  gap,
  leastRecord,
  windowCourse,
  nextCycle,
  newestFirst,
  recordBounds,
  halfMoved,
  headWatermark,
  listAsResult,
  lostStart,
  nullKept,
  shiftingPages,
  shrinkingList,
  lastForLatest,
  lostChoice,
  exclusiveWatermark,
  indexLag,
  textArithmetic,
  timeForNumber,
  cycleLoad,
  futureStart,
  overwrittenKey,
  skippedAhead,
  earlyReceipt,
  otherEnd,
  filteredPlace,
  documentedLifetime,
  earlyEnd,
  onlyFirstResult,
  opaquePlace,
  lateImport,
  skippedRecord,
  keptJob,
  jobStates,
  oldestRecord,
  lostPlace,
  unaskedSize,
  unsentEnd,
  oneOfList,
  keptDeleted,
  emptyThere,
  numbersWithGaps,
  saidPlace,
  emptyKey,
  shortPage,
  reversedEnd,
];
