import { type Expression, type Type, types } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedCounts } from "../../../flow/documented-counts.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { evaluate, NOW } from "../../../flow/machine/evaluate.ts";
import { pageAnswer } from "../../../flow/machine/roles.ts";
import { isKind, resolved } from "../../../flow/machine/value.ts";
import { bare, isExpression, isLength, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { inputPath } from "../../../flow/value-path.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { neverAList } from "../response/never-list.ts";
import { paginated, parserPrograms } from "./parser-programs.ts";
import { totalsRead } from "./total-elsewhere.ts";

const pageCounted = defineRule<{ member: string }>({
  id: "api/page-counted",
  severity: "warning",
  summary: "`total_items` or `total_pages` counts the page that was read",
  why: "Reading ends when as many items were read as there are in total. The length of one page is reached with the first page, so no other page is read and customers see only the beginning of their lists.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member }) =>
    `\`${member}\` is the length of this page's list, so reading ends after the first page.`,
  because: ({ member }) => ["page 1 has 100 items, and 100 were read", `\`${member}\` is 100: the end`],
  help: ({ member }) =>
    `Use the total that the API reports for all pages, such as \`.${member === "total_pages" ? "pages" : "total"}\`.`,
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": "«.items | length»"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
    {
      title: "Another total that a poll goes by",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"offset": "${polling_state.offset}", "limit": 100}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"(${polling_state.offset} + (.items | length)) as $read | {results: .items, iterate: ($read < .meta.total), polling_state: {offset: $read}}"',
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": "«.meta.count»"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".meta.total"}}}',
    },
  ],
});

const miscounted = defineRule<{ member: string; text: string; size: number; given: number; wanted: number }>({
  id: "api/miscounted-pages",
  severity: "warning",
  summary: "`total_pages` or `total_items` doesn't match the number of pages",
  why: "If the number is too small, reading ends before the last page and customers see only the beginning of their lists. If it is too large, pages are requested that don't exist.",
  guards: ["pagination.total_items", "pagination.total_pages", "pagination.page_size", "D22"],
  message: ({ member, text, size, given, wanted }) =>
    `\`${text}\` gives ${given} for ${2 * size + 1} items in pages of ${size}; \`${member}\` must be ${wanted}.`,
  because: ({ size, given, wanted }) => [
    `${2 * size + 1} items in pages of ${size}: 3 pages`,
    `this gives ${given} instead of ${wanted}`,
  ],
  help: ({ size, given }) =>
    given === 1
      ? "Give the number of all pages that the API reports."
      : `Calculate with the requested page size, ${size}.`,
  examples: [
    {
      title: "D22: divided by another size",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "size", "value": 25}}, "parser": {"total_pages": {"!jq": "«.total / 100 | ceil»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "size", "value": 25}}, "parser": {"total_pages": {"!jq": ".total / 25 | ceil"}}}',
    },
    {
      title: "D22: rounded down",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "size", "value": 25}}, "parser": {"total_pages": {"!jq": "«(.paging.total / .paging.size) | floor»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}, "page_size": {"param": "size", "value": 25}}, "parser": {"total_pages": {"!jq": "(.paging.total / .paging.size) | ceil"}}}',
    },
    {
      title: "D22: the number of the page itself",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": "«.meta.page.number»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".meta.page.last"}}}',
    },
  ],
});

const pageArithmetic = defineRule<{ member: string; text: string; by: "items" | "pages" | "rest" }>({
  id: "api/page-arithmetic",
  severity: "warning",
  summary: "`total_items` is divided or without what was read, or `total_pages` is reduced",
  why: "`total_items` is compared with the number of items read, and `total_pages` with the number of pages. A total divided by the page size counts pages, so reading ends after the first one. A total without what was read before is reached halfway. The number of pages less one leaves out the last page, even if the API counts pages from 0.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member, text, by }) => {
    if (by === "items")
      return `\`${text}\` counts pages, but \`${member}\` is compared with the number of items read, so reading ends too early.`;
    return by === "rest"
      ? `\`${text}\` gets smaller with each page, but \`${member}\` is compared with all items read so far, so reading ends halfway.`
      : `\`${text}\` is one less than the number of pages, so the last page is never read.`;
  },
  because: ({ by }) => {
    if (by === "items")
      return [
        "250 items in pages of 100: 3",
        "page 1: 100 items were read, which isn't less than 3: the end",
      ];
    return by === "rest"
      ? ["250 items in pages of 100", "page 2: 250 - 100, and 200 were read: the end, without page 3"]
      : ["3 pages: 2", "page 2: 2 were read: the end, without page 3"];
  },
  help: ({ by }) =>
    by === "items"
      ? "Use the number of items without dividing it."
      : by === "rest"
        ? "Use the total as it is."
        : "Use the number of pages without subtracting.",
  examples: [
    {
      title: "D22: pages where items are counted",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": "«.total / 100 | ceil»"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
    {
      title: "D22: what is left",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": "«.total - .offset»"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
    {
      title: "D22: the number of the last page",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page", "value": 0}}, "parser": {"total_pages": {"!jq": "«.total_pages - 1»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page", "value": 0}}, "parser": {"total_pages": {"!jq": ".total_pages"}}}',
    },
  ],
});

const noCount = defineRule<{ member: string; text: string }>({
  id: "api/no-count",
  severity: "warning",
  summary: "`total_pages` or `total_items` is an object instead of a number",
  why: "The number decides how many pages are read. An object is no number: only the first page is read, or reading goes on to the hundredth.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member, text }) =>
    `\`${member}\` needs a number, and \`${text}\` is an object that has it as a member.`,
  because: ({ text }) => [`\`${text}\` is an object`, "no number of pages can be read from it"],
  help: () => "Read the member that has the number.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": "«.meta.pagination»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".meta.pagination.total_pages"}}}',
    },
  ],
});

