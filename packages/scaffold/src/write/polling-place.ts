import type { RecordList } from "../guess/lists.ts";
import type { Paging } from "../guess/paging.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath, membersOf, type Shape } from "../shape.ts";
import { nextPlace } from "./next-place.ts";

/** The key `place` of the polling state: how it begins, how it is sent, and what it is for the next page. */
export interface PollingPlace {
  readonly first: "null" | "0" | "1";
  readonly params: ConfigObject;
  /** jq; as `first` at the end. */
  readonly next: string;
}

/** Whether the place to go on from may be an empty text: a number can't. */
function mayBeBlank(paging: Paging, response: Shape): boolean {
  if (paging.kind !== "cursor") return false;
  const at = paging.next.join("\n");
  return ![...membersOf(response)].some(
    ({ path, shape }) => path.join("\n") === at && shape.kind === "number",
  );
}

export function placeOf(paging: Paging, { path, operation }: RecordList): PollingPlace | undefined {
  if (paging.kind === "none") return undefined;
  const list = jqPath(path);
  const size: ConfigObject = paging.size === undefined ? {} : { [paging.size.param]: paging.size.value };
  const params = { [paging.param]: "${polling_state.place}", ...size };
  const more = "more" in paging && paging.more !== undefined ? jqPath(paging.more) : undefined;
  switch (paging.kind) {
    case "cursor": {
      const next = nextPlace(paging);
      return {
        first: "null",
        params,
        next: paging.isLink
          ? next
          : more === undefined
            ? mayBeBlank(paging, operation.response)
              ? `(${next} | if . == "" then null else . end)`
              : next
            : `(if ${more} then ${next} else null end)`,
      };
    }
    case "keyset":
      return {
        first: "null",
        params,
        next: `(if ${more ?? `(${list} | length) > 0`} then ${list}[-1]${jqPath([paging.id])} else null end)`,
      };
    case "offset": {
      const step = `(\${polling_state.place} + (${list} | length))`;
      const isMore =
        more ??
        (paging.total !== undefined
          ? `(${list} | length) > 0 and ${step} < ${jqPath(paging.total)}`
          : `(${list} | length) == ${paging.size?.value}`);
      return { first: "0", params, next: `(if ${isMore} then ${step} else 0 end)` };
    }
    case "page": {
      const isMore =
        more ??
        (paging.pages !== undefined
          ? `\${polling_state.place} < ${jqPath(paging.pages)}`
          : paging.size !== undefined
            ? `(${list} | length) == ${paging.size.value}`
            : `(${list} | length) > 0`);
      const first = paging.first === 0 ? "0" : "1";
      return { first, params, next: `(if ${isMore} then \${polling_state.place} + 1 else ${first} end)` };
    }
  }
}
