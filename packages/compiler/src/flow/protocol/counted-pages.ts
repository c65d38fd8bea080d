import type { Expression } from "@configc/jq";
import { constantOf, memoize } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { commentsAround, commentsBelow, hasComments } from "../documented-words.ts";
import { bare, countedBy, nodesOfKind } from "../nodes.ts";
import { boundTo } from "./dependence.ts";
import { askedBy, paramOf } from "./request-reads.ts";
import { keptKey } from "./state-paths.ts";
import { writesIn } from "./state-writes.ts";

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
  /** What has the number of all records, because how far was read is compared with it: `count` of `$read < .count`. */
  readonly totals: ReadonlySet<string>;
  /** What has the place where the page begins, because it is called as the parameter and the page's length is added to it. */
  readonly places: ReadonlySet<string>;
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
  const { totals, places } = readIn(intake, model);
  return names.size + returned.size + totals.size + places.size === 0 && !readsNumber
    ? undefined
    : { names, readsNumber, returned, totals, places };
}

/** Names of a number of records; alone it may be that of a page. */
const countName =
  /^(?:count|num(?:ber)?|size|rows|hits|found|matche[sd]|available|all|anzahl|gesamt|insgesamt|totaal|aantal|antal|cantidad|nombre|numero)$|(?:_|^)(?:count|total)$|[a-z](?:Count|Total)$|^(?:total|num)_?[a-z]+$/i;

/** What how far was read is compared with, and what an answer says of that. */
function readIn(intake: IntakeSymbol, model: Model): Pick<CountedPages, "totals" | "places"> {
  const totals = new Set<string>();
  const places = new Set<string>();
  for (const program of partOfUnit(intake, model).programs) {
    const { value } = program.node;
    if (!value.includes("length") || !/[<>=]/.test(value)) continue;
    for (const { left, right } of nodesOfKind(program, "Comparison"))
      for (const [read, counted] of [
        [left, right],
        [right, left],
      ] as const) {
        const begun = placeIn(read, program);
        if (begun === undefined) continue;
        if (keptKey(begun, program) === undefined) {
          const place = pathOf(begun, program).split(".").at(-1) ?? "";
          if (!countsFromNone(place, intake, model)) continue;
          places.add(place);
        }
        // `$read < .count - 1`
        const inner = bare(counted);
        const total =
          pathOf(inner.kind === "Arithmetic" ? inner.first : inner, program)
            .split(".")
            .at(-1) ?? "";
        if (countName.test(total)) totals.add(total);
      }
  }
  return { totals, places };
}

/** `${polling_state.offset}` or `.offset` of what adds the length of a list to it. */
function placeIn(node: Expression, program: JqProgram): Expression | undefined {
  const inner = bare(node);
  const source = inner.kind === "Variable" ? boundTo(program, inner) : inner;
  const made = source === undefined ? undefined : bare(source);
  if (made?.kind !== "Arithmetic") return undefined;
  const [{ operator, operand }, ...others] = made.rest as [(typeof made.rest)[number]];
  if (operator !== "+" || others.length > 0) return undefined;
  if (countedBy(operand) !== undefined) return made.first;
  return countedBy(bare(made.first)) === undefined ? undefined : operand;
}

/** Whether a parameter is sent with what the state holds, and begins with 0. */
function countsFromNone(param: string, intake: IntakeSymbol, model: Model): boolean {
  const key = askedBy(intake, model)?.reads.find((read) => paramOf(read) === param)?.key;
  const first = (writesIn(intake, "initial_setup", model) ?? []).map(({ keys }) =>
    key === undefined ? undefined : keys.get(key),
  );
  return first.length > 0 && first.every((value) => value !== undefined && constantOf(bare(value)) === 0);
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