const onePage = defineRule<{ member: string; text: string; most: number; size: number }>({
  id: "api/one-page",
  severity: "warning",
  summary: "`total_pages` is never more than 1, or `total_items` never more than a page has",
  why: "Reading ends when as many pages or items were read as there are. If that is one page whatever the API answers, no second page is ever requested, and customers see only the beginning of their lists.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member, most, size }) =>
    member === "total_pages"
      ? `\`total_pages\` is ${most} at most, so reading ends after the first page.`
      : `\`total_items\` is ${most} at most, and a page has ${size}, so reading ends after the first page.`,
  because: ({ member, most }) => [
    `page 1 of 3 is read: \`${member}\` is ${most} at most`,
    "that many were read: the end",
  ],
  help: ({ member }) =>
    `Give the total that the API reports. If it reports none, give a great number as long as a page has items, and 0 behind the last one: \`if (.items | length) > 0 then ${member === "total_pages" ? 100 : 10_000} else 0 end\`.`,
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": "«if (.items | length) > 0 then 1 else 0 end»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": "if (.items | length) > 0 then 100 else 0 end"}}}',
    },
  ],
});

const textCount = defineRule<{ member: string; text: string }>({
  id: "api/text-count",
  severity: "hint",
  summary: "`total_pages` or `total_items` is a string instead of a number",
  why: "The number is compared with how many pages or records were read. Not every platform takes digits in a string for a number.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member, text }) => `\`${member}\` needs a number, and \`${text}\` gives a string.`,
  because: ({ text }) => [`\`${text}\` gives “250” instead of 250`],
  help: () => "Leave it a number, or add `| tonumber`.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": "«.total | tostring»"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset"}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
  ],
});

const wordsForCount = defineRule<{ member: string; text: string }>({
  id: "api/words-for-count",
  severity: "warning",
  summary: "`total_pages` or `total_items` is a text that no number can be read from",
  why: "The number decides how many pages are read. From a text such as “1/7” no number can be read: only the first page is read, or reading goes on to the hundredth.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member, text }) =>
    `\`${member}\` needs a number, and \`${text}\` gives a text with more than digits.`,
  because: () => ["the page is 1, and there are 7", "“1/7” is no number"],
  help: () => "Give the number alone.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": "«\\"\\\\(.meta.page)/\\\\(.meta.pages)\\"»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_pages": {"!jq": ".meta.pages"}}}',
    },
  ],
});

/** Names that say the count of a page or of all. */
const countName = /^(?:count|size|length|items|results|records|entries|returned|num|number)$/i;

