import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import type { JsonNode } from "../../parse/syntax-tree.ts";
import { askedBy } from "./request-reads.ts";

/** Names that mean the size of a page and nothing else. */
const sizeParam =
  /^(?:page\[)?(?:limit|size|per_?page|page_?size|max_?results|\$top|top|count|results_?per_?page)\]?$/i;

export interface SizeAsked {
  readonly param: string;
  readonly size: number;
  readonly at: JsonNode;
}

/** The size of a page, where the one request of an intake names one as a constant. */
export function sizeAsked(intake: IntakeSymbol, model: Model): SizeAsked | undefined {
  const [request, ...others] = askedBy(intake, model)?.requests ?? [];
  if (others.length > 0 || request?.argument?.kind !== "object") return undefined;
  const params = request.argument.get("params");
  if (params?.kind !== "object") return undefined;
  const sizes = params.members.flatMap(({ name, value }): SizeAsked[] => {
    if (value === undefined || !sizeParam.test(name)) return [];
    const size = value.kind === "number" || value.kind === "string" ? Number(value.value) : Number.NaN;
    return Number.isInteger(size) && size > 0 ? [{ param: name, size, at: value }] : [];
  });
  return sizes.length === 1 ? sizes[0] : undefined;
}
