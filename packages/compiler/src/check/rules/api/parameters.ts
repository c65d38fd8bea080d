import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import type { Section, Value } from "../../../language/schema.ts";
import { pagination as paginationSection } from "../../../language/sections/pagination.ts";
import { spanOf } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode, StringNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const usesPagination = {
  "/api/pagination": "{}",
  "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": '{"path": "/lists", "pagination": true}',
};
const limitOffset = (limit: string, offset = "0") =>
  `{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": ${limit}}, "offset": {"param": "offset", "value": ${offset}}}, "parser": {"total_items": {"!jq": ".total"}}}`;

const digitString = defineRule<{ owner: string; digits: string }>({
  id: "api/digit-string",
  severity: "hint",
  summary: "A number of the pagination style is in quotes",
  why: "The platform counts with page numbers, sizes and offsets. It reads digits in quotes as a number, but not every tool that reads the config does.",
  guards: [
    "pagination.page_number",
    "pagination.page_size",
    "pagination.limit",
    "pagination.offset",
    "pagination.value",
    "D22",
  ],
  message: ({ owner, digits }) => `\`value\` of \`${owner}\` is a number: write ${digits} without quotes.`,
  examples: [
    {
      in: "outbound",
      at: "/api/pagination",
      with: usesPagination,
      bad: limitOffset('«"100"»'),
      good: limitOffset("100"),
      fixed: limitOffset("100"),
    },
  ],
  fixes: ({ at, args: { digits } }, { document }) => {
    const edits = [{ ...spanOf(document, at), newText: digits }];
    return [{ title: `Change to ${digits}`, safe: true, edits }];
  },
});

const notANumber = defineRule<{ owner: string; found: string }>({
  id: "api/not-a-number",
  severity: "error",
  summary: "Pagination needs a number, not a string",
  why: "The next page is calculated from this value: the page number plus one, or the offset plus the limit. From a string there is no second page.",
  guards: ["pagination.page_number", "pagination.limit", "pagination.offset", "pagination.value", "D22"],
  message: ({ owner, found }) => `\`value\` of \`${owner}\` must be a number, 0 or more. It is \`${found}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/api/pagination",
      with: usesPagination,
      bad: limitOffset("100", '«"first"»'),
      good: limitOffset("100", "1"),
    },
  ],
});

const zeroSize = defineRule<{ owner: string }>({
  id: "api/zero-page-size",
  severity: "warning",
  summary: "The page size is zero",
  why: "With a limit of 0, the service returns no records, or as many as it likes, and the offset never moves. Customers see empty lists.",
  guards: ["pagination.page_size", "pagination.limit", "pagination.value", "D22"],
  message: ({ owner }) => `\`${owner}\` asks for 0 records per page.`,
  help: () => "Set the number of records per page, within the limits of the API.",
  examples: [
    {
      in: "outbound",
      at: "/api/pagination",
      with: usesPagination,
      bad: limitOffset("«0»"),
      good: limitOffset("50"),
    },
  ],
});

const repeatedParameter = defineRule<{ name: string; owner: string; first: string }>({
  id: "api/repeated-parameter",
  severity: "warning",
  summary: "Two pagination parameters with the same name",
  why: "Only one value can be sent under a name. The other, the page number or the page size, is lost, so pages repeat or never end.",
  guards: [
    "pagination.page_number",
    "pagination.page_size",
    "pagination.limit",
    "pagination.offset",
    "pagination.ordering",
    "pagination.extra",
    "pagination.cursor",
    "pagination.param",
    "D22",
  ],
  message: ({ name, owner, first }) => `\`${owner}\` and \`${first}\` are both sent as \`${name}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/api/pagination",
      with: usesPagination,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": «"page"», "value": 50}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "per_page", "value": 50}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
    },
  ],
});

const skipsFirst = defineRule<{ param: string; value: number }>({
  id: "api/skips-first",
  severity: "warning",
  summary: "`skip` leaves out the first records of every list",
  why: "A parameter that is called `skip` says how many records to leave out, so lists begin with 0. With 1 the first record of every list is missing: a customer who has one has nothing to choose, and can't go on.",
  guards: ["pagination.offset", "pagination.value", "D22"],
  message: ({ param, value }) =>
    `\`${param}\` begins with ${value}, so the first ${value === 1 ? "record is" : `${value} records are`} left out.`,
  because: ({ param, value }) => [
    `page 1: \`${param}=${value}\``,
    "the first record of the list isn't on it",
  ],
  help: () => "Begin with 0.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: usesPagination,
      bad: limitOffset("100", "«1»").replace('"param": "offset"', '"param": "skip"'),
      good: limitOffset("100", "0").replace('"param": "offset"', '"param": "skip"'),
      fixed: limitOffset("100", "0").replace('"param": "offset"', '"param": "skip"'),
    },
  ],
  fixes: ({ at }, { document }) => [
    { title: "Begin with 0", safe: false, edits: [{ ...spanOf(document, at), newText: "0" }] },
  ],
});

