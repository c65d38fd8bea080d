import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { lastName, resolved, waysOf } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stageBefore } from "../../../flow/protocol/stage-before.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const echoedPage = defineRule<{ key: string; text: string; last: string }>({
  id: "polling/echoed-page",
  severity: "warning",
  summary: "The next request asks for the number of the page that was just read",
  why: "An answer that says “page 1 of 3” says where it is, not where the next page is. The second request is the first one again, and the cycle ends there: only the first page ever arrives.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, text, last }) =>
    `\`${key}\` becomes \`${text}\`, the page that was just read: \`iterate\` compares it with \`${last}\`.`,
  because: ({ key, text, last }) => [
    `page 1 of 3 is read: \`${text}\` is 1, \`${last}\` is 3`,
    `\`${key}\` is 1 again, so page 1 is requested again`,
  ],
  help: ({ text }) => `Write \`${text} + 1\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      also: ["polling/same-request"],
      bad: '"{results: .items, iterate: (.paging.number < .paging.last), polling_state: (${polling_state} + {page: «.paging.number»})}"',
      good: '"{results: .items, iterate: (.paging.number < .paging.last), polling_state: (${polling_state} + {page: (.paging.number + 1)})}"',
    },
  ],
});

const otherCounter = defineRule<{ key: string; text: string; asked: string }>({
  id: "polling/other-counter",
  severity: "warning",
  summary: "The next page is counted from another place of the answer than the one that `iterate` reads",
  why: "Answers have the number of their page in one place. A member that isn't there is null, and null + 1 is 1: the second request is the first one again, and the cycle ends there.",
  guards: ["polling.polling_state", "polling.request", "D23", "D33"],
  message: ({ key, text, asked }) =>
    `\`${key}\` is counted on from \`${text}\`, but \`iterate\` reads \`${asked}\`.`,
  because: ({ text, asked }) => [
    `page 1 is read, and its number is in \`${asked}\``,
    `\`${text}\` isn't there: null + 1 is 1, so page 1 is requested again`,
  ],
  help: ({ asked }) => `Write \`${asked} + 1\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: (.paging.page * 50 < .paging.total), polling_state: (${polling_state} + {page: («.page» + 1)})}"',
      good: '"{results: .items, iterate: (.paging.page * 50 < .paging.total), polling_state: (${polling_state} + {page: (.paging.page + 1)})}"',
    },
  ],
});

const module: RuleModule = {
  rules: [echoedPage, otherCounter],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      for (const { keys, iterate, program } of writesIn(intake, "request", model) ?? []) {
        for (const [key, value] of keys) {
          const counted = sent.has(key) ? countedFrom(value, program) : undefined;
          const asked = counted === undefined ? undefined : samePlace(counted, iterate, program);
          if (counted === undefined || asked === undefined) continue;
          report(otherCounter, partAt(program, counted), { key, text: textAt(counted, program), asked });
        }
        const ends = resolved(iterate, program);
        const [number, last] = ends?.kind === "Comparison" ? ascending(ends) : [];
        if (number === undefined || last === undefined) continue;
        const text = textAt(bare(number), program);
        for (const [key, value] of keys) {
          const own = bare(value);
          if (!sent.has(key) || own.kind !== "Postfix" || textAt(own, program) !== text) continue;
          if (!isPageNumber.test(lastName(own) ?? "")) continue;
          const at = { node: program.node, from: value.start, to: value.end };
          report(echoedPage, at, { key, text, last: excerpt(textAt(last, program)) });
        }
      }
    },
  },
};
export default module;

/** `.page` of `.page + 1`, on any of the ways on which a key is set; a member of the whole answer. */
function countedFrom(value: Expression, program: JqProgram): Expression | undefined {
  return waysOf(value, program)
    .map(bare)
    .flatMap((way) => {
      const [one, ...others] = way.kind === "Arithmetic" ? way.rest : [];
      const isNext = one?.operator === "+" && others.length === 0 && constantOf(one.operand) === 1;
      const first = way.kind === "Arithmetic" && isNext ? bare(way.first) : undefined;
      return first !== undefined && isPlainPath(first, program) ? [first] : [];
    })[0];
}

/** A path of plain names in the input of a program that has only one. */
const isPlainPath = (node: Expression, program: JqProgram): boolean =>
  (inputPath(node)?.length ?? 0) > 0 && !stageBefore(program).has((node as Postfix).head);

/** The path that ends with the same name in what `iterate` reads, where nothing there is read as `counted` is. */
function samePlace(
  counted: Expression,
  iterate: Expression | undefined,
  program: JqProgram,
): string | undefined {
  const name = lastName(counted);
  const own = textAt(counted, program);
  if (iterate === undefined || name === undefined || !pageNumber.test(name)) return undefined;
  const read = nodesIn(resolved(iterate, program) ?? iterate).filter(
    (node): node is Postfix => node.kind === "Postfix" && isPlainPath(node, program),
  );
  const texts = new Set(read.filter((node) => lastName(node) === name).map((node) => textAt(node, program)));
  const [asked, ...others] = texts;
  if (asked === undefined || others.length > 0 || asked === own) return undefined;
  // Somewhere else it may be read as what it is.
  const isReadElsewhere = nodesOfKind(program, "Postfix").some(
    (node) =>
      node !== counted && (textAt(node, program) === own || textAt(node, program).startsWith(`${own}.`)),
  );
  return isReadElsewhere ? undefined : asked;
}

const pageNumber = /^(?:(?:current_?)?page(?:_?(?:no|number|index))?|offset|number|index)$/i;

type Postfix = Extract<Expression, { kind: "Postfix" }>;

/** What is called a page is followed as one: that is told as the same request. */
const isPageNumber = /^(?:number|no|index|current)$/i;

/** The smaller and the greater side: `.page < .pages`; were the smaller one the next page, the last one would never be read. */
function ascending(node: Expression & { kind: "Comparison" }): readonly Expression[] {
  if (node.operator === "<") return [node.left, node.right];
  if (node.operator === ">") return [node.right, node.left];
  return node.operator === "!=" && bare(node.right).kind === "Postfix" ? [node.left, node.right] : [];
}
