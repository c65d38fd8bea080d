import type { RuleModule } from "../../checks.ts";
import eventOfAnswer from "./event-of-answer.ts";
import notARoot from "./not-a-root.ts";
import notDelivered from "./not-delivered.ts";
import stepBeside from "./step-beside.ts";
import unknownName from "./unknown-name.ts";

/** Names that workflows refer to. Expansions have an area of their own, saved and polling keys are in `state`. */
export const referenceRules: readonly RuleModule[] = [
  unknownName,
  notARoot,
  stepBeside,
  notDelivered,
  eventOfAnswer,
];
