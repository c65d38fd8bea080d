import { children, type Expression, type Node } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { FieldSymbol, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { onlyOutcome, resolved } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { asksForOnly, onlyValueOf } from "./only-value.ts";

const filteredResults = defineRule({
  id: "polling/filtered-results",
  severity: "hint",
  summary: "A page that is filtered down to nothing ends the cycle",
  why: "Empty `results` end a cycle, whatever `iterate` says. If `results` filters records, a page on which none passes looks like the end, so later pages are never read.",
  guards: ["polling.results", "polling.iterate", "D33", "D35"],
  message: () => "If no record of a page passes this filter, `results` is empty and the cycle ends there.",
  because: () => ["page 2 of 3 has no record that passes: `results` is empty", "page 3 is never requested"],
  help: () =>
    "Return all records in `results` and give `null` in `source` to skip one. Or let the API filter.",
  examples: [
    {
      in: "inbound-polling",
      with: {
        "/data_intake/0/pre_poll": '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}}}"}',
      },
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: [.items[] | «select(.status == \\"active\\")»], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: (if .has_more then ${polling_state.since} else (.items[-1].updated_at // ${polling_state.since}) end)}}"',
    },
  ],
});

const filteredImport = defineRule({
  id: "polling/filtered-import",
  severity: "warning",
  summary: "A page of an import that is filtered down to nothing ends the import",
  why: "Empty `results` end an import, whatever `iterate` says, and an import runs once. If `results` filters records, a page on which none passes looks like the end: the customer never gets what stands on later pages.",
  guards: ["polling.results", "polling.iterate", "D33", "D35"],
  message: () =>
    "If no record of a page passes this filter, `results` is empty, the import ends, and nothing reads the later pages.",
  because: () => [
    "page 2 of 3 has no record that passes: `results` is empty",
    "page 3 is never requested, and there is no next cycle",
  ],
  help: () =>
    "Return all records in `results` and give `null` in `source` to skip one. Or let the API filter.",
  examples: [
    {
      in: "historical-sync",
      at: "/data_intake/1/request/!pipe/1/!jq",
      bad: '"{results: [.orders[] | «select(.customer.email != null)»], iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
      good: '"{results: .orders, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}"',
    },
  ],
});

const narrowedResults = defineRule<
  { name: string; value: string; other: string; isOffered: boolean } | { field: string; isImport: boolean }
>({
  id: "polling/narrowed-results",
  severity: "warning",
  summary: "`results` keep only what a customer chose, or one of the values that are told apart later",
  why: "A record that `results` leave out never reaches the pipeline, whatever the customer chose. And a page on which no record passes ends the cycle: later pages are never read.",
  guards: ["polling.results", "D33", "D35"],
  message: (args) =>
    "field" in args
      ? `A page without a record that was chosen in \`${args.field}\` gives empty \`results\`, which end ${args.isImport ? "the import" : "the cycle"}.`
      : args.isOffered
        ? `Only records whose \`${args.name}\` is \`${args.value}\` get through. Customers may choose \`${args.other}\`, too.`
        : `Only records whose \`${args.name}\` is \`${args.value}\` get through, so \`${args.other}\` is never met where it is asked for.`,
  because: (args) =>
    "field" in args
      ? [
          "page 2 of 3 has nothing that was chosen: `results` is empty",
          args.isImport
            ? "page 3 is never requested, for an import runs once"
            : `page 3 isn't requested, although the pipeline itself asks for \`${args.field}\``,
        ]
      : [
          `a page has records with \`${args.other}\` and none with \`${args.value}\``,
          "`results` is empty: the cycle ends, and those records never arrive",
        ],
  help: () => "Return all records in `results`, and let `source` give `null` for what wasn't chosen.",
  examples: [
    {
      in: "inbound-polling",
      with: {
        "/workflows/0/setup/select/form_fields/0":
          '{"label": "List", "id": "list", "type": "dropdown", "options": [{"display": "Open", "value": "open"}, {"display": "Won", "value": "won"}]}',
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if .status == ${custom_data.list.value} then {email, name, city} else null end"}',
      },
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: [.items[] | «select(.status == \\"won\\")»], iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
      good: '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}}"',
    },
  ],
});

const module: RuleModule = {
  rules: [filteredResults, filteredImport, narrowedResults],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const outcome = onlyOutcome(intake, model);
      const [results, iterate] = [outcome?.members.get("results"), outcome?.members.get("iterate")];
      if (outcome === undefined || results === undefined || iterate === undefined) return;
      const kept = filterOf(resolved(results, outcome.program) ?? results);
      const only = kept === undefined ? undefined : onlyValueOf(kept);
      const isAsked =
        only !== undefined && asksForOnly(only.name, only.value, askedBy(intake, model)?.requests ?? []);
      const narrow = narrowing(kept, outcome.program, intake, model);
      if (narrow !== undefined) return report(narrowedResults, narrow.at, narrow.args);
      const filter = constantOf(iterate) === false ? undefined : filterOf(results);
      const chosen = filter === undefined ? undefined : chosenBy(filter, outcome.program, intake, model);
      if (chosen !== undefined) return report(narrowedResults, partAt(outcome.program, filter!), chosen);
      const imports = isImport(intake);
      if (filter === undefined || isAsked || !(imports || beginsAnew(intake, model))) return;
      // One that asks for a place kept in the state is the end that was meant.
      const { keys, all } = stateDependence(outcome.program, [filter]);
      if (all || keys.size > 0) return;
      report(
        imports ? filteredImport : filteredResults,
        { node: outcome.program.node, from: filter.start, to: filter.end },
        {},
      );
    },
  },
};
export default module;

/** A filter by one value of a member whose others are chosen by customers, or asked for behind it. */
function narrowing(filter: Expression | undefined, program: JqProgram, intake: IntakeSymbol, model: Model) {
  if (filter?.kind !== "Call") return undefined;
  const [condition] = filter.arguments;
  const at = { node: program.node, from: filter.start, to: filter.end };
  const all = condition === undefined ? [] : conjuncts(condition);
  for (const test of all) {
    if (test.kind !== "Comparison" || test.operator !== "==") continue;
    const [value, name] = [constantOf(test.right), nameOfValue(bare(test.left))];
    if (typeof value !== "string" || name === undefined) continue;
    const chosen = usersOf(intake)
      .flatMap(({ fields }) => fields)
      .filter((field) => isOfMember(field, name, model))
      .map((field) => staticOptions(field).map((option) => option.value))
      .find((values) => values.includes(value) && values.length > 1);
    const other = chosen?.find((each) => each !== value) ?? tableKey(value, name, program);
    if (other !== undefined) return { at, args: { name, value, other, isOffered: chosen !== undefined } };
  }
  return undefined;
}

/** Whether a field is of a member: it is called alike, or a program of its workflow reads both. What is offered elsewhere may have the same values. */
function isOfMember(field: FieldSymbol, name: string, model: Model): boolean {
  const own = wordsOf(name).map(singular);
  const words = wordsOf(`${field.id ?? ""} ${textOf(field.node, "label") ?? ""}`).map(singular);
  if (own.some((word) => words.includes(word))) return true;
  const read = new RegExp(`\\b${escapedPattern(name)}\\b`);
  return partOfUnit(field.workflow, model).programs.some(
    ({ holes, node }) => read.test(node.value) && holes.some(({ fields = [] }) => fields.includes(field)),
  );
}

/**
 * A filter by what a customer chose, in an import, which has no second cycle, or where the workflow itself asks the same of each record. Where
 * records have the place from which the next cycle goes on, they come later.
 */
function chosenBy(filter: Expression, program: JqProgram, intake: IntakeSymbol, model: Model) {
  const { keys, all, holes } = stateDependence(program, [filter]);
  if (all || keys.size > 0) return undefined;
  const asked = [...holes].map((index) => program.holes[index]);
  const [field, ...others] = asked.flatMap((hole) => (hole?.root === "custom_data" ? hole.fields : []));
  if (field?.id === undefined || others.length > 0) return undefined;
  const imports = isImport(intake);
  const isAskedLater = partOfUnit(field.workflow, model).programs.some(
    ({ command, holes: read, node }) =>
      command.place.name === "data_pipeline.source" &&
      compares.test(node.value) &&
      read.some(({ fields = [], syntax }) => fields.includes(field) && syntax.path[2]?.text === "value"),
  );
  return imports || isAskedLater ? { field: field.id, isImport: imports } : undefined;
}

/** What asks something of a record; a choice may also be written into it, as a tag. */
const compares = /[=!]=|\b(?:select|if|IN|any|all|index|inside|contains|has|test)\b/;

/** Whether an intake has no second cycle: workflows name it as their history alone. */
const isImport = (intake: IntakeSymbol): boolean =>
  !usersOf(intake).some((workflow) => workflow.intake?.target === intake);

const conjuncts = (node: Node): readonly Node[] =>
  node.kind === "Group"
    ? conjuncts(node.body)
    : node.kind === "Logical" && node.operator === "and"
      ? node.operands.flatMap(conjuncts)
      : [node];

/** Another key of a table in which a program looks a member up: `{won: 1, lost: 0}[.state]`. */
function tableKey(value: string, name: string, program: JqProgram): string | undefined {
  for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
    const [table, suffix] = [bare(head), suffixes[0]];
    if (table.kind !== "Object" || suffix?.kind !== "Index") continue;
    if (nameOfValue(bare(suffix.index)) !== name) continue;
    const keys = [...(literalMembers(table)?.keys() ?? [])];
    if (keys.includes(value)) return keys.find((key) => key !== value);
  }
  return undefined;
}

/** Whether the next cycle begins with the first page again, and not where this one ended. */
function beginsAnew(intake: IntakeSymbol, model: Model): boolean {
  const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
  return ["pre_poll", "post_poll"].some((name) =>
    (writesIn(intake, name, model) ?? []).some(({ keys }) =>
      [...keys].some(([key, value]) => sent.has(key) && constantOf(value) !== undefined),
    ),
  );
}

/** The `select` through which each record of `[.items[] | select(…)]` or `.items | map(select(…))` goes. */
export function filterOf(node: Expression): Expression | undefined {
  switch (node.kind) {
    case "Group":
      return filterOf(node.body);
    case "Array":
      return node.body === undefined ? undefined : selectIn(node.body);
    case "Pipeline": {
      const last = node.stages.at(-1);
      if (last?.kind !== "Call" || last.name.text !== "map") return undefined;
      const [each] = last.arguments;
      return each === undefined ? undefined : selectIn(each);
    }
    default:
      return undefined;
  }
}

function selectIn(node: Node): Expression | undefined {
  if (node.kind === "Call") return node.name.text === "select" ? node : undefined;
  if (node.kind !== "Pipeline" && node.kind !== "Group") return undefined;
  for (const child of children(node)) {
    const found = selectIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
