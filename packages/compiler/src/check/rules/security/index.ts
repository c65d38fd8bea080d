import type { RuleModule } from "../../checks.ts";
import insecureUrl from "./insecure-url.ts";
import plainSecret from "./plain-secret.ts";
import secretInUrl from "./secret-in-url.ts";
import signingSecret from "./signing-secret.ts";

/** What leaks (D28, D29). */
export const securityRules: readonly RuleModule[] = [plainSecret, secretInUrl, signingSecret, insecureUrl];
