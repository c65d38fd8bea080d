import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { evaluate, NOW } from "../../../flow/machine/evaluate.ts";
import { pageAnswer, pageText } from "../../../flow/machine/roles.ts";
import { resolved, UNKNOWN, type Value } from "../../../flow/machine/value.ts";
import { bare, isExpression, partAt, textAt } from "../../../flow/nodes.ts";
import { ownToken, unreadNext, unreadSaidNext } from "../../../flow/protocol/documented-next.ts";
import { moreName, waysOf } from "../../../flow/protocol/forms.ts";
import { inputPath } from "../../../flow/value-path.ts";
import { type ObjectNode, textOf } from "../../../parse/syntax-tree.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { paginated, parserPrograms } from "./parser-programs.ts";
import { isSaidOf } from "./said-of-member.ts";

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

type Then = "page 2 is never read" | "the list never ends" | "a page is read twice";

const otherPage = defineRule<{ text: string; page: string; then: Then }>({
  id: "api/other-page",
  severity: "warning",
  summary: "The token or URL of the next page is that of the first, the last or the previous page",
  why: "What an answer calls `first`, `last`, `self` or `previous` leads there and not to the next page. Customers see only the beginning of their lists, or the beginning and the end.",
  guards: ["pagination.next_result_token", "pagination.next_page_url", "D22"],
  message: ({ text, page, then }) =>
    `On ${then === "page 2 is never read" ? "page 1 of 3" : "the last page"} \`${text}\` ${page}, so ${then}.`,
  because: ({ page, then }) => [
    then === "page 2 is never read"
      ? "page 1 of 3 is read, and there is more"
      : "page 3 of 3 is read, and there is no more",
    `the token or URL ${page}`,
  ],
  help: () => "Take what the answer calls the next one.",
  examples: [
    {
      title: "D22: the page itself",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.page.current»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".page.next"}}}',
    },
    {
      title: "D22: the last page",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": "«.links.last»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": ".links.next"}}}',
    },
    {
      title: "D22: the first page behind the last one",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": "«.links.next // .links.first»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": ".links.next"}}}',
    },
    {
      title: "D22: the token of the page before",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"_comment": "page = {before, after}: tokens of the pages beside this one.", "style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.page.before»"}}}',
      good: '{"_comment": "page = {before, after}: tokens of the pages beside this one.", "style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".page.after"}}}',
    },
    {
      title: "D22: the token that was sent",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"_comment": "page has the token that was sent and next_token.", "style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.page.token»"}}}',
      good: '{"_comment": "page has the token that was sent and next_token.", "style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".page.next_token"}}}',
    },
    {
      title: "D22: the page before",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«if .page_info.has_previous_page then .page_info.end_cursor else null end»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "if .page_info.has_next_page then .page_info.end_cursor else null end"}}}',
    },
  ],
});

const firstRecord = defineRule<{ text: string; param: string }>({
  id: "api/first-record-token",
  severity: "warning",
  summary: "The next page begins behind the first record of this one",
  why: "The token says behind which record the next page begins. Behind the first record, nearly the same page comes again, one record further: customers are offered most of the list many times, and 100 pages don't reach its end.",
  guards: ["pagination.next_result_token", "pagination.cursor", "D22"],
  message: ({ text, param }) =>
    `\`${text}\` is of the first record, and \`${param}\` asks for what is behind it. The next page begins behind the last record.`,
  because: ({ param }) => [
    "page 1 has records 1 to 100",
    `page 2 is asked for with \`${param}\` of record 1 and has records 2 to 101`,
  ],
  help: () => "Take it of the last record: `[-1]`.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor", "cursor": {"param": "after"}}, "parser": {"next_result_token": {"!jq": "if .has_more then «.items[0].id» else null end"}}}',
      good: '{"style": {"type": "cursor", "cursor": {"param": "after"}}, "parser": {"next_result_token": {"!jq": "if .has_more then .items[-1].id else null end"}}}',
    },
  ],
});

