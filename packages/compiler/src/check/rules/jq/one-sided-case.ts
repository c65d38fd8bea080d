import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { definitionInStep, definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { derivedByPart } from "../../by-part.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const oneSidedCase = defineRule<{ lowered: string; raw: string; call: string; letters: string }>({
  id: "jq/one-sided-case",
  severity: "warning",
  summary: "Only one of two compared texts is converted to lower or upper case",
  why: "The other text is written as somebody typed it. “Ann@example.com” is never equal to “ann@example.com”, so the record isn't found, and a second one is made.",
  guards: ["command.!jq", "D23"],
  message: ({ lowered, raw, letters }) =>
    `\`${lowered}\` is in ${letters}, but \`${raw}\` is as it was typed, so they may differ in case alone.`,
  because: ({ lowered, raw, letters }) => [
    `\`${raw}\` is “Ann@example.com”`,
    `\`${lowered}\` is in ${letters}, so the two aren't equal`,
  ],
  help: ({ call, raw }) => `Write \`(${raw} | ${call})\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people"}}, {"!jq": "{id: ([.people[] | select((.email | ascii_downcase) == «${piped_content.0.email}») | .id] | first)}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/letters"}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people"}}, {"!jq": "(${piped_content.0.email} | ascii_downcase) as $email | {id: ([.people[] | select((.email | ascii_downcase) == $email) | .id] | first)}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "POST", "path": "/people/${piped_content.2.id}/letters"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [oneSidedCase],
  checks: {
    document(model, report) {
      for (const program of changing(model)) tellIn(program, report, model);
    },
  },
};
export default module;

/** Programs that bring something to small letters or capitals. What others do with the same name is asked of the whole document. */
const changing = derivedByPart(({ programs }) =>
  programs.filter(
    ({ node, diagnostics }) => diagnostics.length === 0 && /ascii_(?:down|up)case/.test(node.value),
  ),
);

function tellIn(program: JqProgram, report: Report, model: Model): void {
  for (const { operator, left, right } of nodesOfKind(program, "Comparison"))
    if (operator === "==" || operator === "!=") {
      tell(left, right, program, report, model);
      tell(right, left, program, report, model);
    }
  for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
    const [suffix] = suffixes;
    const key = suffix?.kind === "Index" ? keyOf(head, program) : undefined;
    if (key !== undefined && suffix?.kind === "Index") tell(key, suffix.index, program, report, model);
  }
  for (const { stages } of nodesOfKind(program, "Pipeline")) {
    const calls = stages as readonly Expression[];
    for (const [index, stage] of calls.entries()) {
      const list = calls[index - 1];
      const [wanted, ...others] = stage.kind === "Call" ? stage.arguments : [];
      if (stage.kind !== "Call" || list === undefined || wanted === undefined || others.length > 0) continue;
      if (!/^(?:index|IN)$/.test(stage.name.text)) continue;
      const [one, item] =
        stage.name.text === "IN" ? [list, itemOf(wanted, program)] : [wanted, itemOf(list, program)];
      if (item === undefined) continue;
      tell(item, one, program, report, model);
      tell(one, item, program, report, model);
    }
  }
}

function tell(one: Expression, other: Expression, program: JqProgram, report: Report, model: Model): void {
  const changed = changedIn(one, program);
  if (changed === undefined || constantOf(bare(other)) !== undefined) return;
  const [own, typed] = [originOf(changed.of, changed.program, model), originOf(other, program, model)];
  if (own === undefined || typed === undefined) return;
  const role = roleOf(typed.name);
  if (typed.by !== "customer" && role !== "email" && role !== "name") return;
  // A service may keep small letters only, unless the app elsewhere takes them for others.
  if (typed.by === "service" && !isChangedElsewhere(typed.name, program, model)) return;
  if (typed.by === "contact" && commentsAround(program.node, []).some(({ value }) => isKeptSmall.test(value)))
    return;
  report(
    oneSidedCase,
    { node: program.node, from: other.start, to: other.end },
    {
      lowered: excerpt(textAt(one, program)),
      raw: excerpt(textAt(other, program)),
      call: changed.call,
      letters: changed.call === "ascii_downcase" ? "lower case" : "upper case",
    },
  );
}

interface Changed {
  readonly of: Expression;
  readonly program: JqProgram;
  readonly call: string;
}

/** What an expression brings to small letters or capitals, written here, bound to a variable or made by the step before. */
function changedIn(node: Expression, program: JqProgram): Changed | undefined {
  const value = valueBehind(node, program);
  if (value.kind === "Pipeline") {
    const [of, ...rest] = stagesOf(value);
    const calls = rest.map((stage) => (stage.kind === "Call" ? stage.name.text : ""));
    const call = calls.find((name) => /^ascii_(?:down|up)case$/.test(name));
    const isText = calls.every((name) => name === call || /^(?:l?r?trim|tostring)$/.test(name));
    return of === undefined || call === undefined || !isText ? undefined : { of, program, call };
  }
  const hole = value.kind === "Hole" ? program.holes[value.hole] : undefined;
  const made = hole === undefined ? definitionOfInput(value, program) : definitionInStep(hole);
  return made === undefined ? undefined : changedIn(made.node, made.program);
}

interface Origin {
  readonly name: string;
  /** Who wrote it: the contact's data, what a customer typed into a form field, or what the service has. */
  readonly by: "contact" | "customer" | "service";
}

/** Where a text comes from as it is; undefined where that isn't known, or several places are possible. */
function originOf(node: Expression, program: JqProgram, model: Model): Origin | undefined {
  const value = valueBehind(node, program);
  const text = value.kind === "Alternative" && isFilled(value.operands) ? bare(value.operands[0]!) : value;
  const [trail, ...others] = trailsOf(flowOf(model), program, text);
  if (trail === undefined || others.length > 0) return undefined;
  const { origin } = trail;
  if (origin.kind === "field") {
    const isTyped = origin.field.type === "text" || origin.field.type === "textarea";
    return isTyped ? { name: origin.field.id ?? "", by: "customer" } : undefined;
  }
  if (origin.kind !== "response" && origin.kind !== "payload" && origin.kind !== "place") return undefined;
  const name = origin.path.findLast((each) => each !== "[]");
  if (name === undefined) return undefined;
  const isContact = origin.kind === "place" && origin.command.place.input === "transformed";
  return { name, by: isContact ? "contact" : "service" };
}

/** `.email // ""` */
const isFilled = (operands: readonly Expression[]): boolean =>
  operands.length === 2 && constantOf(operands[1]!) !== undefined;

/** `.email` of `map(.email | ascii_downcase)`, `[.[] | .email]` and `.emails[]`: what there is in a list. */
function itemOf(given: Expression, program: JqProgram): Expression | undefined {
  const list = valueBehind(given, program);
  if (list.kind === "Array") {
    const item = list.body;
    return item === undefined || item.kind === "Comma" ? undefined : item;
  }
  if (list.kind === "Postfix" && list.suffixes.length === 1 && list.suffixes[0]?.kind === "Iterate")
    return itemOf(list.head, program);
  const last = list.kind === "Pipeline" ? stagesOf(list).at(-1) : list;
  return last?.kind === "Call" && last.name.text === "map" ? last.arguments[0] : undefined;
}

/** What the names of an object's members are made of: `INDEX(.email | ascii_downcase)`, `map({key: …, value: …}) | from_entries`. */
function keyOf(given: Expression, program: JqProgram): Expression | undefined {
  const table = valueBehind(given, program);
  const calls = table.kind === "Pipeline" ? stagesOf(table) : [table];
  const last = calls.at(-1);
  if (last?.kind !== "Call") return undefined;
  if (last.name.text === "INDEX") return last.arguments.at(-1);
  const entries = calls.at(-2);
  if (last.name.text !== "from_entries" || entries === undefined) return undefined;
  const entry = itemOf(entries, program);
  const made = entry?.kind === "Pipeline" ? stagesOf(entry).at(-1) : entry;
  return made?.kind === "Object" ? entryOf(made, "key")?.value : undefined;
}

/** Whether another program brings members of that name to one kind of letters. */
const isChangedElsewhere = (name: string, program: JqProgram, model: Model): boolean =>
  changedNames(model).some((each) => each.name === name && each.node !== program.node);

const changedNames = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (!/ascii_(?:down|up)case/.test(program.node.value)) return [];
    return nodesOfKind(program, "Pipeline").flatMap((node) => {
      const of = changedIn(node, program)?.of;
      const read = of === undefined ? undefined : bare(of);
      const text = read?.kind === "Alternative" && isFilled(read.operands) ? bare(read.operands[0]!) : read;
      const last = text?.kind === "Postfix" ? text.suffixes.at(-1) : undefined;
      const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
      return name === undefined ? [] : [{ name, node: program.node }];
    });
  }),
);

/** `The platform keeps addresses in lower case.` */
const isKeptSmall =
  /\b(?:the platform|contacts?|our (?:own )?(?:addresses|data)|we) (?:always )?(?:keeps?|has|have|stores?|comes?|gives?|sends?)\b[^.;]{0,50}\b(?:lower[- ]?case|small letters)\b/i;
