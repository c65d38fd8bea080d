import type { RuleModule } from "../../checks.ts";
import baseUrl from "./base-url.ts";
import documentedSize from "./documented-size.ts";
import documentedStart from "./documented-start.ts";
import oddPageSize from "./odd-page-size.ts";
import otherCursor from "./other-cursor.ts";
import otherFirstPage from "./other-first-page.ts";
import pageCounts from "./page-counts.ts";
import pageTokens from "./page-tokens.ts";
import parameters from "./parameters.ts";
import parser from "./parser.ts";
import placeInOneList from "./place-in-one-list.ts";
import rateLimit from "./rate-limit.ts";

/** The `api` object: base URL, pagination, rate limits (D17, D22, D41). */
export const apiRules: readonly RuleModule[] = [
  baseUrl,
  pageCounts,
  pageTokens,
  parameters,
  parser,
  rateLimit,
  documentedSize,
  documentedStart,
  otherFirstPage,
  oddPageSize,
  otherCursor,
  placeInOneList,
];