const textToken = defineRule<{ text: string; instead: string }>({
  id: "api/null-as-text",
  severity: "warning",
  summary: "The token or URL of the next page becomes a string, also where there is none",
  why: "A null token says that there is no further page. `tostring` makes the string “null” of it, so there always seems to be one: the API is asked for the page behind “null” and refuses it, or gives the first page again, up to a hundred times.",
  guards: ["pagination.next_result_token", "pagination.next_page_url", "D22"],
  message: ({ text }) => `Behind the last page \`${text}\` gives “null”, which is a token like any other.`,
  because: ({ text }) => [
    `the last page: the token is null, and \`${text}\` is "null"`,
    "one more page is requested",
  ],
  help: ({ instead }) => `Leave it as it is: \`${instead}\`. A token may be a number.`,
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.paging.next | tostring»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".paging.next"}}}',
      fixed: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".paging.next"}}}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) =>
    "from" in at ? [changeInString(document, at, instead, false)] : [],
});

const partOfUrl = defineRule<{ text: string }>({
  id: "api/part-of-url",
  severity: "warning",
  summary: "`next_page_url` is a part of a URL, or a number",
  why: "The next page is requested at that URL. What was cut out of one, such as the number of a page, is no address: the request fails, or the same page comes again.",
  guards: ["pagination.next_page_url", "D22"],
  message: ({ text }) => `\`${text}\` takes a URL apart, and what it gives is no URL.`,
  because: () => ["the next page is at https://api.example.com/items?page=2", "this gives 2"],
  help: () => "Give the URL as the API reports it.",
  examples: [
    {
      title: "D22",
      in: "outbound",
      at: "/api/pagination",
      with: paginated,
      bad: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": "«.links.next | split(\\"page=\\") | last»"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"next_page_url": {"!jq": ".links.next"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [flagAsToken, otherPage, textToken, partOfUrl, firstRecord],
  checks: {
    api({ node }, report, model) {
      for (const { name, program } of parserPrograms(node.get("pagination"), model)) {
        if (!name.endsWith("_token") && name !== "next_page_url") continue;
        const { body } = program.tree;
        const at = { node: program.node, from: body.start, to: body.end };
        const text = excerpt(program.node.value.slice(at.from, at.to).trim(), 40);
        const told = asGiven(body);
        // `has_next has the id of the next page`. It is null behind the last page all the same, and a text then.
        const isSaid = isSaidOf(inputPath(bare(told)), leadsOn, program);
        const isWritten = told !== bare(body) && told.kind === "Postfix";
        if (isSaid && !isWritten) continue;
        const flag = isSaid ? undefined : flagName(told);
        if (flag !== undefined || isCondition(told)) report(flagAsToken, at, { name: flag });
        else if (isWritten) {
          const instead = textAt(told, program);
          report(textToken, at, { text, instead });
        } else if (name === "next_page_url" && takesApart(body)) report(partOfUrl, at, { text });
        else if (name !== "previous_result_token") {
          const first = name === "next_result_token" ? firstIn(program) : undefined;
          const param = first === undefined ? undefined : cursorParam(node);
          if (first !== undefined && param !== undefined && behindName.test(param)) {
            report(firstRecord, partAt(program, first), { text: textAt(first, program), param });
            continue;
          }
          const page =
            otherPageBy(program) ??
            (leadsBack(program, cursorParam(node))
              ? "leads to the page before"
              : isOwnToken(program, model)
                ? "is that of the page itself"
                : isOtherThanSaid(program, model));
          if (page !== undefined) report(otherPage, at, { text, page, then: "page 2 is never read" });
          else {
            const again = pageBehindLast(program);
            if (again !== undefined)
              report(otherPage, at, { text, page: again, then: "the list never ends" });
            else if (turnsBack(body))
              report(otherPage, at, { text, page: "leads to the page before", then: "a page is read twice" });
          }
        } else if (leadsBack(program, undefined) && !hasNextToken(node))
          // Reading begins with the first page, and nothing is before that.
          report(otherPage, at, { text, page: "leads to the page before", then: "page 2 is never read" });
      }
    },
  },
};
export default module;

/** What a comment says of a member that leads to the next page, whatever it is called. */
const leadsOn =
  /\bof the next (?:page|one|part)\b|\b(?:leads?|goes|go) on\b|\bto the next (?:page|one|part)\b/i;

/** A parameter that says behind what a page begins: `after`, `starting_after`, `last_id`. */
const behindName =
  /^(?:starting_?)?after(?:_?(?:id|key|cursor|no|number))?$|^last_?(?:seen_?)?(?:id|key)$|^since_?id$/i;

/** The parameter that the style names for a cursor. */
function cursorParam(api: ObjectNode): string | undefined {
  const pagination = api.get("pagination");
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  return style?.kind === "object" ? textOf(style.get("cursor"), "param") : undefined;
}

/** `.items[0].id`, `(.items | first).id`: a member of the first record, where that is all that a program gives beside null. */
function firstIn(program: JqProgram): Expression | undefined {
  const ways = waysOf(program.tree.body, program).map(bare);
  const given = ways.filter((way) => constantOf(way) === undefined);
  const [way, ...others] = given;
  return way !== undefined &&
    others.length === 0 &&
    /^\.[\w.]*(?:\[0\]|\s*\|\s*first\s*\|\s*|\s*\|\s*first)\.\w+$/.test(
      textAt(way, program).replace(/^\(|\)(?=\.)/g, ""),
    )
    ? way
    : undefined;
}

/** What a program gives as a text, too: `.has_more | tostring`. */
function asGiven(given: Expression): Expression {
  const node = bare(given);
  if (node.kind !== "Pipeline" || node.stages.length !== 2) return node;
  const [first, last] = node.stages;
  const isText = last?.kind === "Call" && (last.name.text === "tostring" || last.name.text === "tojson");
  return isText && first !== undefined && isExpression(first) ? bare(first) : node;
}

/** `split("page=") | last`, `capture("page=(?<page>[0-9]+)").page`, `… | tonumber`; a `Link` header is taken apart for the URL in it. */
function takesApart(given: Expression): boolean {
  const node = bare(given);
  if (node.kind !== "Pipeline") return false;
  const { stages } = node;
  const end = stages.at(-1);
  if (end?.kind === "Call" && end.name.text === "tonumber") return true;
  return stages.some((stage, index) => {
    const call = stage.kind === "Postfix" ? stage.head : stage;
    if (call.kind !== "Call") return false;
    const pattern = call.arguments[0] === undefined ? undefined : constantOf(bare(call.arguments[0]));
    if (typeof pattern !== "string" || /\brel\b/.test(pattern)) return false;
    if (call.name.text === "capture") return /\w=\(\?</.test(pattern);
    const next = stages[index + 1];
    const takesLast = next?.kind === "Call" && next.name.text === "last";
    return call.name.text === "split" && /\w=$/.test(pattern) && takesLast && index + 2 === stages.length;
  });
}

/** Where what is to lead from the first of three pages to the second certainly leads. */
function otherPageBy(program: JqProgram): string | undefined {
  const given = (isTold: boolean): Value => {
    const page = { index: 0, size: 10, base: 1, end: null, isTold, beginsList: true } as const;
    const source = pageAnswer(page, [""]);
    return resolved(evaluate(program, { kind: "part", path: [], source }, [], { now: NOW }));
  };
  const value = given(true);
  if (value === pageText(0)) return "leads to page 1 again";
  if (value === pageText(2)) return "leads to page 3";
  if (value === UNKNOWN && isFirst(bare(program.tree.body))) return "leads to page 1 again";
  return (value === null || value === "") && given(false) === UNKNOWN ? "gives nothing" : undefined;
}

/** `.paging.first`, a link or a token by its name and place. */
function isFirst(node: Expression): boolean {
  const [above = "", name = ""] = inputPath(node)?.slice(-2) ?? [];
  return /^(?:paging|pager|pagination|pages|meta|page)$/i.test(above) && /^(?:first|self)$/i.test(name);
}

/** What leads to the page before, by its name. */
const backName = /^(?:before|prev|previous|newer)$/i;

/** `.page.before`, where a comment says that there is an `after` beside it, or the token is sent as `after`. */
function leadsBack({ tree, command }: JqProgram, param: string | undefined): boolean {
  const name = inputPath(bare(tree.body))?.at(-1) ?? "";
  const other = backName.test(name) ? /\b(?:after|next|older)\b/i : undefined;
  if (other !== undefined && /^(?:(?:page_?)?after|page\[after\]|starting_after)$/i.test(param ?? ""))
    return true;
  return (
    other !== undefined &&
    commentsAround(command.node, []).some(
      ({ value }) =>
        new RegExp(`\\b${name}\\b`).test(value) &&
        other.test(value) &&
        /\b(?:pages?|tokens?|cursors?)\b/i.test(value) &&
        !/\b(?:newest|latest|backwards?|descending)\b/i.test(value),
    )
  );
}

/** `.page.current`, and `.page.token` where a comment names `next_token` and the program doesn't read that. */
function isOwnToken(program: JqProgram, model: Model): boolean {
  const name = inputPath(bare(program.tree.body))?.at(-1) ?? "";
  return (
    ofThisPage.test(name) ||
    (ownToken.test(name) && unreadNext(program.command.node, [program], model) !== undefined)
  );
}

const ofThisPage = /^(?:this|current|self)(?:_?(?:page|token|cursor|url))?$/i;

/** What one member gives, whole or cut out of a URL, although a comment says that another one leads on: `.links.last | capture(…).token`. */
function isOtherThanSaid(program: JqProgram, model: Model): string | undefined {
  const body = bare(program.tree.body);
  const [first] = body.kind === "Pipeline" ? body.stages : [body];
  const path = first !== undefined && isExpression(first) ? inputPath(first) : undefined;
  if (path === undefined || path.length === 0) return undefined;
  const said = unreadSaidNext(program, path.at(-1)!, model);
  return said === undefined ? undefined : `isn't \`${said}\`, which leads on as a comment says`;
}

/** `.page.after // .page.before`: what leads on, and behind the last page what leads back. */
function turnsBack(given: Expression): boolean {
  const node = bare(given);
  if (node.kind !== "Alternative") return false;
  const [first, ...others] = node.operands.map((each) => inputPath(bare(each)));
  const [name, above] = [first?.at(-1) ?? "", first?.slice(0, -1).join(".")];
  return (
    /^(?:next|after|older)$/i.test(name) &&
    others.some((path) => backName.test(path?.at(-1) ?? "") && path?.slice(0, -1).join(".") === above)
  );
}

/** Whether the parser says where the next page is, beside the one before. */
function hasNextToken(api: ObjectNode): boolean {
  const pagination = api.get("pagination");
  const parser = pagination?.kind === "object" ? pagination.get("parser") : undefined;
  return parser?.kind === "object" && parser.get("next_result_token") !== undefined;
}

/** Where it leads from the last of three pages, if it certainly leads to one: `.links.next // .links.first`. */
function pageBehindLast(program: JqProgram): string | undefined {
  const page = { index: 2, size: 10, base: 1, end: null, isTold: true, beginsList: true } as const;
  const input = { kind: "part", path: [], source: pageAnswer(page, [""]) } as const;
  const value = resolved(evaluate(program, input, [], { now: NOW }));
  if (value === pageText(2)) return "leads to page 3 again";
  return value === pageText(0) ? "leads to page 1 again" : undefined;
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

/** The name of a flag, where a program gives just that member. What is called `more` may be a token as well, and here it is taken for one. */
function flagName(node: Expression): string | undefined {
  if (node.kind === "Group") return flagName(node.body);
  if (node.kind !== "Postfix" || node.head.kind !== "Identity") return undefined;
  const last = node.suffixes.at(-1);
  const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
  return name !== undefined && moreName.test(name) && !/^more$/i.test(name) ? name : undefined;
}
