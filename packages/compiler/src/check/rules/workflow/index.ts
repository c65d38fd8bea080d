import type { RuleModule } from "../../checks.ts";
import historical from "./historical.ts";
import inboundOnly from "./inbound-only.ts";
import outboundWithoutMap from "./outbound-without-map.ts";
import platformSide from "./platform-side.ts";
import secondInbound from "./second-inbound.ts";
import wrongDirection from "./wrong-direction.ts";

/** Which way a workflow's data goes, and what belongs to that. */
export const workflowRules: readonly RuleModule[] = [
  historical,
  inboundOnly,
  outboundWithoutMap,
  platformSide,
  secondInbound,
  wrongDirection,
];