const module: RuleModule = {
  rules: [pageCounted, onePage, pageArithmetic, miscounted, noCount, textCount, wordsForCount],
  checks: {
    document(model, report) {
      for (const { name, program } of parserPrograms(model.api?.node.get("pagination"), model)) {
        if (name !== "total_items" && name !== "total_pages") continue;
        // `.paging.count / .paging.per_page | ceil`
        const reads = nodesOfKind(program, "Postfix");
        const [read, ...others] =
          reads.length === 1 ? reads : reads.filter((each) => !sizeName.test(inputPath(each)?.at(-1) ?? ""));
        const path = read === undefined || others.length > 0 ? undefined : inputPath(read);
        const last = path?.at(-1);
        if (path === undefined || last === undefined || !countName.test(last)) continue;
        if (saidOfPage(program) || documentedCounts(program.command.node).ofAll.has(last)) continue;
        // Lists of one service may be counted at their top in different ways.
        const above = path.slice(0, -1).join(".");
        if (above === "") continue;
        const total = totalsRead(model).find((each) => each.above === above && each.name !== last);
        if (total === undefined) continue;
        const message = `the number of all records is \`${total.name}\` here`;
        const at = partAt(program, read!);
        report(pageCounted, at, { member: name }, [{ message, at: total.at }]);
      }
    },
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      for (const { name, program } of parserPrograms(pagination, model)) {
        if (name !== "total_items" && name !== "total_pages") continue;
        const { body } = program.tree;
        const at = { node: program.node, from: body.start, to: body.end };
        const text = excerpt(program.node.value.slice(at.from, at.to).trim(), 40);
        if (countsPage(body) || saidOfPage(program) || isSizeAsked(body, pagination)) {
          report(pageCounted, at, { member: name });
          continue;
        }
        const size = name === "total_pages" ? 1 : sizeIn(pagination);
        const most = size === undefined ? undefined : mostOf(flowOf(model).value(program));
        if (size !== undefined && most !== undefined && most <= size) {
          // A list that is asked of an object is told as that.
          if (neverAList(program, model) !== undefined) continue;
          report(onePage, at, { member: name, text, most, size });
          continue;
        }
        const isRest = name === "total_items" && isWithoutRead(body);
        const isTold =
          name === "total_items"
            ? isDivided(body) || isRest
            : isLessened(body) || isLastFromZero(program, pagination);
        const wrong = isTold
          ? undefined
          : (miscount(name, program, sizeIn(pagination)) ??
            roundedDown(name, body, sizeIn(pagination)) ??
            ownNumber(name, body, sizeIn(pagination)));
        if (wrong !== undefined) report(miscounted, at, { member: name, text, ...wrong });
        if (isTold)
          report(pageArithmetic, at, {
            member: name,
            text,
            by: isRest ? "rest" : name === "total_items" ? "items" : "pages",
          });
        const kind = wrongKind(program);
        if (kind === "object") report(noCount, at, { member: name, text });
        if (kind === "digits") report(textCount, at, { member: name, text });
        if (kind === "words") report(wordsForCount, at, { member: name, text });
      }
    },
  },
};
export default module;

/** The size of a page that the style asks for. */
function sizeIn(pagination: JsonNode | undefined): number | undefined {
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  if (style?.kind !== "object") return undefined;
  const sizes = ["page_size", "limit"].flatMap((name) => {
    const member = style.get(name);
    const value = member?.kind === "object" ? member.get("value") : undefined;
    return value?.kind === "number" ? [value.value] : [];
  });
  return sizes[0];
}

/** What a parser's member gives for the first of three pages, where that is certainly wrong. */
function miscount(
  member: "total_pages" | "total_items",
  program: JqProgram,
  size: number | undefined,
): { readonly size: number; readonly given: number; readonly wanted: number } | undefined {
  // `page.total` counts pages or records.
  if (size === undefined || /\bpage\.total\b/.test(program.node.value)) return undefined;
  const wanted = member === "total_pages" ? 3 : 2 * size + 1;
  const given = (base: number): number | undefined => {
    const value = onFirstPage(program, size, base);
    return typeof value === "number" && value !== wanted ? value : undefined;
  };
  const wrong = given(1);
  return wrong === undefined || given(0) === undefined ? undefined : { size, given: wrong, wanted };
}

/** `.count / 40 | floor`: the last page isn't counted unless it is full. */
function roundedDown(member: "total_pages" | "total_items", given: Expression, size: number | undefined) {
  const node = bare(given);
  const [first, last, ...others] = node.kind === "Pipeline" ? node.stages : [];
  if (member !== "total_pages" || last?.kind !== "Call" || last.name.text !== "floor" || others.length > 0)
    return undefined;
  const divided = first === undefined || !isExpression(first) ? undefined : bare(first);
  const [step, ...more] = divided?.kind === "Arithmetic" ? divided.rest : [];
  if (divided?.kind !== "Arithmetic" || step?.operator !== "/" || more.length > 0) return undefined;
  if (bare(divided.first).kind !== "Postfix") return undefined;
  // The answer may say its size itself: `.found / .per_page`.
  const by = sizeName.test(nameOfValue(step.operand) ?? "")
    ? (size ?? USUAL_SIZE)
    : constantOf(bare(step.operand));
  return typeof by === "number" && by > 1 && (size ?? by) === by
    ? { size: by, given: 2, wanted: 3 }
    : undefined;
}

