import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { readingOutcomes } from "../../../flow/protocol/forms.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { filterOf } from "./filtered-results.ts";
import { asksForOnly, onlyValueOf } from "./only-value.ts";

const filteredPlace = defineRule<{ key: string }>({
  id: "polling/filtered-place",
  severity: "warning",
  summary: "The place to go on from is taken of the records that pass a filter alone",
  why: "Of a page on which no record passes, there is no last one: the place stays where it was, and empty `results` end the cycle. Each cycle then reads the same page, and what stands behind it never arrives.",
  guards: ["polling.results", "polling.polling_state", "D33"],
  message: ({ key }) =>
    `If no record of a page passes this filter, \`results\` is empty and \`${key}\` stays where it was: what follows that page is never read.`,
  because: ({ key }) => [
    "a page has records, and none of them passes",
    `\`results\` is empty, and \`${key}\` finds no record to go on from`,
    "a next cycle asks for the same page again",
  ],
  help: () =>
    "Take the place of all records, return them all in `results`, and give `null` in `source` to skip one.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params": '{"after": "${polling_state.after}", "limit": 50}',
      },
      bad: '".items |= map(«select(.kind != \\"draft\\")») | {results: .items, iterate: .has_more, polling_state: {after: (.items[-1].seq // ${polling_state.after})}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {after: (.items[-1].seq // ${polling_state.after})}}"',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [filteredPlace],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model) || usersOf(intake).length === 0) return;
      const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      if (sent.size === 0) return;
      const outcomes = readingOutcomes(intake, model);
      const requests = askedBy(intake, model)?.requests ?? [];
      for (const { keys, program } of writesIn(intake, "request", model) ?? []) {
        const filters = filtersFor(program);
        if (filters.length === 0) continue;
        const results = outcomes.find((each) => each.program === program)?.members.get("results");
        for (const [key, value] of keys) {
          if (!sent.has(key) || isKept(value, key, program)) continue;
          const found = filters.find(
            (filter) => filter.reaches(value) && (results === undefined || filter.reaches(results)),
          );
          if (found === undefined || !isOfRecord(value) || !tellsKinds(found.select, found.program)) continue;
          const only = onlyValueOf(found.select);
          if (only !== undefined && asksForOnly(only.name, only.value, requests)) continue;
          return report(filteredPlace, partAt(found.program, found.select), { key });
        }
      }
    },
  },
};
export default module;

/** A list that only some records of a page come through. */
interface Filter {
  readonly select: Expression;
  readonly program: JqProgram;
  /** Whether an expression of the last program reads what comes through, and nothing else of that name. */
  reaches(node: Expression): boolean;
}

/** The filters in front of what a program makes of an answer: in it, or in the step before. */
function filtersFor(program: JqProgram): readonly Filter[] {
  const earlier = stepBefore(program.command);
  return [...inPlace(program), ...underVariables(program), ...inStep(earlier)];
}

/** `.nodes |= map(select(…))`, `.nodes = [.nodes[] | select(…)]`, `del(.nodes[] | select(…))`: from then on only those are there. */
function inPlace(program: JqProgram): readonly Filter[] {
  if (!program.node.value.includes("select")) return [];
  const assigned = nodesOfKind(program, "Assignment").flatMap(({ target, value, operator, end }) => {
    const name = nameOfValue(bare(target));
    const body = bare(value);
    const isOwn = operator === "|=" || (operator === "=" && name !== undefined && reads(body, name));
    const each = body.kind === "Call" && body.name.text === "map" ? body.arguments[0] : undefined;
    const select = each === undefined ? filterOf(body) : selectOf(each);
    return name === undefined || select === undefined || !isOwn ? [] : [{ name, select, end }];
  });
  const deleted = nodesOfKind(program, "Call").flatMap(({ name, arguments: [what], end }) => {
    const path = name.text === "del" && what !== undefined ? bare(what) : undefined;
    const [list, select, ...others] = path?.kind === "Pipeline" ? path.stages : [];
    if (list?.kind !== "Postfix" || select?.kind !== "Call" || select.name.text !== "select") return [];
    const member = list.suffixes.findLast(({ kind }) => kind === "Field");
    return others.length > 0 || member?.kind !== "Field" || member.key.kind !== "Name"
      ? []
      : [{ name: member.key.text, select, end }];
  });
  return [...assigned, ...deleted].map(({ name, select, end }) => ({
    select,
    program,
    reaches: (node) => node.start > end && reads(node, name),
  }));
}

