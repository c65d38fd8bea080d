import type { Observe } from "@configc/host";
import type { FleetLevel } from "../worker/fleet-level.ts";

// What others see of telemetry: nothing of OpenTelemetry's own types, which are there only where it is installed.

/** What looks on at a host, and at the fleet that it is part of. */
export interface Telemetry extends Observe {
  /**
   * Tells how the fleet is, from now on, whenever that is collected.
   *
   * @param apps whose failures are told from 0 on, before their first run
   */
  watch(fleet: { level(): Promise<FleetLevel> }, apps?: readonly string[]): void;
}

/** OpenTelemetry's `Meter`. */
export type AnyMeter = object;
