import type { Expression } from "@configc/jq";
import { memoize } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { commentsAround, commentsBelow, hasComments } from "../documented-words.ts";
import { bare, nodesOfKind } from "../nodes.ts";
import { boundTo } from "./dependence.ts";
import { keptKey } from "./state-paths.ts";

/** `page: {number, count}` */
const numbered = /\bpage["`]?(?: is|:)? ?\{["`]?number["`]?(?:: ?[^,{}]{1,20})?, ?["`]?count\b/;
/** `count is the number of pages`, `count: how many pages there are` */
const counted =
  /\b([A-Za-z_]\w*)["`]?(?: is| are| says| gives| holds| means|:| =) (?:the )?(?:(?:total )?number of|how many) (?:all )?pages\b(?! (?:read|left|behind|so far))/g;

/** `The last page has meta.page.number equal to meta.page.total` */
const compared =
  /\bpage\.number["`]? (?:is )?(?:equal to|equals|reaches|the same as|<|==?) ["`]?(?:\w{1,40}\.){0,3}(page\.(?:total|count|of))\b/g;

const namesSaid: (text: string) => readonly string[] = memoize((text) => {
  const found = [...text.matchAll(counted), ...text.matchAll(compared)].map(([, name]) => name!);
  return numbered.test(text) ? [...found, "page.count"] : found.filter((name) => !isWord.test(name));
}, 500);

const isWord = /^(?:it|that|this|which|there|page|pages|what|limit|size|right)$/i;

/** What an answer says of its pages under names that may mean something else as well. */
export interface CountedPages {
  /** What has the number of all pages: `count`, `page.count`. */
  readonly names: ReadonlySet<string>;
  /** Whether the number of a page is read as `page.number`: what is a `total` beside it may count pages as well as records. */
  readonly readsNumber: boolean;
  /** What has the number of a page's records, because the offset of the next one is reckoned with it: `meta.count` of `.meta.offset + .meta.count`. */
  readonly returned: ReadonlySet<string>;
}

/** What an answer counts its pages by, as comments say, or because it is compared with the number of a page. */
export function countedPages(
  intake: IntakeSymbol,
  { node }: Command,
  model: Model,
): CountedPages | undefined {
  const said = hasComments(model)
    ? [...commentsAround(node, []), ...commentsBelow(intake.node)].flatMap(({ value }) => namesSaid(value))
    : [];
  const programs = partOfUnit(intake, model).programs.filter(({ node: { value } }) => /\bpag/.test(value));
  const readsNumber = programs.some(({ node: { value } }) => /\bnumber\b/.test(value));
  const compared = programs.flatMap((program) =>
    mayCount.test(program.node.value)
      ? nodesOfKind(program, "Comparison").flatMap(({ left, right }) => [
          ...comparedIn(left, right, program),
          ...comparedIn(right, left, program),
        ])
      : [],
  );
  const names = new Set([...said, ...compared]);
  const returned = returnedIn(intake, model);
  return names.size === 0 && !readsNumber && returned.size === 0
    ? undefined
    : { names, readsNumber, returned };
}

function returnedIn(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const programs = partOfUnit(intake, model).programs.filter(
    ({ node: { value } }) => value.includes("offset") && value.includes("count"),
  );
  return new Set(
    programs.flatMap((program) =>
      nodesOfKind(program, "Arithmetic").flatMap(({ first, rest }) => {
        const [added, ...others] = rest;
        if (added?.operator !== "+" || others.length > 0) return [];
        const [, above] = /\.(\w+)\.offset$/.exec(pathOf(first, program)) ?? [];
        const isCount = above !== undefined && pathOf(added.operand, program).endsWith(`.${above}.count`);
        return isCount ? [`${above}.count`] : [];
      }),
    ),
  );
}

const mayCount = /\b(?:count|total|of)\b/;
const countOfPages = /(?:^|\.)((?:page|paging|pagination)\.(?:count|total|of))$/;

/** `page.count`, where the other side of a comparison is the number of a page. */
function comparedIn(node: Expression, other: Expression, program: JqProgram): readonly string[] {
  const [, name] = countOfPages.exec(pathOf(node, program)) ?? [];
  return name !== undefined && isPageNumber(other, program) ? [name] : [];
}

/** `.page.count`, whatever variables stand for its parts. */
function pathOf(node: Expression, program: JqProgram): string {
  const inner = bare(node);
  if (inner.kind === "Variable") {
    const source = boundTo(program, inner);
    return source === undefined ? "" : pathOf(source, program);
  }
  if (inner.kind !== "Postfix") return "";
  const head = inner.head.kind === "Identity" ? "" : pathOf(inner.head, program);
  const names = inner.suffixes.map((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : "?",
  );
  return [head, ...names].join(".");
}

/** `${polling_state.page}`, `.page.number`, or the one behind it: what is multiplied counts records. */
function isPageNumber(node: Expression, program: JqProgram): boolean {
  const inner = bare(node);
  if (inner.kind === "Arithmetic")
    return inner.rest.every(({ operator }) => /^[+-]$/.test(operator)) && isPageNumber(inner.first, program);
  if (/(?:^|\.)(?:page|paging|pagination)\.number$/.test(pathOf(inner, program))) return true;
  const key = keptKey(inner, program);
  if (key !== undefined) return /^(?:page|page_?(?:no|number)|(?:next|current)_?page)$/i.test(key);
  const source = inner.kind === "Variable" ? boundTo(program, inner) : undefined;
  return source !== undefined && isPageNumber(source, program);
}
