import { groupBy } from "@configc/jq/internal";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { type ShapeRead, shapeReadsIn } from "../../../flow/shape-reads.ts";
import { derivedByPart, ofPart } from "../../by-part.ts";

/**
 * How a part reads members of something; read once for all rules that ask. What they are parts of is kept with them, and may come from
 * parts that are linked with it.
 */
export const shapeReadsOf = (part: Part, model: Model): readonly ShapeRead[] =>
  ofPart(part, model, shapeReadsOf, () => shapeReadsIn(part), undefined, "linked");

/** … of all parts of a document. */
export const shapeReads = derivedByPart(shapeReadsOf, "linked");

/** The same by what is read. */
export const shapeReadsByName = derived((model: Model) => groupBy(shapeReads(model), ({ name }) => name));
