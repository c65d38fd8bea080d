import type { RuleModule } from "../../checks.ts";
import unknownMember from "./unknown-member.ts";

/** What is read of webhooks' payloads, by their samples. */
export const payloadRules: readonly RuleModule[] = [unknownMember];
