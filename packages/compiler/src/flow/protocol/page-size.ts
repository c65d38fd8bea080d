import type { IntakeSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import type { JsonNode } from "../../parse/syntax-tree.ts";
import { askedBy } from "./request-reads.ts";

/** Names that mean the size of a page and nothing else. */
export const sizeParam =
  /^(?:page\[)?(?:limit|size|per_?page|page_?size|max_?results|\$top|top|count|results_?per_?page)\]?$/i;

export interface PageSize {
  readonly param: string;
  readonly size: number;
  readonly at: JsonNode;
}

/** The size of a page, where the one request of an intake names one as a constant. */
export function requestedPageSize(intake: IntakeSymbol, model: Model): PageSize | undefined {
  const [request, ...others] = askedBy(intake, model)?.requests ?? [];
  if (others.length > 0 || request?.argument?.kind !== "object") return undefined;
  const { argument } = request;
  const sizes = ["params", "body"].flatMap((name) => sizesIn(argument.get(name)));
  const path = argument.get("path") ?? argument.get("url");
  const query = path?.kind === "string" ? path.value.split("?")[1] : undefined;
  if (path !== undefined && query !== undefined)
    for (const [name, value] of query.split("&").map((each) => each.split("=")))
      sizes.push(...sizeOf(name ?? "", Number(value), path));
  return sizes.length === 1 ? sizes[0] : undefined;
}

function sizesIn(node: JsonNode | undefined): readonly PageSize[] {
  return node?.kind !== "object"
    ? []
    : node.members.flatMap(({ name, value }) => {
        if (value?.kind === "object") return sizesIn(value);
        return value?.kind === "number" || value?.kind === "string"
          ? sizeOf(name, Number(value.value), value)
          : [];
      });
}

function sizeOf(param: string, size: number, at: JsonNode): readonly PageSize[] {
  return sizeParam.test(param) && Number.isInteger(size) && size > 0 ? [{ param, size, at }] : [];
}
