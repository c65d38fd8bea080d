export { type IntakeWorld, readWorldFile, type WorldFile } from "@configc/compiler";
export {
  type AgainstFinding,
  type AgainstPart,
  type AgainstReport,
  type Cause,
  simulateAgainst,
} from "./against/against.ts";
export { type AnsweringOptions, type AnsweringService, answeringService } from "./answering.ts";
export {
  type Capacity,
  type CapacityOptions,
  capacity,
  type Load,
  type WorkflowCapacity,
} from "./capacity/capacity.ts";
export type { Requests } from "./capacity/requests.ts";
export { type Coverage, CoverageOf, type MissingBranch, type Share } from "./coverage/coverage.ts";
export { coverageSummary, missingSummary } from "./coverage/coverage-summary.ts";
export { type Places, placesIn } from "./coverage/places.ts";
export type { Exchange } from "./exchange.ts";
export { hasFailed, withFindings } from "./findings.ts";
export {
  type KnownApi,
  type KnownApp,
  type KnownParameter,
  type KnownRequest,
  type KnownValue,
  type ValueKind,
  withKnown,
  withoutKnown,
} from "./known/known-api.ts";
export { knownApi } from "./known/known-api-of.ts";
export type { OutboundWorld } from "./outbound/world.ts";
export { partSummary } from "./part-summary.ts";
export { type Replayed, type ReplayedCycle, recordWorld, replayWorld, type Unreplayed } from "./replay.ts";
export type { AnyWorld, Failure, Missing, PartKind, PartReport, Report, Verdict } from "./report.ts";
export { readWorld } from "./save/saved-world.ts";
export { nodeOf, testCaseOf, type WorldCase } from "./save/test-case.ts";
export type { SetupWorld } from "./setup/world.ts";
export { type Progress, type SimulateOptions, simulate } from "./simulate.ts";
export type { WebhookWorld } from "./webhook/world.ts";
export type { Fault, FaultKind } from "./world/fault.ts";
export { proposeWorld } from "./world/propose.ts";
export type { World } from "./world/world.ts";
