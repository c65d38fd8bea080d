export { type IntakeWorld, readWorldFile, type WorldFile } from "@configc/compiler";
export type { Exchange } from "./exchange.ts";
export type { OutboundWorld } from "./outbound/world.ts";
export type { AnyWorld, Failure, PartKind, PartReport, Report } from "./report.ts";
export { type Progress, type SimulateOptions, simulate } from "./simulate.ts";
export type { WebhookWorld } from "./webhook/world.ts";
export type { Fault, FaultKind } from "./world/fault.ts";
export { proposeWorld } from "./world/propose.ts";
export type { World } from "./world/world.ts";
