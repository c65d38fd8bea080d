import type { RecordList } from "../guess/lists.ts";
import { pagingOf } from "../guess/paging.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath } from "../shape.ts";
import { nextPlace } from "./next-place.ts";

/** `api.pagination` for lists that options come from; undefined where they don't go on, or in a way that it can't say. */
export function pagination(lists: readonly RecordList[]): ConfigObject | undefined {
  for (const list of lists) {
    const { value: paging } = pagingOf(list);
    if (paging.kind === "cursor" && paging.param === "cursor")
      return {
        style: { type: "cursor" },
        parser: { next_result_token: { "!jq": nextPlace(paging) } },
      };
    if (paging.kind === "cursor")
      return {
        style: { type: "cursor", cursor: { param: paging.param } },
        parser: { next_result_token: { "!jq": nextPlace(paging) } },
      };
    if (paging.kind === "offset" && paging.total !== undefined && paging.size !== undefined)
      return {
        style: {
          type: "limitoffset",
          limit: { param: paging.size.param, value: paging.size.value },
          offset: { param: paging.param, value: 0 },
        },
        parser: { total_items: { "!jq": jqPath(paging.total) } },
      };
    if (paging.kind === "page" && paging.pages !== undefined)
      return {
        style: {
          type: "page",
          page_number: { param: paging.param, value: paging.first },
          ...(paging.size === undefined
            ? {}
            : { page_size: { param: paging.size.param, value: paging.size.value } }),
        },
        parser: { total_pages: { "!jq": jqPath(paging.pages) } },
      };
  }
  return undefined;
}
