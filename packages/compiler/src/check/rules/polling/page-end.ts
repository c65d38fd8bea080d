import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Replaced } from "../../../flow/machine/evaluate.ts";
import { leavesOf } from "../../../flow/machine/leaves.ts";
import { isBackwards } from "../../../flow/machine/page-order.ts";
import { type Paging, pagesToTry, pagingOf, untold } from "../../../flow/machine/paging.ts";
import type { Sent } from "../../../flow/machine/polling-program.ts";
import type { List } from "../../../flow/machine/readings.ts";
import { isKind, isTrue, resolved as known, memberOf } from "../../../flow/machine/value.ts";
import { bare, nodesIn, partAt, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { onlyOutcome, readingOutcomes, resolved } from "../../../flow/protocol/forms.ts";
import { pageSizeOf, requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keptPath } from "../../../flow/protocol/state-paths.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { sizeIn } from "./cycles.ts";
import { partLeftOut } from "./parts-of-state.ts";
import { turnedTotal } from "./turned-total.ts";

const paged = (iterate: string): string =>
  `"{results: .items, iterate: (${iterate}), polling_state: (\${polling_state} + {page: (\${polling_state.page} + 1)})}"`;
const place = { in: "inbound-polling", at: "/data_intake/0/request/!pipe/1/!jq" } as const;

const endsEarly = defineRule<{ text: string; page: number; instead: string | undefined }>({
  id: "polling/ends-early",
  severity: "warning",
  summary: "`iterate` is false although the response says that there is more",
  why: "`iterate` says whether to fetch another page. If it is false before the last one, the cycle ends there, and later pages never arrive.",
  guards: ["polling.iterate", "polling.request", "D33"],
  message: ({ text, page }) =>
    `\`${text}\` is already false on page ${page} of 3, so later pages are never requested.`,
  because: ({ page }) => [
    `page ${page} of 3 is read, and the response says that there is more`,
    "`iterate` is false",
    `page ${page + 1} is never requested`,
  ],
  help: ({ instead }) =>
    instead === undefined ? "Make it true as long as there are more pages." : `Write \`${instead}\`.`,
  examples: [
    {
      title: "A comparison the wrong way round",
      ...place,
      bad: paged("«${polling_state.page} > .total_pages»"),
      good: paged("${polling_state.page} < .total_pages"),
      fixed: paged("${polling_state.page} < .total_pages"),
    },
    {
      title: "A flag the wrong way round",
      ...place,
      bad: paged("«.has_more | not»"),
      good: paged(".has_more"),
      fixed: paged(".has_more"),
    },
    {
      title: "A total that the state keeps, the wrong way round",
      ...place,
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0, total: 0}}"}',
        "/data_intake/0/pre_poll":
          '{"!pipe": [{"!http": {"path": "/snapshot"}}, {"!jq": "{polling_state: {offset: 0, total: .snapshot.total}}"}]}',
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"offset": "${polling_state.offset}", "limit": 50}',
      },
      bad: '"${polling_state} as $s | ($s.offset + (.items | length)) as $read | {results: .items, iterate: («$read >= $s.total»), polling_state: ($s + {offset: $read})}"',
      good: '"${polling_state} as $s | ($s.offset + (.items | length)) as $read | {results: .items, iterate: ($read < $s.total), polling_state: ($s + {offset: $read})}"',
      fixed:
        '"${polling_state} as $s | ($s.offset + (.items | length)) as $read | {results: .items, iterate: ($read < $s.total), polling_state: ($s + {offset: $read})}"',
    },
    {
      title: "Whether there was a token",
      ...place,
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {token: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"page_token": "${polling_state.token}"}',
      },
      bad: '"{results: .items, iterate: («${polling_state.token} != null»), polling_state: {token: .next_page_token}}"',
      good: '"{results: .items, iterate: (.next_page_token != null), polling_state: {token: .next_page_token}}"',
    },
    {
      title: "What the state was before this page",
      ...place,
      bad: paged("«${polling_state.page} > 1»"),
      good: paged("${polling_state.page} < .total_pages"),
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const asksOn = defineRule<{ text: string; instead: string | undefined }>({
  id: "polling/asks-on",
  severity: "warning",
  summary: "`iterate` is true although the response says that this is the last page",
  why: "Each cycle requests a page that doesn't exist. Some APIs answer with an error, and the cycle fails. Others repeat the first or last page, and the cycle runs on until a limit ends it.",
  guards: ["polling.iterate", "polling.request", "D33"],
  message: ({ text }) => `\`${text}\` is still true on the last page, so one more is requested.`,
  because: () => ["page 3 of 3 is read", "`iterate` is true: page 4 is requested"],
  help: ({ instead }) =>
    instead === undefined ? "Make it false on the last page." : `Write \`${instead}\`.`,
  examples: [
    {
      title: "One page too many",
      ...place,
      bad: paged("«${polling_state.page} <= .total_pages»"),
      good: paged("${polling_state.page} < .total_pages"),
      fixed: paged("${polling_state.page} < .total_pages"),
    },
    {
      title: "The number of pages is the same on each",
      ...place,
      bad: paged("«.total_pages > 1»"),
      good: paged("${polling_state.page} < .total_pages"),
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const module: RuleModule = {
  rules: [endsEarly, asksOn],
  checks: {
    intake(intake, report, model) {
      const found = endIn(intake, model);
      if (found === undefined) {
        if (intake.type !== "polling" || !isReadable(intake, model)) return;
        const turned = turnedTotal(intake, model);
        const short = turned ?? partLeftOut(intake, model);
        if (short === undefined) return;
        const { program, value, instead } = short;
        const text = excerpt(textAt(value, program), 40);
        const page = turned === undefined ? 2 : 1;
        return report(endsEarly, partAt(program, value), { text, page, instead });
      }
      const { program, value, paging, size, asksTokenBefore, end, isCase } = found;
      const at = { node: program.node, from: value.start, to: value.end };
      const written = program.node.value.slice(value.start, value.end);
      const instead = (asksTokenBefore ? [] : rewritings(value, written)).find(
        ({ replaced }) => endOf(paging, size, replaced) === undefined,
      )?.text;
      const text = isCase ? "iterate" : excerpt(written, 40);
      if (end === "asks on") report(asksOn, at, { text, instead });
      else report(endsEarly, at, { text, page: end, instead });
    },
  },
};
export default module;

/** Whether reading certainly goes on after the last page. */
export const goesOnForever = (intake: IntakeSymbol, model: Model): boolean =>
  endIn(intake, model)?.end === "asks on";

/** Where reading certainly ends too early or not at all. */
const endIn = passingOf(findEnd);

function findEnd(intake: IntakeSymbol, model: Model) {
  if (intake.type !== "polling" || !isReadable(intake, model)) return undefined;
  const outcome = onlyOutcome(intake, model);
  const asked = outcome === undefined ? (goingOnIf(intake, model) ?? goingOnCase(intake, model)) : undefined;
  const program = outcome?.program ?? asked?.program;
  if (program === undefined) return undefined;
  const value = asked?.condition ?? resolved(outcome?.members.get("iterate"), program);
  const paging = value === undefined ? undefined : pagingOf(intake, model);
  if (value === undefined || paging === undefined) return undefined;
  const size =
    requestedPageSize(intake, model) ??
    pageSizeOf(paging.asks, model) ??
    sizeIn(leavesOf(paging.first), model);
  const asksTokenBefore = asksWhetherThereWasOne(value, program, paging);
  const end = endOf(paging, size, undefined, asksTokenBefore);
  const isCase = program.command.key === "!switch";
  return end === undefined ? undefined : { program, value, paging, size, asksTokenBefore, end, isCase };
}

/** The condition of `if … then {iterate: true, …} else {iterate: false, …} end`: it stands for what it decides. */
function goingOnIf(intake: IntakeSymbol, model: Model) {
  const outcomes = readingOutcomes(intake, model);
  const iterates = outcomes.map(({ members }) => {
    const iterate = members.get("iterate");
    return iterate === undefined ? undefined : constantOf(iterate);
  });
  const [going, ...others] = outcomes.filter((_, at) => iterates[at] === true);
  const [asked, ...more] = going?.when ?? [];
  if (going === undefined || asked === undefined || others.length + more.length > 0 || !asked.holds)
    return undefined;
  const isDecided = outcomes.every(
    ({ program, when }, at) =>
      program === going.program &&
      (iterates[at] === true || (iterates[at] === false && when[0]?.condition === asked.condition)),
  );
  return isDecided ? { program: going.program, condition: asked.condition } : undefined;
}

/**
 * The page on which reading ends too early, or that it goes on after the last one; undefined where neither is certain. What doesn't depend
 * on the answer, or only on how many records it has, may be meant.
 */
function endOf(
  paging: Paging,
  size: number | undefined,
  replaced?: Replaced,
  asksTokenBefore = false,
): 1 | 2 | "asks on" | undefined {
  const iterates = (page: List): readonly (boolean | undefined)[] =>
    paging.read(page, replaced).map(({ iterate }) => isTrue(iterate));
  const lists = pagesToTry(paging, size);
  const begun = (list: List): List => ({ ...list, beginsList: readsOn(paging, list) });
  // Most requests are read to their end.
  const [first, second, third] = iterates(begun(lists[0]!));
  if (first !== false && second !== false && third !== true) return undefined;
  const tried = lists.map(begun);
  if (tried.some((page) => isBackwards(paging.read(page)))) return undefined;
  const all = tried.map(iterates);
  if (replaced === undefined && all.every(([first]) => first === false) && asksTokenBefore) return 1;
  const early = ([0, 1] as const).find((index) => all.every((pages) => pages[index] === false));
  if (early !== undefined) return iterates(untold)[early] === undefined ? (early === 0 ? 1 : 2) : undefined;
  if (!all.every((pages) => pages[2] === true)) return undefined;
  if (tried.some((page) => asksElsewhere(paging, page) || echoesPage(paging, page))) return undefined;
  return iterates({ ...untold, size })[2] === undefined ? "asks on" : undefined;
}

/** Whether the request behind the last page has another value where those of all pages had one: it asks for another list, such as the next window. */
function asksElsewhere(paging: Paging, page: List): boolean {
  const pages = paging.read(page);
  const sentFor = (sent: readonly Sent[], { expansion }: Sent): string | number | undefined => {
    const found = sent.find((each) => each.expansion === expansion);
    const value = found === undefined ? undefined : known(found.value);
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  };
  return paging.behind(page).some((next) => {
    const then = sentFor([next], next);
    const [first, ...others] = pages.map(({ sent }) => sentFor(sent, next));
    return (
      then !== undefined && first !== undefined && then !== first && others.every((each) => each === first)
    );
  });
}

/**
 * Whether the second request asks for the number that the first answer gave its own page, so that no other page is ever read: that is told as the
 * same request.
 */
function echoesPage(paging: Paging, page: List): boolean {
  const [first, second] = paging.read(page);
  return first.sent.some(({ value, expansion }) => {
    const next = second.sent.find((each) => each.expansion === expansion)?.value;
    const isEchoed = next !== undefined && isKind(next, "part") && next.source.isAnswer === true;
    return isEchoed && typeof known(value) === "number" && known(next) === known(value);
  });
}

/** Whether page 2 is asked for by what leads there: then there is no page before the first. */
function readsOn(paging: Paging, page: List): boolean {
  return paging.read(page)[1]!.sent.some(({ value }) => known(value) === "after 0");
}

/** `${polling_state.page_token} != null`, of a key that is null at first and that the answer sets: on the first page there was no token. */
function asksWhetherThereWasOne(value: Expression, program: JqProgram, paging: Paging): boolean {
  let node = value;
  while (node.kind === "Group") node = node.body;
  if (asksForStateAlone(node, program)) return true;
  if (node.kind !== "Comparison" || node.operator !== "!=") return false;
  const nothing = constantOf(node.right);
  if (nothing !== null && nothing !== "") return false;
  const given = bare(node.left);
  // `(${polling_state.token} // "") != ""`
  const left = given.kind === "Alternative" && nothing === "" ? bare(given.operands[0]!) : given;
  const hole = left.kind === "Hole" ? program.holes[left.hole] : undefined;
  const [root, key, ...below] = hole?.syntax.path ?? [];
  if (root?.text !== "polling_state" || key === undefined || below.length > 0) return false;
  const [first] = paging.read({ ...untold, isTold: true });
  const after = first === undefined ? null : known(memberOf(first.state, key.text));
  return typeof after === "string" || typeof after === "number";
}

/** `${polling_state.done}`, `$state.page > 1`: what the state was before this page. */
function asksForStateAlone(node: Expression, program: JqProgram): boolean {
  const isCounted = node.kind === "Comparison" && typeof constantOf(node.right) === "number";
  return keptPath(isCounted ? bare(node.left) : bare(node), program)?.length === 1;
}

/** The condition by which a `!switch` takes a case with `iterate: true` or one with `iterate: false`. */
function goingOnCase(intake: IntakeSymbol, model: Model) {
  const outcomes = readingOutcomes(intake, model);
  const [chooser, ...others] = new Set(outcomes.map(({ program }) => program.command.parent));
  const iterates = outcomes.map(({ members, when }) => {
    const iterate = when.length > 0 ? undefined : members.get("iterate");
    return iterate === undefined ? undefined : constantOf(iterate);
  });
  if (chooser?.key !== "!switch" || chooser.program === undefined || others.length > 0) return undefined;
  if (outcomes.length !== 2 || !iterates.includes(true) || !iterates.includes(false)) return undefined;
  const { program } = chooser;
  const choice = plainBody(program);
  const [branch, ...more] = choice.kind === "If" ? choice.branches : [];
  return branch === undefined || more.length > 0 ? undefined : { program, condition: branch.condition };
}

interface Rewriting {
  readonly replaced: Replaced;
  readonly text: string;
}

const operators = ["<", "<=", ">", ">=", "==", "!="] as const;

/** An expression with another comparison in it, or without the `not` behind it. */
function rewritings(value: Expression, written: string): readonly Rewriting[] {
  const found: Rewriting[] = [];
  const change = (node: Expression, by: Expression, from: number, to: number, text: string): void => {
    const before = written.slice(0, from - value.start);
    found.push({
      replaced: new Map([[node, by]]),
      text: `${before}${text}${written.slice(to - value.start)}`,
    });
  };
  for (const node of nodesIn(value)) {
    if (node.kind === "Comparison") {
      const { start, end } = node.operatorSpan;
      for (const operator of operators)
        if (operator !== node.operator) change(node, { ...node, operator }, start, end, operator);
    }
    const [first, not] = node.kind === "Pipeline" ? node.stages : [];
    if (
      node.kind === "Pipeline" &&
      node.stages.length === 2 &&
      not?.kind === "Call" &&
      not.name.text === "not"
    )
      change(node, first as Expression, (first as Expression).end, not.end, "");
  }
  return found;
}
