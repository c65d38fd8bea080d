import type { FaultKind } from "./world/fault.ts";

/** A request and what came back, whole: a recording can be made of it. Plain JSON. */
export interface Exchange {
  /** Milliseconds since 1970 of the simulation, when it was sent. */
  readonly at: number;
  /** When the answer was there, or the failure. */
  readonly answeredAt: number;
  /** `service`: a delivery to one of the app's webhooks, which the app answers. */
  readonly sender: "app" | "service";
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Undefined where no answer came: `failure` says how. */
  readonly status: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly failure: "network" | "timeout" | undefined;
  /** What went wrong with it on purpose. */
  readonly fault: FaultKind | undefined;
}