/** Members of an answer that say how many records a page has. */
const sizeName = /^(?:(?:items_?|records_?|rows_?)?per_?page|page_?size|size|limit|page_?limit)$/i;

/** `.meta.page.number`: the number of the page that was read, 1 on the first of three. */
function ownNumber(member: "total_pages" | "total_items", given: Expression, size: number | undefined) {
  const node = bare(given);
  const value = node.kind === "Alternative" ? bare(node.operands[0]!) : node;
  const [above, name] = (inputPath(value) ?? []).slice(-2);
  return member === "total_pages" &&
    /^(?:page|paging|pagination|pager|page_?info)$/i.test(above ?? "") &&
    /^(?:number|current|index|no)$/i.test(name ?? "")
    ? { size: size ?? USUAL_SIZE, given: 1, wanted: 3 }
    : undefined;
}

/** Records of a page where the style doesn't say it. */
const USUAL_SIZE = 50;

/** The greatest of the numbers that a value is one of; undefined where it may be any. */
function mostOf(type: Type): number | undefined {
  let most: number | undefined;
  for (const part of types.partsOf(type)) {
    if (part.kind === "null") continue;
    if (part.kind !== "number" || part.value === undefined) return undefined;
    most = Math.max(most ?? 0, part.value);
  }
  return most;
}

/** `.paging.take`, where `take` is the parameter that says how many records a page may have. */
function isSizeAsked(body: Expression, pagination: JsonNode | undefined): boolean {
  const name = inputPath(bare(body))?.at(-1);
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  if (name === undefined || !/^(?:take|max|limit|size|rows|(?:per_?page|page_?size))$/i.test(name))
    return false;
  return (
    style?.kind === "object" &&
    ["limit", "page_size"].some((each) => textOf(style.get(each), "param") === name)
  );
}

/** Whether comments say that what a program reads counts one page: of it, or that another member counts all. */
function saidOfPage({ tree, node, command }: JqProgram): boolean {
  const body = bare(tree.body);
  // Divided or not: `(.count / 100) | ceil`.
  const name = /\.([A-Za-z_]\w*)\s*(?:\/\/|\||$|\/ ?\d+\)? ?\|)/.exec(node.value)?.[1];
  if (
    name === undefined ||
    (body.kind !== "Postfix" && body.kind !== "Alternative" && body.kind !== "Pipeline")
  )
    return false;
  const { ofPage, ofAll } = documentedCounts(command.node);
  if (ofPage.has(name)) return true;
  // A name that says the count of either, unless a comment says which: “the total in count”.
  const isCount = countName.test(name) && !/^(?:returned|num|number)$/i.test(name);
  if (!isCount || ofAll.size === 0 || ofAll.has(name)) return false;
  const isTotal = new RegExp(`\\btotal (?:in|as|is|under|called) [\`"]?${escapedPattern(name)}(?!\\w)`, "i");
  return !commentsAround(command.node, []).some(({ value }) => isTotal.test(value));
}

/** What a program gives instead of a number. */
function wrongKind(program: JqProgram): "object" | "digits" | "words" | undefined {
  const body = plainBody(program);
  const last = body.kind === "Pipeline" ? body.stages.at(-1) : body;
  if (last?.kind === "String" && last.parts.length > 0)
    return last.parts.some((part) => part.kind === "StringText" && /[^\d.\s]/.test(part.value))
      ? "words"
      : "digits";
  if (last?.kind === "Call" && last.name.text === "tostring") return "digits";
  // What a program builds has a type, and `contract/page-count` tells it.
  if (last?.kind !== "Postfix") return undefined;
  return onFirstPage(program, 10, 1) === "an object" ? "object" : undefined;
}

/** What a program gives for the first of three pages, of so many records, where pages are counted from `base`. */
function onFirstPage(program: JqProgram, size: number, base: number): FirstPage {
  const known = firstPages(program);
  const key = `${size} ${base}`;
  let given = known.get(key);
  if (given === undefined) {
    const source = pageAnswer({ index: 0, size, base, end: null, isTold: true }, [""]);
    const value = resolved(evaluate(program, { kind: "part", path: [], source }, [], { now: NOW }));
    given = typeof value === "number" ? value : isKind(value, "record") ? "an object" : "something else";
    known.set(key, given);
  }
  return given;
}

type FirstPage = number | "an object" | "something else";

/** Of equal programs: an edit elsewhere changes nothing of them. */
const firstPages = derivedFromText(() => new Map<string, FirstPage>());

