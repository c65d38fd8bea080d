import type { Tool } from "../tool.ts";
import { applyFix } from "./apply-fix.ts";
import { check } from "./check.ts";
import { compare } from "./compare.ts";
import { complete } from "./complete.ts";
import { explain } from "./explain.ts";
import { runRecorded } from "./run-recorded.ts";
import { simulate } from "./simulate.ts";
import { test } from "./test.ts";
import { type } from "./type.ts";

/** Every tool, in the order in which an app is written. */
export const tools: readonly Tool[] = [
  check,
  explain,
  type,
  complete,
  applyFix,
  runRecorded,
  test,
  simulate,
  compare,
] as readonly Tool[];
