import type { FunctionTables } from "../library.ts";
import { choices } from "./choices.ts";
import { collectionFunctions } from "./collections.ts";
import { attempted, generalFunctions } from "./general.ts";
import { hostFilters, hostFunctions } from "./host.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { loops } from "./loops.ts";
import { mathFunctions } from "./math.ts";
import { pathFilters } from "./path-filters.ts";
import { streams } from "./streams.ts";
import { stringFunctions } from "./strings.ts";
import { traversals } from "./traversals.ts";

/** Builtins that need nothing large: all but regular expressions, dates, and what tells of programs. */
export const core: FunctionTables = {
  values: {
    ...generalFunctions,
    ...collectionFunctions,
    ...stringFunctions,
    ...mathFunctions,
    ...hostFunctions,
  },
  attempted,
  filters: {
    ...choices,
    ...hostFilters,
    ...limits,
    ...lists,
    ...loops,
    ...pathFilters,
    ...streams,
    ...traversals,
  },
};
