import type { Member, Section, Value, VariantValue } from "../schema.ts";
import { command, integer, list, oneOf, scalar, section, text } from "../values.ts";

const source = "spec: api object";

/** Digit strings as numbers are read, with a hint (D22). */
const count: Value = { kind: "either", of: [integer({ minimum: 0 }), text()] };

function parameter(name: string, doc: string, valueDoc: string, value: Value, fallback?: number): Section {
  return {
    name,
    title: `\`${name}\``,
    doc,
    source,
    members: {
      param: {
        value: text({ nonEmpty: true }),
        required: true,
        doc: "Name of the query parameter.",
        example: name,
      },
      value: {
        value,
        // What has no default can't be guessed.
        required: fallback === undefined,
        ...(fallback === undefined ? {} : { default: fallback }),
        doc: valueDoc,
        example: fallback ?? 100,
      },
    },
  };
}

const pageNumber = parameter(
  "page_number",
  "The parameter that selects the page.",
  "Number of the first page.",
  count,
  1,
);
const pageSize = parameter(
  "page_size",
  "The parameter that sets how many records a page has.",
  "Records per page.",
  count,
);
const limit = parameter(
  "limit",
  "The parameter that sets how many records a call gives.",
  "Records per call, in the range that the API sets.",
  count,
);
const offset = parameter(
  "offset",
  "The parameter that says where to start.",
  "Index of the first record; change it if the data isn't 0-based.",
  count,
  0,
);
const ordering = parameter(
  "ordering",
  "The parameter that orders the records.",
  "The ordering criterion, as the API names it.",
  scalar,
);
const extraParameter = parameter("extra", "A further parameter, such as a filter.", "Its value.", scalar);
const cursorParameter: Section = {
  name: "cursor",
  title: "`cursor`",
  doc: "The parameter that carries the token of the next page.",
  source: "D22",
  members: {
    param: {
      value: text({ nonEmpty: true }),
      tier: "ext",
      required: true,
      doc: "Name of the query parameter; `cursor` by default.",
      example: "page_token",
    },
  },
};

const oneOrMany: Value = {
  kind: "either",
  of: [section(() => extraParameter), list(section(() => extraParameter))],
};

function extra(tier: "core" | "ext"): Member {
  return {
    value: oneOrMany,
    tier,
    doc: "Further parameters for every page, such as a filter or an ordering: one, or a list of them.",
    example: [{ param: "status", value: "active" }],
    ...(tier === "ext" ? { source: "D22" } : {}),
  };
}

const styleType: Member = {
  value: oneOf("page", "limitoffset", "cursor"),
  required: true,
  doc: "How the API numbers its pages: `page`, `limitoffset` or `cursor`.",
  example: "page",
};

const pageStyle: Section = {
  name: "page style",
  title: "`style` of type `page`",
  doc: "Pages have numbers.",
  source,
  members: {
    type: styleType,
    page_number: {
      value: section(() => pageNumber),
      required: true,
      doc: "The parameter that selects the page.",
      example: { param: "page", value: 1 },
    },
    page_size: {
      value: section(() => pageSize),
      doc: "The parameter that sets the size of a page.",
      example: { param: "per_page", value: 100 },
    },
    extra: extra("core"),
  },
};

const limitOffsetStyle: Section = {
  name: "limitoffset style",
  title: "`style` of type `limitoffset`",
  doc: "A call names the first record and how many.",
  source,
  members: {
    type: styleType,
    limit: {
      value: section(() => limit),
      required: true,
      doc: "The parameter that sets how many records a call gives.",
      example: { param: "limit", value: 100 },
    },
    offset: {
      value: section(() => offset),
      required: true,
      doc: "The parameter that says where to start.",
      example: { param: "offset", value: 0 },
    },
    extra: extra("core"),
  },
};

const cursorStyle: Section = {
  name: "cursor style",
  title: "`style` of type `cursor`",
  doc: "Each answer carries the token of the next page.",
  source,
  members: {
    type: styleType,
    limit: {
      value: section(() => limit),
      doc: "The parameter that sets how many records a call gives.",
      example: { param: "limit", value: 100 },
    },
    ordering: {
      value: section(() => ordering),
      doc: "The parameter that orders the records.",
      example: { param: "sort", value: "created" },
    },
    cursor: {
      value: section(() => cursorParameter),
      tier: "ext",
      source: "D22",
      doc: "Names the token's parameter if it isn't `cursor`.",
      example: { param: "after" },
    },
    extra: extra("ext"),
  },
};

const unknownStyle: Section = {
  name: "pagination style",
  title: "`pagination.style`",
  doc: "How pages are requested.",
  source,
  open: true,
  members: { type: styleType },
};

const style: VariantValue = {
  kind: "variant",
  by: "type",
  toldByMembers: true,
  variants: { page: () => pageStyle, limitoffset: () => limitOffsetStyle, cursor: () => cursorStyle },
  otherwise: () => unknownStyle,
};

/** Which of them belongs to which style is said by `api/parser-mismatch`: the parser stands beside the style. */
const parser: Section = {
  name: "pagination parser",
  title: "`pagination.parser`",
  doc: "Programs over the response that say when the last page is reached.",
  source,
  members: {
    total_pages: {
      value: command("parser.total_pages"),
      doc: "`page`: how many pages there are.",
      example: { "!jq": ".meta.page_count" },
    },
    total_items: {
      value: command("parser.total_items"),
      doc: "`limitoffset`: how many records there are.",
      example: { "!jq": ".meta.total" },
    },
    next_result_token: {
      value: command("parser.next_result_token"),
      doc: "`cursor`: token of the next page.",
      example: { "!jq": ".paging.next" },
    },
    previous_result_token: {
      value: command("parser.previous_result_token"),
      doc: "`cursor`: token of the previous page.",
      example: { "!jq": ".paging.previous" },
    },
    next_page_url: {
      value: command("parser.next_page_url"),
      tier: "ext",
      source: "D22",
      doc: "`page`: URL of the next page, until null.",
      example: { "!jq": ".links.next" },
    },
    extra: extra("ext"),
  },
};

/** Which members of the parser each style reads; the first is the one to propose. */
export const parserMembers: Readonly<Record<string, readonly string[]>> = {
  page: ["total_pages", "next_page_url"],
  limitoffset: ["total_items"],
  cursor: ["next_result_token", "previous_result_token"],
};

export const pagination: Section = {
  name: "pagination",
  title: "`api.pagination`",
  doc: "How to read lists that have several pages.",
  source,
  members: {
    style: {
      value: style,
      required: true,
      doc: "How pages are requested.",
      example: { type: "page", page_number: { param: "page", value: 1 } },
    },
    parser: {
      value: section(() => parser),
      required: true,
      doc: "How the end is recognised.",
      example: { total_pages: { "!jq": ".meta.page_count" } },
    },
  },
};
