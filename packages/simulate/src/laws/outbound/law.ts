import type { OutboundLog } from "../../outbound/run.ts";
import type { OutboundSubject } from "../../outbound/subject.ts";
import type { Law } from "../law.ts";

/** What a law of outbound workflows may look at beside the log. */
export interface OutboundContext extends OutboundSubject {
  /** The same world without its faults. */
  readonly calm: OutboundLog;
}

/** A law of workflows that send contacts. */
export type OutboundLaw = Law<OutboundLog, OutboundContext>;
