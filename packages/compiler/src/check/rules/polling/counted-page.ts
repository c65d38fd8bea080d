import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { serviceOf } from "../../../flow/counted.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { documentedCounts } from "../../../flow/documented-counts.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, countedBy, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { resolved, waysOf } from "../../../flow/protocol/forms.ts";
import { isOffsetParam, requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isOfThePast } from "../../../flow/said/of-others.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const countedPage = defineRule<{ text: string; name: string; size?: number; key?: string }>({
  id: "polling/counted-page",
  severity: "warning",
  summary: "The place in a list is compared with the number of records on one page",
  why: "How far reading has come is compared with how many records there are. If that is the number on this page, the end is reached with the first page: what stands on the others is never read, and a watermark that moves then skips it for ever.",
  guards: ["polling.iterate", "polling.polling_state", "D3", "D33"],
  message: ({ text, name, size, key }) =>
    key !== undefined
      ? `\`${key}\` says how far was read, but becomes \`${text}\`. A comment says that \`${name}\` counts this page alone.`
      : size !== undefined
        ? `\`${text}\` compares how far was read with ${size}, the size of a page: the second page is never asked for.`
        : `\`${text}\` asks whether all was read, but a comment says that \`${name}\` counts this page alone.`,
  because: ({ name }) => [
    `the first page is full: \`${name}\` is its length`,
    "that many were read: it seems to be the end",
  ],
  help: () => "Compare with the number of all records.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/_comment": '"meta.total is of the whole list, count of this page."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0}}"}',
        "/data_intake/0/request/!pipe/0/!http/params": '{"offset": "${polling_state.offset}", "limit": 50}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '"(${polling_state.offset} + 50) as $next | («$next >= .meta.count») as $done | {results: .items, iterate: ($done | not), polling_state: {offset: (if $done then 0 else $next end)}}"',
      good: '"(${polling_state.offset} + 50) as $next | ($next >= .meta.total) as $done | {results: .items, iterate: ($done | not), polling_state: {offset: (if $done then 0 else $next end)}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [countedPage],
  checks: {
    intake(intake, report, model) {
      const request = intake.commands.get("request");
      if (intake.type !== "polling" || request === undefined || !isReadable(intake, model)) return;
      tellPageSize(intake, report, model);
      if (!hasComments(model)) return;
      tellPlaces(intake, report, model);
      for (const command of allIn(request) ?? []) {
        const { program } = command;
        if (program === undefined || !/[<>]/.test(program.node.value)) continue;
        const names = namesOfPage(command, model);
        for (const comparison of names.size === 0 ? [] : nodesOfKind(program, "Comparison")) {
          const { operator, left, right } = comparison;
          if (!/^[<>]/.test(operator)) continue;
          const [counted, place] = names.has(readIn(right, program)) ? [right, left] : [left, right];
          const name = readIn(counted, program);
          if (
            !names.has(name) ||
            isOfVersion(name, command) ||
            stateDependence(program, [place]).keys.size === 0
          )
            continue;
          const text = excerpt(textAt(comparison, program), 50);
          report(countedPage, partAt(program, comparison), { text, name });
        }
      }
    },
  },
};
export default module;

/** The keys that are sent as an offset. */
const offsetsOf = (intake: IntakeSymbol, model: Model): ReadonlySet<string> =>
  new Set(
    askedBy(intake, model)?.reads.flatMap((read) => {
      const param = paramOf(read);
      return param !== undefined && isOffsetParam(param) ? [read.key] : [];
    }),
  );

/** An offset that becomes what a comment says counts this page alone: from the second page on it stands still. */
function tellPlaces(intake: IntakeSymbol, report: Report, model: Model): void {
  const offsets = offsetsOf(intake, model);
  for (const { keys, program } of offsets.size === 0 ? [] : (writesIn(intake, "request", model) ?? []))
    for (const [key, value] of keys) {
      const names = offsets.has(key) ? namesOfPage(program.command, model) : new Set<string>();
      for (const way of names.size === 0 ? [] : waysOf(value, program)) {
        const name = way.kind === "Postfix" ? (nameOfValue(way) ?? "") : "";
        if (!names.has(name)) continue;
        report(countedPage, partAt(program, way), { text: textAt(way, program), name, key });
      }
    }
}

/** `$read < 100`, where `$read` is how far was read and 100 what the request asks for at a time. */
function tellPageSize(intake: IntakeSymbol, report: Report, model: Model): void {
  const size = requestedPageSize(intake, model);
  const offsets = size === undefined ? undefined : offsetsOf(intake, model);
  if (size === undefined || offsets === undefined || offsets.size === 0) return;
  for (const program of new Set(writesIn(intake, "request", model)?.map((write) => write.program)))
    for (const comparison of nodesOfKind(program, "Comparison")) {
      const { left, right } = comparison;
      if (constantOf(right) !== size || !isPlaceRead(left, offsets, program)) continue;
      const text = excerpt(textAt(comparison, program), 50);
      report(countedPage, partAt(program, comparison), { text, name: "length", size });
    }
}

/** `${polling_state.offset} + (.items | length)` */
function isPlaceRead(node: Expression, offsets: ReadonlySet<string>, program: JqProgram): boolean {
  const made = resolved(node, program);
  if (made?.kind !== "Arithmetic") return false;
  const [{ operator, operand }, ...others] = made.rest as [(typeof made.rest)[number]];
  const key = keptKey(made.first, program);
  const counts =
    countedBy(operand) !== undefined || countedBy(resolved(operand, program) ?? operand) !== undefined;
  return operator === "+" && others.length === 0 && counts && key !== undefined && offsets.has(key);
}

/** Whether what is said of a member is of one version of several. */
const isOfVersion = (name: string, { node }: Command): boolean =>
  documentedClauses(node).some(({ text }) => text.includes(name) && isOfThePast(text));

/** What a comment says of the service's lists, at `pagination`, holds for those that an intake reads, too. */
function namesOfPage(command: Command, model: Model): ReadonlySet<string> {
  const service = serviceOf(model);
  const lists = service.flatMap((api) => {
    const pagination = api.get("pagination");
    return pagination?.kind === "object" ? [pagination] : [];
  });
  return documentedCounts(command.node, [...service, ...lists]).ofPage;
}

/** The name of a member that is read, by a variable or not. */
function readIn(node: Expression, program: JqProgram): string {
  const inner = bare(node);
  const source = inner.kind === "Variable" ? boundTo(program, inner) : undefined;
  return nameOfValue(bare(source ?? inner)) ?? "";
}
