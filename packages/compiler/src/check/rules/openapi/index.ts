import type { RuleModule } from "../../checks.ts";
import body from "./body.ts";
import operation from "./operation.ts";
import responseMember from "./response-member.ts";

/** Requests against what an OpenAPI document says of them. */
export const openapiRules: readonly RuleModule[] = [operation, body, responseMember];
