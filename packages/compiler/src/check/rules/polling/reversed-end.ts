import type { Comparison, Expression, If } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isTrue } from "../../../flow/machine/value.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { lastName, resolved } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { cyclesOf } from "./cycles.ts";

const reversedEnd = defineRule<{ text: string; counter: string; total: string; branch: boolean }>({
  id: "polling/reversed-end",
  severity: "warning",
  summary: "The number of a page is compared the wrong way round with how many pages there are",
  why: "While page 1 of 3 is read, 1 is less than 3. If reading goes on where the number is greater, it ends after the first page, and later pages never arrive.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ text, counter, branch }) =>
    branch
      ? `\`iterate\` says whether there is more, and this asks for the opposite, but its branch moves \`${counter}\` on.`
      : `Reading goes on where \`${text}\`, so it ends after the first page.`,
  because: ({ counter, total, branch }) => [
    `page 1 of 3 is read: \`${counter}\` is 1, \`${total}\` is 3`,
    branch
      ? "`iterate` is true, and the state is that of the end"
      : "`iterate` is false, and pages 2 and 3 are left",
  ],
  help: ({ branch }) =>
    branch ? "Exchange the branches, or turn the comparison round." : "Turn the comparison round.",
  examples: [
    {
      title: "In `iterate`",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: («.part > .parts»), polling_state: (${polling_state} + {page: (.part + 1)})}"',
      good: '"{results: .items, iterate: (.part < .parts), polling_state: (${polling_state} + {page: (.part + 1)})}"',
      fixed:
        '"{results: .items, iterate: (.part < .parts), polling_state: (${polling_state} + {page: (.part + 1)})}"',
    },
    {
      title: "Beside it",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"${polling_state} as $s | .changes_since as $next | {results: .items, iterate: (.part < .parts), polling_state: (if «.part > .parts» then $s | .page += 1 else $s | .page = 1 | .since = $next end)}"',
      good: '"${polling_state} as $s | .changes_since as $next | {results: .items, iterate: (.part < .parts), polling_state: (if .part < .parts then $s | .page += 1 else $s | .page = 1 | .since = $next end)}"',
      fixed:
        '"${polling_state} as $s | .changes_since as $next | {results: .items, iterate: (.part < .parts), polling_state: (if .part < .parts then $s | .page += 1 else $s | .page = 1 | .since = $next end)}"',
    },
  ],
  fixes: ({ at }, { document }) => {
    if (!("from" in at)) return [];
    const { node, from, to } = at;
    const [one, ...others] = [...node.value.slice(from, to).matchAll(/[<>]/g)];
    if (one === undefined || others.length > 0) return [];
    const start = from + one.index;
    const turned = one[0] === "<" ? ">" : "<";
    return [
      {
        title: "Turn the comparison round",
        safe: false,
        edits: [replaceInString(document, node, start, start + 1, turned)],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [reversedEnd],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const told = new Set<Expression>();
      // Where the list can be read, its end shows.
      const [first] = cyclesOf(intake, model)?.first.pages ?? [];
      const isRead = first !== undefined && isTrue(first.iterate) !== undefined;
      for (const write of writesIn(intake, "request", model) ?? []) {
        const { program, iterate } = write;
        if (iterate === undefined) continue;
        for (const compared of comparisonsIn(iterate, program)) {
          const pages = pagesOf(compared, program);
          const turned =
            pages?.isReversed === true ? (isRead ? undefined : compared) : turnedBranch(compared, write);
          if (turned === undefined || told.has(turned)) continue;
          told.add(turned);
          const [counter, total] = compared.operator.startsWith("<")
            ? [compared.left, compared.right]
            : [compared.right, compared.left];
          const isBranch = turned !== compared;
          const names = pages ?? { counter: textAt(counter, program), total: textAt(total, program) };
          report(reversedEnd, partAt(program, turned), {
            text: excerpt(textAt(turned, program), 60),
            counter: excerpt(names.counter),
            total: excerpt(names.total),
            branch: isBranch,
          });
        }
      }
    },
  },
};
export default module;

const DEEPEST = 5;

/** The comparisons of which all have to hold for reading to go on. */
function comparisonsIn(given: Expression, program: JqProgram, depth = 0): readonly Comparison[] {
  const node = bare(resolved(given, program) ?? given);
  if (depth > DEEPEST) return [];
  if (node.kind === "Comparison") return /^[<>]/.test(node.operator) ? [node] : [];
  if (node.kind !== "Logical" || node.operator !== "and") return [];
  return node.operands.flatMap((each) => comparisonsIn(each, program, depth + 1));
}

interface Pages {
  readonly counter: string;
  readonly total: string;
  readonly isReversed: boolean;
}

/** Which side is the number of the page, and which the number of all of them. */
function pagesOf({ left, right, operator }: Comparison, program: JqProgram): Pages | undefined {
  const [a, b] = [left, right].map((side) => nameOf(side, program));
  if (a === undefined || b === undefined) return undefined;
  const isLess = operator.startsWith("<");
  const [first, second] = [textAt(left, program), textAt(right, program)];
  if (isOneOf(a, b)) return { counter: first, total: second, isReversed: !isLess };
  return isOneOf(b, a) ? { counter: second, total: first, isReversed: isLess } : undefined;
}

/** The name of a member that is compared; of `.part + 1`, of the part. */
function nameOf(given: Expression, program: JqProgram): string | undefined {
  const node = bare(resolved(given, program) ?? given);
  if (node.kind === "Arithmetic")
    return node.rest.every(({ operator }) => operator === "+") ? nameOf(node.first, program) : undefined;
  if (node.kind !== "Hole") return lastName(node);
  const hole = program.holes[node.hole];
  return hole?.syntax.filters.length === 0 && hole.syntax.path.length > 1
    ? hole.syntax.path.at(-1)?.text
    : undefined;
}

/** Whether one name is that of a page or a part, and the other of how many there are: `part` and `parts`, `page` and `total_pages`. */
function isOneOf(one: string, all: string): boolean {
  const [counter, total] = [wordsOf(one), wordsOf(all)];
  const last = counter.at(-1);
  const noun = counter.find((word) => pieces.test(word));
  if (last === undefined || noun === undefined || counter.some((word) => ofAll.test(word))) return false;
  const own = total.findIndex((word) => word === `${noun}s` || (singular(word) === noun && word !== noun));
  if (own >= 0) return true;
  return total.includes(noun) && total.some((word) => ofAll.test(word));
}

const pieces = /^(?:page|part|chunk|batch|slice|segment|seite|teil|pagina|parte|partie|lot)$/;
const ofAll = /^(?:total|last|max|count|all|total[a-z]*|letzte|ultima|derniere)$/;

/**
 * The condition of a branch that moves a counter on where `iterate` is false: it asks for the opposite of what `iterate` asks, or the branch for the
 * end is the one that counts.
 */
function turnedBranch(compared: Comparison, { program }: StateWrite): Expression | undefined {
  const [left, right] = [textAt(compared.left, program), textAt(compared.right, program)];
  for (const node of nodesOfKind(program, "If")) {
    const [branch, ...others] = node.branches;
    const asked = branch === undefined ? undefined : bare(branch.condition);
    if (asked?.kind !== "Comparison" || others.length > 0 || !isInState(node, program)) continue;
    const [a, b] = [textAt(asked.left, program), textAt(asked.right, program)];
    const isSame = a === left && b === right;
    if (!isSame && !(a === right && b === left)) continue;
    if (!/^[<>]/.test(asked.operator)) continue;
    const isLess = asked.operator.startsWith("<") === isSame;
    const goesOn = isLess === compared.operator.startsWith("<");
    const counts = whichCounts(node);
    if (counts !== undefined && counts !== goesOn) return asked;
  }
  return undefined;
}

/** Whether the branch for “yes” is the one that counts something on; undefined where both do, or none. */
function whichCounts({ branches: [branch], otherwise }: If): boolean | undefined {
  if (branch === undefined || otherwise === undefined) return undefined;
  const [yes, no] = [branch.body, otherwise].map(counts);
  return yes === no ? undefined : yes;
}

/** `.page += 1`, `{page: ($s.page + 1)}` */
const counts = (body: Expression): boolean =>
  nodesIn(body).some(
    (node) =>
      (node.kind === "Assignment" && node.operator === "+=") ||
      (node.kind === "Arithmetic" &&
        node.rest.length === 1 &&
        node.rest[0]!.operator === "+" &&
        node.rest[0]!.operand.kind === "Number"),
  );

/** Whether a condition stands in what becomes `polling_state`. */
const isInState = (node: If, program: JqProgram): boolean =>
  nodesOfKind(program, "Entry").some(
    ({ key, value }) =>
      value !== undefined &&
      key.kind === "Name" &&
      key.text === "polling_state" &&
      value.start <= node.start &&
      node.end <= value.end,
  );
