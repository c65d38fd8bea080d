import type { Expansion } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import { flowOf } from "../../../flow/flow.ts";
import { kindOfExpansion } from "../../../flow/record-kind.ts";

/** What kind of record the id is of that an expansion reads: several rules ask. */
export const kindRead = passingOf((expansion: Expansion, model) => kindOfExpansion(expansion, flowOf(model)));
