import type { Expression, Pipeline } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { evaluate, NOW } from "../../../flow/machine/evaluate.ts";
import { pageAnswer } from "../../../flow/machine/roles.ts";
import { isKind, resolved } from "../../../flow/machine/value.ts";
import { moreName } from "../../../flow/protocol/forms.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const paginated = {
  "/workflows/0/setup/select/form_fields/0/options":
    '{"!pipe": [{"!http": {"path": "/lists", "pagination": true}}, {"!jq": "[.items[] | {display: .name, value: .id}]"}]}',
} as const;

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
  help: ({ size }) => `Calculate with the requested page size, ${size}.`,
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
  ],
});

const pageArithmetic = defineRule<{ member: string; text: string; divided: boolean }>({
  id: "api/page-arithmetic",
  severity: "warning",
  summary: "`total_items` is divided, or `total_pages` is reduced",
  why: "`total_items` is compared with the number of items read, and `total_pages` with the number of pages. A total divided by the page size counts pages, so reading ends after the first one. The number of pages less one leaves out the last page, even if the API counts pages from 0.",
  guards: ["pagination.total_items", "pagination.total_pages", "D22"],
  message: ({ member, text, divided }) =>
    divided
      ? `\`${text}\` counts pages, but \`${member}\` is compared with the number of items read, so reading ends too early.`
      : `\`${text}\` is one less than the number of pages, so the last page is never read.`,
  because: ({ divided }) =>
    divided
      ? ["250 items in pages of 100: 3", "page 1: 100 items were read, which isn't less than 3: the end"]
      : ["3 pages: 2", "page 2: 2 were read: the end, without page 3"],
  help: ({ divided }) =>
    divided ? "Use the number of items without dividing it." : "Use the number of pages without subtracting.",
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
      title: "D22: the number of the last page",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page", "value": 0}}, "parser": {"total_pages": {"!jq": "«.total_pages - 1»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page", "value": 0}}, "parser": {"total_pages": {"!jq": ".total_pages"}}}',
    },
  ],
});

