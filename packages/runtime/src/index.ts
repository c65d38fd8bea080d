// Numbers and JSON that keep every digit.

export { ExactNumber, type Json, type JsonObject, parseExact, printExact } from "@configc/jq";

// The runtime of an app, and what it may do to the world.

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
export { type GivenEffects, portableClock, portableEffects } from "./portable-effects.ts";
export type { AroundRun, BegunRun } from "./runs.ts";
export { createRuntime, type Runtime, type RuntimeOptions } from "./runtime.ts";

// What is run: pipelines, cycles, webhooks, setups.

export type { DeliveryCounts } from "./delivery/deliver.ts";
export type { Intakes } from "./intake/intakes.ts";
export type { Lifecycle } from "./intake/lifecycle.ts";
export type { WorkOptions } from "./intake/services.ts";
export type { Mapping, MappingEntry } from "./mapping/mapping.ts";
export { type PipelineResult, runPipeline } from "./pipeline/run-pipeline.ts";
export type { CycleResult } from "./polling/cycle.ts";
export type { PollReason } from "./polling/poll-once.ts";
export type { RunOptions } from "./run-options.ts";
export { savedInMemory } from "./saved.ts";
export * from "./setup/index.ts";
export type { Frame, ProgramRun, RunContext, RunPlace, SavedData, SaveScope, Search } from "./step.ts";
export type { WebhookRequest } from "./webhooks/payload.ts";
export type { ReceivedDelivery, ReceiveOptions, WebhookAnswer } from "./webhooks/receive.ts";

// What a host brings: a store, an engine.

export * from "./engine/index.ts";
export * from "./store/index.ts";

// Limits, and what fails.

export { RunError, type RunErrorKind, type SourcePlace } from "./errors.ts";
export type { LimitOptions, RateLimits, Release } from "./http/rate-limit.ts";
export { HttpFailure, type HttpFailureKind, isHttpFailure } from "./http-failure.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export {
  isMemoryFailure,
  type Memory,
  MemoryFailure,
  type MemoryFailureKind,
  type Passing,
  type Room,
} from "./memory/memory.ts";

// What a run did.

export {
  type Captured,
  type Cut,
  capture,
  createTracer,
  type TraceData,
  type Traced,
  type TraceEvent,
  type TraceKind,
  type TraceListener,
  type Tracer,
} from "./trace.ts";
