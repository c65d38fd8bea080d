import type { RuleModule } from "../../checks.ts";
import auth from "./auth.ts";
import field from "./field.ts";
import intake from "./intake.ts";
import onlyAskedChoice from "./only-asked-choice.ts";
import ownInput from "./own-input.ts";
import sample from "./sample.ts";
import step from "./step.ts";
import stepMember from "./step-member.ts";
import unreadName from "./unread-name.ts";
import unsentChoice from "./unsent-choice.ts";

/** Declarations that nothing refers to; saved keys are in `state`, pagination in `http`. */
export const unusedRules: readonly RuleModule[] = [
  auth,
  intake,
  field,
  sample,
  step,
  stepMember,
  ownInput,
  unreadName,
  unsentChoice,
  onlyAskedChoice,
];
