import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { chosenComparisons } from "../../../flow/chosen-comparisons.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { isEventName, registeredEvents, textAround } from "../../../flow/registered-events.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import { allIn } from "../workflow/commands.ts";

/** A table whose keys are the options of a form field, but for some. */
export interface ChoiceTable {
  readonly node: Expression;
  readonly missing: readonly string[];
  readonly keys: readonly string[];
  /** A key that no option has, in place of the one that is missing. */
  readonly idle: string | undefined;
  /** Whether the keys are events that are registered, and no customer's choice. */
  readonly isRegistered?: true;
}

/**
 * Tables in which a record's member is looked up, and in which a customer's choice of the same name is short of an option:
 * `{booked: …, left: …}[.state]` where `states` offers `returned` too, or has it instead of a key. Records of that kind are asked for, and
 * get null.
 */
export function* choiceTables(program: JqProgram, model: Model): Generator<ChoiceTable> {
  const { unit } = program.command;
  if (unit?.kind !== "workflow") return;
  for (const node of nodesOfKind(program, "Postfix")) {
    const [suffix, ...others] = node.suffixes;
    const table = bare(node.head as Expression);
    if (table.kind !== "Object" || suffix?.kind !== "Index" || others.length > 0) continue;
    const keys = table.entries.map(({ key }) => nameOf(key) ?? "");
    const index = bare(suffix.index);
    const name = nameOfValue(index.kind === "Variable" ? bare(boundTo(program, index) ?? index) : index);
    if (name === undefined || keys.length < 2) continue;
    const isDefaulted = hasDefault(node, program);
    const events = isDefaulted ? [] : unlistedEvents(name, keys, unit, model);
    if (events.length > 0)
      yield { node: suffix.index, missing: events, keys, idle: undefined, isRegistered: true };
    for (const field of unit.fields) {
      const options = optionsOf(field, name);
      const missing = options.filter((option) => !keys.includes(option));
      const isShort =
        !isDefaulted &&
        missing.length > 0 &&
        missing.length < keys.length &&
        missing.length + keys.length === options.length;
      const idle = keys.filter((key) => !options.includes(key));
      const isOther =
        missing.length === 1 &&
        idle.length === 1 &&
        isOnce(idle[0]!, unit, model) &&
        !isToldElsewhere(field, name, model);
      if (!isShort && !isOther) continue;
      if (missing.some((option) => program.node.value.includes(`"${option}"`))) continue;
      yield { node: suffix.index, missing, keys, idle: isOther ? idle[0] : undefined };
    }
  }
}

/** The registered events for which a table of events has no key, if nothing else in the pipeline says what becomes of them. */
function unlistedEvents(
  name: string,
  keys: readonly string[],
  { intake, node }: WorkflowSymbol,
  model: Model,
): readonly string[] {
  const create = intake?.target?.commands.get("create");
  if (create === undefined || !isEventName(name, "events")) return [];
  const { events = [], field } = registeredEvents(intake!.target!, allIn(create) ?? []) ?? {};
  if (field !== undefined || !keys.every((key) => events.includes(key))) return [];
  const missing = events.filter((event) => !keys.includes(event));
  const pipeline = node.get("data_pipeline");
  const text = pipeline === undefined ? "" : model.document.text.slice(pipeline.start, pipeline.end);
  // `endswith("renewed")` and `Renewals` speak of it, too.
  const isSaid = missing.some((event) =>
    text.includes(
      event
        .split(/[._/:-]/)
        .at(-1)!
        .slice(0, LONGEST_STEM),
    ),
  );
  return missing.length < keys.length && !isSaid ? missing : [];
}

/** Of a word, so that other forms of it are found. */
const LONGEST_STEM = 5;

/** The options of a field that is called like a member, if all are known: `states` for `.state`. */
function optionsOf({ id, node, type }: FieldSymbol, name: string): readonly string[] {
  const [own, read] = [id ?? "", name].map((each) => singular(wordsOf(each).at(-1) ?? ""));
  // A single choice may have one that stands for all.
  if (own !== read || type !== "multiselect") return [];
  const values = objectItems(node.get("options")).map((option) => option.get("value"));
  return values.flatMap((value) => (value?.kind === "string" ? [value.value] : []));
}

/** Whether a word stands nowhere else in the workflow and its intakes: a service may send more than customers choose among. */
function isOnce(word: string, workflow: WorkflowSymbol, model: Model): boolean {
  const { node, intake } = workflow;
  const text =
    intake?.target === undefined
      ? model.document.text.slice(node.start, node.end)
      : textAround(intake.target, model);
  return [...text.matchAll(new RegExp(`(?<![\\w-])${escapedPattern(word)}(?![\\w-])`, "g"))].length === 1;
}

/** Whether the intake registers what is chosen as the events that come, or a program compares it with records: then it is told as that. */
function isToldElsewhere(field: FieldSymbol, name: string, model: Model): boolean {
  const { id, workflow } = field;
  const intake = workflow.intake?.target;
  const create = intake?.commands.get("create");
  const registered =
    intake === undefined || create === undefined ? undefined : registeredEvents(intake, allIn(create) ?? []);
  return (
    (registered !== undefined && registered.field === id && isEventName(name, registered.name)) ||
    partOfUnit(workflow, model).programs.some((program) =>
      chosenComparisons(program).some(({ chosen }) => chosen.fields.includes(field)),
    )
  );
}

/** Whether something else is given where a table has no key: behind `//`, or because nulls are left out. */
const hasDefault = (node: Expression, program: JqProgram): boolean =>
  /\bvalues\b|!= null|\bstrings\b/.test(program.node.value) ||
  nodesOfKind(program, "Alternative").some(
    ({ operands, start, end }) =>
      start <= node.start && node.end <= end && operands.at(-1)!.start > node.start,
  );