const flagAsToken = defineRule<{ name: string | undefined }>({
  id: "api/flag-as-token",
  severity: "warning",
  summary: "The page token only says whether there is a next page",
  why: "The token is sent with the next request. A flag such as `has_more` is sent as `true`, which isn't a place in any list: the second request fails, or gives the first page again.",
  guards: ["pagination.next_result_token", "pagination.previous_result_token", "D22"],
  message: ({ name }) =>
    name === undefined
      ? "This gives true or false. The token must say where the next page begins."
      : `\`${name}\` only says whether there is a next page. The token must say where it begins.`,
  because: () => ["page 2 is requested with `true`"],
  help: () => "Use the cursor itself: `if .has_more then .next_cursor else null end`.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.meta.has_more»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "if .meta.has_more then .meta.cursor else null end"}}}',
    },
    {
      title: "D22: a comparison",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.meta.next != null»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".meta.next"}}}',
    },
    {
      title: "D22: the URL of the next page",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": "«.links | has(\\"next\\")»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": ".links.next"}}}',
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

const module: RuleModule = {
  rules: [pageCounted, pageArithmetic, miscounted, flagAsToken, noCount, textCount],
  checks: {
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      const parser = pagination?.kind === "object" ? pagination.get("parser") : undefined;
      if (parser?.kind !== "object") return;
      for (const { name, value } of parser.members) {
        const program = programAt(value, model);
        if (program === undefined) continue;
        const at = { node: program.node, from: program.tree.body.start, to: program.tree.body.end };
        if ((name === "total_items" || name === "total_pages") && isLengthOfPage(program.tree.body))
          report(pageCounted, at, { member: name });
        const text = program.node.value.slice(at.from, at.to).trim();
        const isTold = name === "total_items" ? isDivided(program.tree.body) : isLessened(program.tree.body);
        const wrong = isTold ? undefined : miscount(name, program, sizeIn(pagination));
        if (wrong !== undefined) report(miscounted, at, { member: name, text: excerpt(text, 40), ...wrong });
        if (name === "total_items" && isDivided(program.tree.body))
          report(pageArithmetic, at, { member: name, text: excerpt(text, 40), divided: true });
        if (name === "total_pages" && isLessened(program.tree.body))
          report(pageArithmetic, at, { member: name, text: excerpt(text, 40), divided: false });
        if (!name.endsWith("_token") && name !== "next_page_url") {
          const kind = wrongKind(name, program);
          if (kind === "object") report(noCount, at, { member: name, text: excerpt(text, 40) });
          if (kind === "text") report(textCount, at, { member: name, text: excerpt(text, 40) });
          continue;
        }
        const flag = flagName(program.tree.body);
        if (flag !== undefined || isCondition(program.tree.body)) report(flagAsToken, at, { name: flag });
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
  member: string,
  program: JqProgram,
  size: number | undefined,
): { readonly size: number; readonly given: number; readonly wanted: number } | undefined {
  if (size === undefined || (member !== "total_pages" && member !== "total_items")) return undefined;
  const wanted = member === "total_pages" ? 3 : 2 * size + 1;
  const given = [0, 1].map((base) => {
    const source = pageAnswer({ index: 0, size, base, end: null, isTold: true }, [""]);
    return resolved(evaluate(program, { kind: "part", path: [], source }, [], { now: NOW }));
  });
  const [first] = given;
  return typeof first === "number" && given.every((each) => typeof each === "number" && each !== wanted)
    ? { size, given: first, wanted }
    : undefined;
}

/** What a parser's member gives instead of a number. */
function wrongKind(member: string, program: JqProgram): "object" | "text" | undefined {
  if (member !== "total_pages" && member !== "total_items") return undefined;
  let { body } = program.tree;
  while (body.kind === "Group") body = body.body;
  const last = body.kind === "Pipeline" ? body.stages.at(-1) : body;
  if (last?.kind === "String" && last.parts.length > 0) return "text";
  if (last?.kind === "Call" && last.name.text === "tostring") return "text";
  // What a program builds has a type, and `contract/page-count` tells it.
  if (last?.kind !== "Postfix") return undefined;
  const source = pageAnswer({ index: 0, size: 10, base: 1, end: null, isTold: true }, [""]);
  const value = resolved(evaluate(program, { kind: "part", path: [], source }, [], { now: NOW }));
  return isKind(value, "record") ? "object" : undefined;
}

function programAt(value: JsonNode | undefined, { commands }: Model): JqProgram | undefined {
  const command: Command | undefined = commands.find(({ node }) => node === value);
  return command?.key === "!jq" && command.program?.diagnostics.length === 0 ? command.program : undefined;
}

/** `.items | length`, with nothing done to it. */
function isLengthOfPage(node: Expression): boolean {
  if (node.kind === "Group") return isLengthOfPage(node.body);
  if (node.kind !== "Pipeline" || node.stages.length !== 2) return false;
  const [list, last] = node.stages;
  return list?.kind === "Postfix" && last?.kind === "Call" && last.name.text === "length";
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

const rounding: ReadonlySet<string> = new Set(["ceil", "floor", "round", "trunc"]);

/** `.total_pages - 1`, of what is named after a number of pages. */
function isLessened(node: Expression): boolean {
  if (node.kind === "Group") return isLessened(node.body);
  if (node.kind !== "Arithmetic" || node.rest.length !== 1) return false;
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[number]];
  const suffix = node.first.kind === "Postfix" ? node.first.suffixes.at(-1) : undefined;
  const name = suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : "";
  return operator === "-" && constantOf(operand) === 1 && /total|pages|count/i.test(name);
}

/** What is true or false by its form. */
function isCondition(node: Expression): boolean {
  if (node.kind === "Group") return isCondition(node.body);
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    return last?.kind === "Call" && (last.name.text === "not" || last.name.text === "has");
  }
  return (
    node.kind === "Comparison" ||
    node.kind === "Logical" ||
    (node.kind === "Call" && (node.name.text === "has" || node.name.text === "not"))
  );
}

function isExpression(stage: Pipeline["stages"][number]): stage is Expression {
  return stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label";
}

/** The name of a flag, where a program gives just that member. */
function flagName(node: Expression): string | undefined {
  if (node.kind === "Group") return flagName(node.body);
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return undefined;
  const last = node.suffixes.at(-1);
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return name !== undefined && moreName.test(name) ? name : undefined;
}
