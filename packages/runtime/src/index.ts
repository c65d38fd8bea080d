export { ExactNumber, type Json, type JsonObject, parseExact, printExact } from "@configc/jq";
export { abortable, onAbort } from "./abort.ts";
export { isCredential, missingMembers, neededMembers } from "./auth/credential.ts";
export { isSecretMember, secretTexts } from "./auth/secret-members.ts";
export { type IssuedToken, readTokenAnswer, type TokenRefusal } from "./auth/token-answer.ts";
export type { DeliveryCounts } from "./delivery/deliver.ts";
export type {
  BasicCredential,
  Clock,
  Credential,
  Credentials,
  Effects,
  Http,
  HttpRequest,
  HttpResponse,
  Log,
  LogEntry,
  OAuthCredential,
  Platform,
  Random,
  SessionToken,
  TokenCredential,
} from "./effects.ts";
export * from "./engine/index.ts";
export { RunError, type RunErrorKind, type SourcePlace } from "./errors.ts";
export { requiredGetter } from "./expansion.ts";
export { harmless, harmlessLine } from "./harmless.ts";
export {
  type KeptWindows,
  type LimitOptions,
  PutOffs,
  RateLimiter,
  type RateLimits,
  type Release,
  type RunningRequest,
  TooLong,
} from "./http/rate-limit.ts";
export { HttpFailure, type HttpFailureKind, isHttpFailure } from "./http-failure.ts";
export type { Intakes } from "./intake/intakes.ts";
export type { Lifecycle } from "./intake/lifecycle.ts";
export type { WorkOptions } from "./intake/services.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export type { Mapping, MappingEntry } from "./mapping/mapping.ts";
export { valueCost } from "./memory/json-cost.ts";
export {
  isMemoryFailure,
  type Memory,
  MemoryFailure,
  type MemoryFailureKind,
  megabytes,
  type Passing,
  type Room,
} from "./memory/memory.ts";
export { commandAt } from "./node-path.ts";
export { customDataOf } from "./personalize/custom-data.ts";
export { type PipelineResult, runPipeline } from "./pipeline/run-pipeline.ts";
export { authAt, placeAt } from "./place.ts";
export type { CycleResult } from "./polling/cycle.ts";
export { type PollReason, type PollResult, pollOnce } from "./polling/poll-once.ts";
export { type GivenEffects, LONGEST_TIMER, portableClock, portableEffects } from "./portable-effects.ts";
export { isSecretHeader, MASK, shownUrl } from "./redact/index.ts";
export { redactedValue } from "./redacted-value.ts";
export { type NodeKind, nodeKind, runNode, searchAt } from "./run-node.ts";
export type { RunOptions } from "./run-options.ts";
export type { AroundRun, BegunRun } from "./runs.ts";
export { createRuntime, type Runtime, type RuntimeOptions } from "./runtime.ts";
export { savedInMemory } from "./saved.ts";
export * from "./setup/index.ts";
export { placeInSource } from "./source.ts";
export type { Frame, ProgramRun, RunContext, RunPlace, SavedData, SaveScope, Search } from "./step.ts";
export * from "./store/index.ts";
export {
  type Captured,
  type Cut,
  capture,
  createTracer,
  shownHeaders,
  type TraceEvent,
  type TraceKind,
  type TraceListener,
  type Tracer,
} from "./trace.ts";
export type { WebhookRequest } from "./webhooks/payload.ts";
export type { ReceivedDelivery, ReceiveOptions, WebhookAnswer } from "./webhooks/receive.ts";