const module: RuleModule = {
  rules: [digitString, notANumber, zeroSize, skipsFirst, repeatedParameter],
  checks: {
    api({ node }, report) {
      const pagination = node.get("pagination");
      const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
      if (style?.kind !== "object") return;
      const type = styleOf(textOf(style, "type"));
      const section = type === undefined ? undefined : styles[type]!();
      if (section === undefined) return;
      const names = new Map<string, { owner: string; node: StringNode }>();
      for (const { owner, parameter } of parametersOf(style)) {
        const param = parameter.get("param");
        if (param?.kind === "string" && param.value !== "") {
          const first = names.get(param.value);
          // A list of filters may well send one name several times.
          if (first !== undefined && !(owner === "extra" && first.owner === "extra")) {
            const args = { name: excerpt(param.value), owner, first: first.owner };
            report(repeatedParameter, param, args, [{ message: "the other one", at: first.node }]);
          }
          if (first === undefined) names.set(param.value, { owner, node: param });
        }
        const value = parameter.get("value");
        if (value === undefined || !isCount(section, owner)) continue;
        if (value.kind === "string" && value.valid) {
          if (/^\d{1,15}$/.test(value.value)) {
            report(digitString, value, { owner, digits: `${Number(value.value)}` });
          } else if (isCountedWith(section, owner))
            report(notANumber, value, { owner, found: excerpt(value.value) });
        }
        const skips = owner === "offset" && param?.kind === "string" && /^\$?skip$/i.test(param.value);
        if (skips && value.kind === "number" && value.value > 0)
          report(skipsFirst, value, { param: param.value, value: value.value });
        if (isSize(owner) && isZero(value)) report(zeroSize, value, { owner });
      }
    },
  },
};
export default module;

const { value: styleValue } = paginationSection.members["style"]!;
const styles: Readonly<Record<string, () => Section>> =
  styleValue.kind === "variant" ? styleValue.variants : {};

function styleOf(type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  return Object.hasOwn(styles, type) ? type : nearest(type, Object.keys(styles));
}

function* parametersOf(style: ObjectNode): Generator<{ owner: string; parameter: ObjectNode }> {
  for (const { name, value } of style.members) {
    const items = value?.kind === "array" ? value.items : [value];
    for (const item of items) if (item?.kind === "object") yield { owner: name, parameter: item };
  }
}

/** Whether the language takes a count for the parameter: an integer, or digits. */
function isCount({ members }: Section, parameter: string): boolean {
  const spec = Object.hasOwn(members, parameter) ? members[parameter]!.value : undefined;
  const value: Value | undefined =
    spec?.kind === "section" ? spec.section().members["value"]?.value : undefined;
  return value?.kind === "either" && value.of.some(({ kind }) => kind === "integer");
}

/** Sizes that are only passed on may be whatever the API takes. */
function isCountedWith({ members }: Section, parameter: string): boolean {
  return !isSize(parameter) || (parameter === "limit" && members["offset"] !== undefined);
}

function isSize(parameter: string): boolean {
  return parameter === "page_size" || parameter === "limit";
}

function isZero(value: JsonNode): boolean {
  return (
    (value.kind === "number" && value.value === 0) || (value.kind === "string" && /^0+$/.test(value.value))
  );
}
