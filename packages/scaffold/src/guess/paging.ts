import { jqPath, type Path } from "../shape.ts";
import type { Guess } from "./guess.ts";
import type { RecordList } from "./lists.ts";
import { phrase } from "./name-words.ts";
import {
  type Clues,
  cluesOf,
  isTime,
  lastIdNames,
  linkIn,
  moreIn,
  type PageSize,
  pageNames,
  pagesNames,
  query,
  totalNames,
} from "./paging-clues.ts";

/** How a list goes on behind its first page. */
export type Paging =
  | { readonly kind: "none" }
  /** A place that the answer gives. */
  | {
      readonly kind: "cursor";
      readonly param: string;
      readonly next: Path;
      /** Whether the answer gives the next request's address, with the parameter in it. */
      readonly isLink: boolean;
      readonly more?: Path;
      readonly size?: PageSize;
    }
  /** The id of the last record. */
  | {
      readonly kind: "keyset";
      readonly param: string;
      readonly id: string;
      /** Without it, an empty page is the end. */
      readonly more?: Path;
      readonly size?: PageSize;
    }
  | {
      readonly kind: "offset";
      readonly param: string;
      readonly total?: Path;
      readonly more?: Path;
      readonly size?: PageSize;
    }
  | {
      readonly kind: "page";
      readonly param: string;
      readonly first: number;
      readonly pages?: Path;
      readonly more?: Path;
      readonly size?: PageSize;
    };

/** The paging of a list, by its parameters and by what its answer says of the rest. */
export function pagingOf(list: RecordList): Guess<Paging> {
  const clues = cluesOf(list);
  return (
    byCursor(clues) ??
    byTime(clues) ??
    byLink(clues) ??
    byLastId(clues) ??
    byPageNumber(clues) ??
    byOffset(clues) ??
    openPlace(clues) ??
    openRest(clues) ?? { value: { kind: "none" }, because: "no parameter for pages" }
  );
}

/** What each kind of paging has besides its own. */
function common({ more, size }: Clues) {
  return { ...(more === undefined ? {} : { more }), ...(size === undefined ? {} : { size }) };
}

function byCursor(clues: Clues): Guess<Paging> | undefined {
  const { cursor, next } = clues;
  if (cursor === undefined || next === undefined) return undefined;
  return {
    value: { kind: "cursor", param: cursor.name, next, isLink: false, ...common(clues) },
    because: `the parameter \`${cursor.name}\` and \`${jqPath(next)}\` of the answer`,
  };
}

function byTime(clues: Clues): Guess<Paging> | undefined {
  const { operation, cursor, next } = clues;
  const before = query(operation, /^(?:until|before)$/);
  if (cursor !== undefined || before === undefined || next === undefined) return undefined;
  if (!isTime(operation.response, next)) return undefined;
  return {
    value: { kind: "cursor", param: before.name, next, isLink: false, ...common(clues) },
    because: `\`${jqPath(next)}\` of the answer is a time to go on from, which \`${before.name}\` takes`,
  };
}

function byLink(clues: Clues): Guess<Paging> | undefined {
  const { operation, cursor } = clues;
  const link = cursor === undefined ? undefined : linkIn(operation.response);
  if (cursor === undefined || link === undefined) return undefined;
  return {
    value: { kind: "cursor", param: cursor.name, next: link, isLink: true, ...common(clues) },
    because: `the parameter \`${cursor.name}\`, which the address \`${jqPath(link)}\` of the answer has`,
  };
}

function byLastId(clues: Clues): Guess<Paging> | undefined {
  const { operation, cursor, more, id } = clues;
  if (id === undefined) return undefined;
  const last = query(operation, lastIdNames);
  if (last !== undefined)
    return {
      value: { kind: "keyset", param: last.name, id, ...common(clues) },
      because: `the parameter \`${last.name}\``,
    };
  if (cursor === undefined || more === undefined || !/after/.test(phrase(cursor.name))) return undefined;
  return {
    value: { kind: "keyset", param: cursor.name, id, ...common(clues) },
    because: `the parameter \`${cursor.name}\`, and \`${jqPath(more)}\` of the answer`,
  };
}

function byPageNumber(clues: Clues): Guess<Paging> | undefined {
  const { operation, size } = clues;
  const page = query(operation, pageNames);
  if (page === undefined) return undefined;
  const pages = moreIn(operation.response, pagesNames, ["number", "unknown"]);
  return {
    value: {
      kind: "page",
      param: page.name,
      first: /\b(?:zero|0)[- ](?:based|indexed)|starts? (?:at|from|with) 0\b/i.test(page.about) ? 0 : 1,
      ...(pages === undefined ? {} : { pages }),
      ...common(clues),
    },
    because: `the parameter \`${page.name}\`${size === undefined ? "" : ` and \`${size.param}\``}`,
  };
}

function byOffset(clues: Clues): Guess<Paging> | undefined {
  const { operation, offset, more, size } = clues;
  // A token that is called an offset counts nothing.
  if (offset === undefined || /token/i.test(offset.about)) return undefined;
  const total = moreIn(operation.response, totalNames, ["number", "unknown"]);
  if (size === undefined && total === undefined && more === undefined) return undefined;
  return {
    value: {
      kind: "offset",
      param: offset.name,
      ...(total === undefined ? {} : { total }),
      ...common(clues),
    },
    because:
      size === undefined
        ? `the parameter \`${offset.name}\`, and \`${jqPath((more ?? total)!)}\` of the answer`
        : `the parameters \`${offset.name}\` and \`${size.param}\``,
  };
}

/** A parameter that asks for a place, which nothing gives. */
function openPlace({ cursor, offset }: Clues): Guess<Paging> | undefined {
  const place = cursor ?? offset;
  if (place === undefined) return undefined;
  return {
    value: { kind: "none" },
    because: `the parameter \`${place.name}\` wants a place, and nothing in the answer seems to give one`,
    isOpen: true,
  };
}

const restNames = /^next(?: page)?(?: (?:url|uri|link|href))?$/;

/** An answer that says that there is more, which nothing asks for. */
function openRest({ operation, more, next }: Clues): Guess<Paging> | undefined {
  const rest = more ?? next ?? moreIn(operation.response, restNames, ["string", "number", "unknown"]);
  if (rest === undefined) return undefined;
  return {
    value: { kind: "none" },
    because: `\`${jqPath(rest)}\` of the answer seems to say that there is more, and no parameter asks for it`,
    isOpen: true,
  };
}
