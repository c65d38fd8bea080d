import type { RuleModule } from "../../checks.ts";
import droppedKey from "./dropped-key.ts";
import lifecycle from "./lifecycle.ts";
import pollingKeys from "./polling-keys.ts";
import savedAnswer from "./saved-answer.ts";
import savedElsewhere from "./saved-elsewhere.ts";
import savedEnvelope from "./saved-envelope.ts";
import savedKeys from "./saved-keys.ts";
import unsavedMade from "./unsaved-made.ts";
import unsetKey from "./unset-key.ts";

/** What is kept between commands: saved values and the polling state. */
export const stateRules: readonly RuleModule[] = [
  lifecycle,
  droppedKey,
  unsetKey,
  pollingKeys,
  savedKeys,
  unsavedMade,
  savedAnswer,
  savedElsewhere,
  savedEnvelope,
];