/** `[.nodes[] | select(…)] as $kept` */
function underVariables(program: JqProgram): readonly Filter[] {
  return nodesOfKind(program, "Binding").flatMap(({ source, patterns: [pattern, ...others] }) => {
    const select = pattern?.kind === "VariablePattern" && others.length === 0 ? filterOf(source) : undefined;
    return select === undefined
      ? []
      : [{ select, program, reaches: (node: Expression) => readsFrom(node, source, program) }];
  });
}

/** `{nodes: [.nodes[] | select(…)], more}` in the step before. */
function inStep(step: Command | undefined): readonly Filter[] {
  const program = step?.key === "!jq" ? step.program : undefined;
  const body = program === undefined ? undefined : bare(program.tree.body);
  if (program === undefined || body?.kind !== "Object")
    return program === undefined ? [] : inPlace(program).map(open);
  return [...(literalMembers(body) ?? [])].flatMap(([name, value]) => {
    const select = value === undefined ? undefined : filterOf(value);
    return select === undefined
      ? []
      : [{ select, program, reaches: (node: Expression) => reads(node, name) }];
  });
}

/** What a step before did to a list holds wherever the next one reads it. */
const open = (filter: Filter): Filter => ({
  ...filter,
  reaches: (node) => filter.reaches({ ...node, start: Number.MAX_SAFE_INTEGER }),
});

/** Whether an expression reads a member of what comes in, or is what another one is bound to. */
const reads = (node: Expression, name: string): boolean =>
  nodesIn(node).some(
    (each) =>
      each.kind === "Postfix" &&
      each.head.kind === "Identity" &&
      each.suffixes.some(
        ({ kind, ...suffix }) => kind === "Field" && "key" in suffix && nameIs(suffix.key, name),
      ),
  );

const nameIs = (key: Node, name: string): boolean => key.kind === "Name" && key.text === name;

/** Whether an expression is made from a variable that stands for another one. */
function readsFrom(node: Expression, source: Expression, program: JqProgram, depth = 0): boolean {
  if (depth > 5) return false;
  return nodesIn(node).some((each) => {
    if (each.kind !== "Variable") return false;
    const made = boundTo(program, each);
    return made === source || (made !== undefined && readsFrom(made, source, program, depth + 1));
  });
}

/** Whether a value is of one of several records, and no count of them. */
const isOfRecord = (value: Expression): boolean =>
  !nodesIn(value).some((node) => node.kind === "Call" && node.name.text === "length");

const selectOf = (node: Expression): Expression | undefined =>
  nodesIn(node).find(
    (each): each is Extract<Node, { kind: "Call" }> => each.kind === "Call" && each.name.text === "select",
  );

/** Whether a filter tells kinds of records apart, of which a page may have none; what is kept in the state may be the end that was meant. */
function tellsKinds(select: Expression, program: JqProgram): boolean {
  const { keys, all, holes } = stateDependence(program, [select]);
  if (all || keys.size > 0) return false;
  const asked = [...holes].some((index) => program.holes[index]?.root === "custom_data");
  const compared = nodesIn(select).some(
    (node) => node.kind === "Comparison" && [node.left, node.right].some((each) => isKind(constantOf(each))),
  );
  const matched = /\b(?:IN|index|inside|contains|test|startswith|endswith|any)\b/.test(
    textAt(select, program),
  );
  return asked || compared || matched;
}

/** What tells one kind of record from another; an empty text is what is missing. */
const isKind = (constant: unknown): boolean =>
  typeof constant === "boolean" || (typeof constant === "string" && constant !== "");
