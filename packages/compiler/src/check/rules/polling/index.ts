import type { RuleModule } from "../../checks.ts";
import constantFlag from "./constant-flag.ts";
import constantIterate from "./constant-iterate.ts";
import cursorSource from "./cursor-source.ts";
import earlyWatermark from "./early-watermark.ts";
import emptyWindow from "./empty-window.ts";
import exclusiveWatermark from "./exclusive-watermark.ts";
import filteredResults from "./filtered-results.ts";
import idleKey from "./idle-key.ts";
import indexLag from "./index-lag.ts";
import lastForLatest from "./last-for-latest.ts";
import mixedKinds from "./mixed-kinds.ts";
import nextCycle from "./next-cycle.ts";
import nullKept from "./null-kept.ts";
import pageEnd from "./page-end.ts";
import positionStep from "./position-step.ts";
import sameRequest from "./same-request.ts";
import shiftingPages from "./shifting-pages.ts";
import shrinkingList from "./shrinking-list.ts";
import standingWindow from "./standing-window.ts";
import textArithmetic from "./text-arithmetic.ts";

/** Whether a polling intake, as a small machine, gets to what it is for: every record, and an end. */
export const pollingRules: readonly RuleModule[] = [
  sameRequest,
  constantIterate,
  constantFlag,
  pageEnd,
  positionStep,
  cursorSource,
  filteredResults,
  idleKey,
  earlyWatermark,
  mixedKinds,
  emptyWindow,
  standingWindow,
  nextCycle,
  nullKept,
  shiftingPages,
  shrinkingList,
  lastForLatest,
  exclusiveWatermark,
  indexLag,
  textArithmetic,
];
