import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn } from "../../../flow/nodes.ts";
import { indexMade } from "../../../flow/producers.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import {
  inputReads,
  type ValueReaders,
  valueReaders,
  valueReadersOf,
} from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { memberWith } from "../value/other-role.ts";

const rawValue = defineRule<{ made: string; raw: string; isUnread: boolean; instead: string }>({
  id: "pipeline/raw-value",
  severity: "warning",
  summary: "A request sends a value as it came, although a step before has prepared it",
  why: "A step makes of a value what the service takes: other words, a list of pairs, another form. A request that sends what was there before is refused, or the service takes it for something else.",
  guards: ["expansion.piped_content", "command.!pipe", "D14"],
  message: ({ made, raw, isUnread }) =>
    `An earlier step makes \`${made}\` of \`${raw}\`, and ${isUnread ? "nothing reads it" : "another case sends it"}. Here \`${raw}\` is sent unchanged.`,
  because: ({ made, raw, isUnread }) => [
    `a step before makes \`${made}\` of \`${raw}\``,
    isUnread
      ? `nothing reads \`${made}\``
      : `another case of the same \`!switch\` sends \`${made}\` under this name`,
  ],
  help: ({ instead }) => `Send \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      title: "Nothing reads what was made",
      in: "outbound",
      also: ["unused/made-member"],
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Way", "id": "way", "type": "dropdown", "options": [{"display": "Mail", "value": "mail"}, {"display": "Desk", "value": "desk"}]}',
      },
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/tickets", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .id, channel: (if ${custom_data.way.value} == \\"mail\\" then \\"e\\" else \\"c\\" end)}"}, {"!http": {"method": "POST", "path": "/tickets/${piped_content.2.id}/issue", "body": {"channel": "«${custom_data.way.value}»"}}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/tickets", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .id, channel: (if ${custom_data.way.value} == \\"mail\\" then \\"e\\" else \\"c\\" end)}"}, {"!http": {"method": "POST", "path": "/tickets/${piped_content.2.id}/issue", "body": {"channel": "${piped_content.2.channel}"}}}]}',
      fixed:
        '{"!pipe": [{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/tickets", "body": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .id, channel: (if ${custom_data.way.value} == \\"mail\\" then \\"e\\" else \\"c\\" end)}"}, {"!http": {"method": "POST", "path": "/tickets/${piped_content.2.id}/issue", "body": {"channel": "${piped_content.2.channel}"}}}]}',
    },
  ],
});

const inputOfStep = defineRule<{ name: string; index: number; instead: string }>({
  id: "pipeline/input-of-step",
  severity: "warning",
  summary: "What a step takes is read from what it gives",
  why: "A program makes an object with other names of what came, so the path of before leads nowhere in its output: reading it fails, or gives null, for every record.",
  guards: ["expansion.piped_content", "command.!pipe", "D9", "D14"],
  message: ({ name, index, instead }) =>
    `Step ${index} reads \`.${name}\` from its input, and its output has no \`${name}\`. Read \`piped_content.${instead}\`.`,
  because: ({ name, index, instead }) => [
    `step ${index} reads \`.${name}\`, so \`piped_content.${instead}\` has it`,
    `the object that step ${index} gives has other names`,
  ],
  help: ({ instead }) => `Write \`piped_content.${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": ".data as $d | {email: $d.email, name: $d.name} + (reduce $d.own[] as $o ({}; .[$o.key] = $o.value))"}, {"!jq": ". + {_tags: [${piped_content.«1».data.attributes.grade}]}"}]}',
      good: '{"!pipe": [{"!jq": ".data as $d | {email: $d.email, name: $d.name} + (reduce $d.own[] as $o ({}; .[$o.key] = $o.value))"}, {"!jq": ". + {_tags: [${piped_content.0.data.attributes.grade}]}"}]}',
      fixed:
        '{"!pipe": [{"!jq": ".data as $d | {email: $d.email, name: $d.name} + (reduce $d.own[] as $o ({}; .[$o.key] = $o.value))"}, {"!jq": ". + {_tags: [${piped_content.0.data.attributes.grade}]}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [rawValue, inputOfStep],
  checks: {
    document(model, report) {
      for (const { at, ...args } of rawValues(model)) report(rawValue, at, args);
      for (const { at, ...args } of inputsOfSteps(model)) report(inputOfStep, at, args);
    },
  },
};
export default module;

const pathOf = ({ syntax: { path } }: Expansion): string => path.map(({ text }) => text).join(".");

const isAll = ({ syntax, node }: Expansion): boolean =>
  syntax.start === 0 && syntax.end === node.value.length;

const rawValues = derivedByPart((part, model) => {
  /** Whether nothing reads a member, where something reads others beside it. */
  const isUnreadMember = (name: string, step: Command): boolean => {
    const { members, whole } = valueReadersOf(part, model).of(step);
    return !whole && members.size > 0 && !members.has(name);
  };
  // What a condition asks of, and what a log shows, isn't taken by that.
  const isTaken = (name: string, step: Command): boolean => {
    const { members, whole } = takersOf(part, model).of(step);
    return whole || members.has(name);
  };
  return part.expansions.flatMap((expansion) => {
    const { command, node, syntax } = expansion;
    if (command?.key !== "!http" || command.stepsRun === 0 || !isAll(expansion)) return [];
    const root = syntax.path[0]?.text;
    if (root !== "piped_content" && root !== "custom_data") return [];
    const raw = pathOf(expansion);
    if (!/^piped_content\.\d+(?:\.\w+)*$|^custom_data\./.test(raw)) return [];
    const isBody = node.parent?.kind === "member" && node.parent.name === "body";
    const member = memberWith(expansion);
    if (!isBody && member === undefined) return [];
    const found = preparedOf(expansion, raw, model, (name, value, index, step) => {
      const isUnread = isUnreadMember(name, step);
      const isMember = /^piped_content\.\d+\./.test(raw);
      if (isUnread && (isBody || member === name || (isMember && member === raw.replace(/.*\./, ""))))
        return true;
      if (isUnread || member !== name) return false;
      const words = translates(value) ? textsIn(value) : [];
      // A log shows what people read, and a condition asks for what it was translated into.
      const isForOthers = words.some(isLabel) || isAskedFor(words, part);
      if (translates(value) && !isForOthers && !isTaken(name, step)) return true;
      return (
        (changesKind(value) || translates(value)) &&
        isSentBeside(expansion, `piped_content.${index}.${name}`, part)
      );
    });
    if (found === undefined) return [];
    const isUnread = isUnreadMember(found.name, found.by) || !isTaken(found.name, found.by);
    const made = found;
    const path = `piped_content.${made.step}.${made.name}`;
    const [open, close] = [node.value.slice(0, 2), node.value.slice(-1)];
    const at: StringPart = { node, from: syntax.start, to: syntax.end };
    return [{ at, made: path, raw, isUnread, instead: `${open}${path}${close}` }];
  });
});

/** A member that a step before makes of a value. */
function preparedOf(
  { command }: Expansion,
  raw: string,
  model: Model,
  fits: (name: string, value: Expression, index: number, step: Command) => boolean,
) {
  const steps = command?.pipe?.children.slice(0, command.stepsRun) ?? [];
  for (const [index, step] of steps.entries()) {
    // Where other cases only refuse, one makes the object.
    const [maker, ...others] =
      step === undefined ? [] : resultsOf(step).filter(({ key }) => key !== "!error");
    const program = maker?.key === "!jq" && others.length === 0 ? maker.program : undefined;
    if (program === undefined) continue;
    const made = madeOf(program, model);
    const [, given, member] = /^piped_content\.(\d+)\.(\w+)$/.exec(raw) ?? [];
    const isInput =
      member !== undefined &&
      command?.pipe !== undefined &&
      indexMade(command.pipe, Number(given)) === indexMade(command.pipe, index);
    // A member of the input under its own name is told as the raw member.
    for (const { name, value } of [
      ...(made.get(raw) ?? []),
      ...(isInput ? (made.get(`.${member}`) ?? []).filter(({ name }) => name !== member) : []),
    ])
      if (fits(name, value, index + 1, step!)) return { name, step: index + 1, by: step! };
  }
  return undefined;
}

interface Member {
  readonly name: string;
  readonly value: Expression;
}

/** The members of the object that a program gives, by the expansions that they are made of; what is only handed on isn't made. */
const madeOf = passingOf((program: JqProgram): ReadonlyMap<string, readonly Member[]> => {
  const found = new Map<string, Member[]>();
  const object = program.diagnostics.length > 0 ? undefined : finalObject(program);
  for (const [name, given] of (object && literalMembers(object)) ?? []) {
    const value = resolved(given, program);
    if (value === undefined || bare(value).kind === "Hole") continue;
    const paths = nodesIn(value).flatMap((node) =>
      node.kind === "Hole" ? [pathOf(program.holes[node.hole]!)] : [],
    );
    const first = inputNamed(value);
    if (first !== undefined) paths.push(`.${first}`);
    for (const path of new Set(paths)) found.set(path, [...(found.get(path) ?? []), { name, value }]);
  }
  return found;
});

/** The member of the input whose records a value is made of: `hires` of `.hires | map({hire_id: .id})`. */
function inputNamed(value: Expression): string | undefined {
  const node = bare(value);
  const [first, ...others] = node.kind === "Pipeline" ? node.stages : [];
  if (first === undefined || others.length === 0 || !isExpression(first)) return undefined;
  const read = bare(first);
  const source = read.kind === "Alternative" ? bare(read.operands[0]!) : read;
  const [suffix, ...below] =
    source.kind === "Postfix" && source.head.kind === "Identity" ? source.suffixes : [];
  return suffix?.kind === "Field" && suffix.key.kind === "Name" && below.length === 0
    ? suffix.key.text
    : undefined;
}

/** Whether a value is in other words than what it is made of, or of other records: a table, an `if` that gives constants, `map({…})`. */
function translates(value: Expression): boolean {
  const node = bare(value);
  if (node.kind === "Alternative") return translates(node.operands[0]!);
  if (node.kind === "Postfix") return bare(node.head).kind === "Object";
  if (node.kind === "If") {
    const bodies = [...node.branches.map(({ body }) => body), node.otherwise];
    const given = bodies.map((body) => (body === undefined ? undefined : constantOf(bare(body))));
    // A yes or no is for a condition.
    return given.every((each) => typeof each === "string" && each !== "");
  }
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  const [argument] =
    last?.kind === "Call" && last.name.text === "map" && last.arguments.length === 1 ? last.arguments : [];
  return argument !== undefined && finalOf(argument).kind === "Object";
}

/** The texts that a value may become: `"urgent"` of `if … then "urgent" else "normal" end`. */
const textsIn = (value: Expression): readonly string[] =>
  nodesIn(value).flatMap((node) => {
    if (node.kind === "Entry") return node.value === undefined ? [] : (textOf(node.value) ?? []);
    return node.kind === "If"
      ? [...node.branches.map(({ body }) => body), node.otherwise].flatMap((way) =>
          way === undefined ? [] : (textOf(way) ?? []),
        )
      : [];
  });

function textOf(node: Expression): string | undefined {
  const constant = constantOf(bare(node));
  return typeof constant === "string" ? constant : undefined;
}

/** `Past due`, which no service takes as a word of its own. */
const isLabel = (text: string): boolean => /^\p{Lu}\p{Ll}{2}/u.test(text) || /\p{L} \p{L}/u.test(text);

const isAskedFor = (words: readonly string[], { commands }: Part): boolean =>
  commands.some(
    ({ key, program }) =>
      key === "!switch" &&
      program !== undefined &&
      words.some((word) => word !== "" && program.node.value.includes(`"${word}"`)),
  );

function finalOf(given: Expression): Expression {
  const node = bare(given);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last === undefined || !isExpression(last) ? node : finalOf(last);
}

/** What is read by more than conditions and logs. */
const takersOf = passingOf(
  ({ expansions, commands }: Part): ValueReaders =>
    valueReaders({
      expansions: expansions.filter(
        ({ command }) => command?.key !== "!switch" && command?.key !== "!print_c",
      ),
      commands: commands.filter(({ key }) => key !== "!switch"),
    }),
);

/** Whether a value is of another kind than what it is made of: a list of pairs, a text. */
function changesKind(value: Expression): boolean {
  const node = bare(value);
  if (node.kind === "Array" || node.kind === "String" || node.kind === "Format") return true;
  const last = node.kind === "Pipeline" ? (node.stages.at(-1) as Expression) : node;
  return last.kind === "Call"
    ? /^(?:to_entries|keys|join|tojson|tostring)$/.test(last.name.text)
    : last !== node && changesKind(last);
}

/** Whether another case of the same `!switch` sends a value under the same name. */
function isSentBeside({ command }: Expansion, path: string, { expansions }: Part): boolean {
  const around = command?.parent;
  return expansions.some(
    (each) =>
      around?.key === "!switch" &&
      each.command !== command &&
      each.command?.parent === around &&
      isAll(each) &&
      pathOf(each) === path,
  );
}

const inputsOfSteps = derivedByPart(({ expansions }) =>
  expansions.flatMap(({ root, syntax, command, node }) => {
    if (root !== "piped_content") return [];
    const [, segment, member, next] = syntax.path;
    const index = Number(segment?.text);
    if (member === undefined || next === undefined || syntax.filters.length > 0) return [];
    const step =
      index > 0 && index <= (command?.stepsRun ?? 0) ? command?.pipe?.children[index - 1] : undefined;
    const { program } = step ?? {};
    if (step?.key !== "!jq" || program === undefined || program.diagnostics.length > 0) return [];
    const isRead = inputReads(program).members.has(member.text);
    if (!isRead || !givesOthers(program, member.text)) return [];
    const at: StringPart = { node, from: segment!.start, to: segment!.end };
    return [{ at, name: member.text, index, instead: `${index - 1}` }];
  }),
);

/** Whether a program gives written members, none of that name, and others that it collects. */
function givesOthers({ tree }: JqProgram, name: string): boolean {
  const last = tree.body.kind === "Pipeline" ? bare(tree.body.stages.at(-1) as Expression) : bare(tree.body);
  if (last.kind !== "Arithmetic") return false;
  const operands = [last.first, ...last.rest.map(({ operand }) => operand)].map(bare);
  const isObject = (node: Expression): boolean => node.kind === "Object" && entryOf(node, name) === undefined;
  return operands.some(isObject) && operands.every((node) => isObject(node) || node.kind === "Reduce");
}