/** `.items | length`, `[.[] | arrays | .[]] | length`, rounded or divided; a list of pages may be counted. */
function countsPage(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Arithmetic")
    return (
      node.rest.every(({ operand }) => constantOf(bare(operand)) !== undefined) && countsPage(node.first)
    );
  if (node.kind !== "Pipeline") return false;
  // `.items | length / 100` divides the length.
  const divided = node.stages.at(-1);
  if (divided?.kind === "Call" && rounding.has(divided.name.text) && node.stages.length > 2)
    return countsPage({ ...node, stages: node.stages.slice(0, -1) });
  // Without those that are there twice, or in another order, it is the same page.
  const [first, ...rest] = node.stages
    .map(undivided)
    .filter((stage) => stage.kind !== "Call" || !rearranging.has(stage.name.text));
  const last = rest.at(-1);
  if (first === undefined || !isExpression(first) || last === undefined || !isExpression(last)) return false;
  if (last.kind === "Call" && rounding.has(last.name.text)) return rest.length === 1 && countsPage(first);
  return last.kind === "Call" && last.name.text === "length" && rest.length === 1 && isList(first);
}

/** `length / 100`: the length. */
function undivided(stage: Stage): Stage {
  const node = isExpression(stage) ? bare(stage) : stage;
  return node.kind === "Arithmetic" &&
    node.rest.every(({ operand }) => typeof constantOf(bare(operand)) === "number")
    ? bare(node.first)
    : stage;
}

type Stage = Extract<Expression, { kind: "Pipeline" }>["stages"][number];

/** `.items`, `(.stores // .channels)`, `[.[] | arrays[]]`; what is called after pages may be a list of these. */
function isList(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Alternative") return node.operands.every(isList);
  if (node.kind === "Array") return true;
  if (node.kind !== "Postfix") return false;
  const names = node.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  // Of what belongs to one page, as `.page.items`, only the last name says what is listed.
  return !names.some((name, index) =>
    index === names.length - 1 ? /page/i.test(name) : /page/i.test(name) && !/^page(?:_?info)?$/i.test(name),
  );
}

/** `.total / 100`, rounded or not. */
function isDivided(node: Expression): boolean {
  if (node.kind === "Group") return isDivided(node.body);
  if (node.kind === "Pipeline") {
    const [first, ...rest] = node.stages;
    const isRounded = rest.every((stage) => stage.kind === "Call" && rounding.has(stage.name.text));
    return isRounded && first !== undefined && isExpression(first) && isDivided(first);
  }
  return node.kind === "Arithmetic" && node.rest.some(({ operator }) => operator === "/");
}

/** `.total - .offset`, `.count - (.items | length)` */
function isWithoutRead(node: Expression): boolean {
  if (node.kind === "Group") return isWithoutRead(node.body);
  const [step, ...others] = node.kind === "Arithmetic" ? node.rest : [];
  if (node.kind !== "Arithmetic" || step?.operator !== "-" || others.length > 0) return false;
  const name = nameOfValue(step.operand) ?? "";
  return (
    /total|count/i.test(nameOfValue(node.first) ?? "") &&
    (/^(?:offset|skip|start|from|position|start_?index|first)$/i.test(name) || isLength(step.operand))
  );
}

const rearranging: ReadonlySet<string> = new Set(["unique", "unique_by", "sort", "sort_by", "reverse"]);

const rounding: ReadonlySet<string> = new Set(["ceil", "floor", "round", "trunc"]);

/** `.last_page` as it is, where pages count from 0 and a comment says that it is the number of the last one. */
function isLastFromZero(program: JqProgram, pagination: JsonNode | undefined): boolean {
  const name = inputPath(bare(program.tree.body))?.at(-1);
  if (name === undefined || !/last/i.test(name) || pagination?.kind !== "object") return false;
  const style = pagination.get("style");
  const first = style?.kind === "object" ? style.get("page_number") : undefined;
  const start = first?.kind === "object" ? first.get("value") : undefined;
  if (start?.kind !== "number" || start.value !== 0) return false;
  const said = new RegExp(
    `(?<![\\w$])${escapedPattern(name)}["\`]?(?: is|:| =| has| gives) (?:the )?(?:number|index|no\\.?) of the last(?: one| page)?\\b`,
    "i",
  );
  return commentsAround(program.command.node, []).some(({ value }) => said.test(value));
}

/** `.total_pages - 1`, of what is named after a number of pages. */
function isLessened(node: Expression): boolean {
  if (node.kind === "Group") return isLessened(node.body);
  if (node.kind !== "Arithmetic" || node.rest.length !== 1) return false;
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[number]];
  const suffix = node.first.kind === "Postfix" ? node.first.suffixes.at(-1) : undefined;
  const name = suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : "";
  return operator === "-" && constantOf(operand) === 1 && /total|pages|count/i.test(name);
}
