import type { RuleModule } from "../../checks.ts";
import choices from "./choices.ts";
import countAsIndex from "./count-as-index.ts";
import exchangedCases from "./exchanged-cases.ts";
import otherOrder from "./other-order.ts";
import repeatedKey from "./repeated-key.ts";
import respond from "./respond.ts";
import reversedLookup from "./reversed-lookup.ts";
import reversedVerdict from "./reversed-verdict.ts";
import saveScope from "./save-scope.ts";
import sha from "./sha.ts";
import switchIndex from "./switch-index.ts";
import unreachableStep from "./unreachable-step.ts";
import unreachedCase from "./unreached-case.ts";

/** What single commands ask for beyond the form that the language table states. */
export const commandRules: readonly RuleModule[] = [
  switchIndex,
  countAsIndex,
  unreachableStep,
  unreachedCase,
  reversedLookup,
  reversedVerdict,
  choices,
  exchangedCases,
  otherOrder,
  sha,
  repeatedKey,
  saveScope,
  respond,
];
