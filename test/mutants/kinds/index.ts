import type { Kind } from "../kind.ts";
import { answerKinds } from "./answers.ts";
import { authKinds } from "./auth.ts";
import { bracketKinds } from "./brackets.ts";
import { commandKinds } from "./commands.ts";
import { contractKinds } from "./contracts.ts";
import { enumKinds } from "./enums.ts";
import { exchangeKinds } from "./exchanges.ts";
import { expansionKinds } from "./expansions.ts";
import { flowKinds } from "./flow.ts";
import { valueFormKinds } from "./forms-of-values.ts";
import { httpKinds } from "./http.ts";
import { intakeKinds } from "./intakes.ts";
import { jqKinds } from "./jq.ts";
import { likelyKinds } from "./likely.ts";
import { listKinds } from "./lists.ts";
import { machineKinds } from "./machines.ts";
import { mappingKinds } from "./mapping.ts";
import { meaningKinds } from "./meaning.ts";
import { memberKinds } from "./members.ts";
import { misusedKinds } from "./misused.ts";
import { nameKinds } from "./names.ts";
import { paginationKinds } from "./pagination.ts";
import { referenceKinds } from "./references.ts";
import { registrationKinds } from "./registrations.ts";
import { roleKinds } from "./roles.ts";
import { scopeKinds } from "./scopes.ts";
import { setupKinds } from "./setup.ts";
import { slipsOfMeaning } from "./slips-of-meaning.ts";
import { stateKinds } from "./state.ts";
import { syntaxKinds } from "./syntax.ts";
import { typeKinds } from "./types.ts";
import { workflowKinds } from "./workflows.ts";

/** Every kind of mistake, family by family. */
export const kinds: readonly Kind[] = [
  ...syntaxKinds,
  ...bracketKinds,
  ...memberKinds,
  ...typeKinds,
  ...enumKinds,
  ...nameKinds,
  ...referenceKinds,
  ...expansionKinds,
  ...scopeKinds,
  ...commandKinds,
  ...jqKinds,
  ...contractKinds,
  ...flowKinds,
  ...httpKinds,
  ...paginationKinds,
  ...authKinds,
  ...intakeKinds,
  ...stateKinds,
  ...workflowKinds,
  ...setupKinds,
  ...mappingKinds,
  ...meaningKinds,
  ...likelyKinds,
  ...machineKinds,
  ...listKinds,
  ...roleKinds,
  ...registrationKinds,
  ...answerKinds,
  ...valueFormKinds,
  ...misusedKinds,
  ...slipsOfMeaning,
  ...exchangeKinds,
];
