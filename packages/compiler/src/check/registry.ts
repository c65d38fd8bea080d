import type { RuleModule } from "./checks.ts";
import { apiRules } from "./rules/api/index.ts";
import { authRules } from "./rules/auth/index.ts";
import { commandRules } from "./rules/command/index.ts";
import { contractRules } from "./rules/contract/index.ts";
import { expansionRules } from "./rules/expansion/index.ts";
import { httpRules } from "./rules/http/index.ts";
import { intakeRules } from "./rules/intake/index.ts";
import { jqRules } from "./rules/jq/index.ts";
import { mappingRules } from "./rules/mapping/index.ts";
import { nameRules } from "./rules/name/index.ts";
import { openapiRules } from "./rules/openapi/index.ts";
import { payloadRules } from "./rules/payload/index.ts";
import { pipelineRules } from "./rules/pipeline/index.ts";
import { pollingRules } from "./rules/polling/index.ts";
import { portabilityRules } from "./rules/portability/index.ts";
import { referenceRules } from "./rules/reference/index.ts";
import { resourceRules } from "./rules/resource/index.ts";
import { responseRules } from "./rules/response/index.ts";
import { securityRules } from "./rules/security/index.ts";
import { setupRules } from "./rules/setup/index.ts";
import { stateRules } from "./rules/state/index.ts";
import { structureRules } from "./rules/structure/index.ts";
import { styleRules } from "./rules/style/index.ts";
import { suppressionRules } from "./rules/suppression/rules.ts";
import { syntaxRules } from "./rules/syntax/index.ts";
import { unusedRules } from "./rules/unused/index.ts";
import { valueRules } from "./rules/value/index.ts";
import { workflowRules } from "./rules/workflow/index.ts";

/** Every rule about one version. An area lists its modules in the `index.ts` of its folder. */
export const ruleModules: readonly RuleModule[] = [
  ...syntaxRules,
  ...expansionRules,
  ...commandRules,
  ...contractRules,
  ...jqRules,
  ...responseRules,
  ...payloadRules,
  ...openapiRules,
  ...resourceRules,
  ...referenceRules,
  ...nameRules,
  ...stateRules,
  ...pollingRules,
  ...pipelineRules,
  ...valueRules,
  ...structureRules,
  ...apiRules,
  ...authRules,
  ...httpRules,
  ...securityRules,
  ...portabilityRules,
  ...styleRules,
  ...unusedRules,
  ...workflowRules,
  ...setupRules,
  ...intakeRules,
  ...mappingRules,
  { rules: Object.values(suppressionRules), checks: {} },
];
