import { escapedPattern } from "@configc/jq/internal";
import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { inputReads, type Readers, valueReaders } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { addedBy } from "../../../flow/step-members.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { optionsOf, textIn } from "./options.ts";

const unreadField = defineRule<{ id: string; other: string | undefined; isGroup?: true }>({
  id: "mapping/unread-field",
  severity: "warning",
  summary: "`target` never reads a field that customers can map to",
  why: "The map step offers the field, and the transform fills it in. If the pipeline's `target` doesn't read it, or reads it of another step's output, the customer's value is dropped, and no error says so.",
  guards: ["map.describe_target", "data_pipeline.target", "D14", "D37"],
  message: ({ id, other, isGroup }) =>
    other === undefined
      ? `\`target\` never reads \`${id}\`, so what customers map to it is dropped.`
      : isGroup
        ? `\`target\` never reads \`${id}\`, but \`${other}\`. What customers map to it is dropped.`
        : `\`target\` reads \`${id}\` only of another step, as \`${other}\`. What customers map to it is dropped.`,
  because: ({ id }) => [
    `a customer maps a field to \`${id}\``,
    "the transform fills it in, but nothing in `target` takes it",
  ],
  help: ({ id }) => `Send \`\${piped_content.0.${id}}\`, or remove the field.`,
  examples: [
    {
      title: "Forgotten",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "name": "${piped_content.0.name | default}", "town": "${piped_content.0.town | default}"}}}',
      },
      bad: '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name"}, {"title": "Town", "id": "town"}, {"title": "Phone", "id": «"phone"»}]',
      good: '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name"}, {"title": "Town", "id": "town"}]',
    },
    {
      title: "Read of what a request answered",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "name": "${piped_content.0.name | default}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.id}/contact", "body": {"phone": "${piped_content.1.phone}"}}}]}',
      },
      bad: '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name"}, {"title": "Phone", "id": «"phone"»}]',
      good: '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadField],
  checks: {
    workflow(workflow, report, model) {
      const [map, ...others] = workflow.maps;
      if (map === undefined || others.length > 0 || workflow.direction !== "outbound") return;
      const list = optionsOf(map, "target", model)?.list;
      if (list === undefined) return;
      if (list.some(({ group }) => group !== undefined)) {
        for (const { at, ...args } of unreadInGroups(list, workflow, model)) report(unreadField, at, args);
        return;
      }
      const ids = list.flatMap(({ id, node }) => {
        const text = textIn(id);
        // “Phone (not sent yet)”
        if (
          /\bnot (?:yet )?(?:sent|used|read)\b|\bignored\b|\bcoming soon\b/i.test(textOf(node, "title") ?? "")
        )
          return [];
        const required = node.get("required");
        const isRequired = required?.kind === "boolean" && required.value;
        return id?.value === undefined || text === undefined ? [] : [{ text, at: id.value, isRequired }];
      });
      const pipeline = workflow.node.get("data_pipeline");
      const target =
        pipeline?.kind === "object" ? flowOf(model).commandAt(pipeline.get("target")) : undefined;
      if (target === undefined || ids.length < 2) return;
      const part = partOfUnit(workflow, model);
      const read = readOfInput(target, part);
      const unread = read === undefined ? [] : ids.filter(({ text }) => !read.has(text));
      // A target that reads none of them has another mistake.
      if (unread.length === ids.length) return;
      // What customers have to map is no sketch, even if several are forgotten: that is one mistake.
      const forgotten = ids.length < MANY ? undefined : unread.find(({ isRequired }) => isRequired)?.text;
      for (const { text, at } of unread) {
        const other = readElsewhere(text, part);
        // In a sketch some fields are still to be sent; of many, one was forgotten.
        if (other !== undefined || text === forgotten || (unread.length === 1 && ids.length >= MANY))
          report(unreadField, at, { id: text, other });
      }
    },
  },
};
export default module;

/**
 * The one field that a customer has to map in a group of which the target reads the others: by their names, as the group as a whole goes
 * nowhere. It may be read of another group by mistake.
 */
function unreadInGroups(
  list: NonNullable<NonNullable<ReturnType<typeof optionsOf>>["list"]>,
  workflow: WorkflowSymbol,
  model: Model,
) {
  const pipeline = workflow.node.get("data_pipeline");
  const target = pipeline?.kind === "object" ? pipeline.get("target") : undefined;
  if (target === undefined) return [];
  const isMade = (node: { start: number; end: number }): boolean =>
    target.start <= node.start && node.end <= target.end;
  const { programs, templates } = partOfUnit(workflow, model);
  const texts = [...new Set([...programs, ...templates].map(({ node }) => node))].filter(isMade);
  const text = texts.map(({ value }) => value).join("\n");
  if (mayTakeWhole(text)) return [];
  const groups = new Map<string, { id: string; at: Location; isRequired: boolean }[]>();
  for (const { group, id, node } of list) {
    const [name, own] = [textIn(group), textIn(id)];
    if (name === undefined || own === undefined || id?.value === undefined) return [];
    const known = groups.get(name) ?? [];
    const required = node.get("required");
    known.push({ id: own, at: id.value, isRequired: required?.kind === "boolean" && required.value });
    groups.set(name, known);
  }
  return [...groups].flatMap(([group, fields]) => {
    const read = readOfGroup(group, text);
    const unread = read === undefined ? [] : fields.filter(({ id }) => !read.has(id));
    const [field, ...others] = unread;
    if (field === undefined || others.length > 0 || fields.length < 2 || !field.isRequired) return [];
    const other = [...groups.keys()].find(
      (each) => each !== group && readOfGroup(each, text)?.has(field.id) === true,
    );
    return [
      {
        at: field.at,
        id: `${group}.${field.id}`,
        other: other && `${other}.${field.id}`,
        isGroup: true as const,
      },
    ];
  });
}

/** Whether the mapped record may go on as a whole, with all that is in it: of a variable that stands for it, members are read. */
function mayTakeWhole(text: string): boolean {
  for (const [, name] of text.matchAll(/piped_content\.0[}>]\)?(?: as \$(\w+) ?\|)?/g))
    if (
      name === undefined ||
      new RegExp(`\\$${name}(?![\\w.]|\\.\\W)`).test(text.replace(` as $${name} `, ""))
    )
      return true;
  // `.` may be it, in whatever step.
  return /(?<![\w\])}"?.$])\.(?![\w"[.])/.test(text);
}

/** The members that are read of a group by their names; undefined where it may be all of them. */
function readOfGroup(group: string, text: string): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  for (const [, before, member, isKey] of text.matchAll(
    new RegExp(`(.|^)(?<![\\w-])${escapedPattern(group)}(?![\\w-])(?:\\.(?=\\w)([\\w-]+)|("? *:))?`, "gm"),
  )) {
    if (member !== undefined && before === ".") found.add(member);
    else if (isKey === undefined || before === ".") return undefined;
  }
  return found.size === 0 ? undefined : found;
}

/** So many fields make a form that somebody has filled in with care. */
const MANY = 4;

/** The members that a pipeline's target reads of what is mapped, also behind steps that only clean that; undefined where it may be all. */
export function readOfInput(
  target: Command,
  { expansions, commands }: Part,
): ReadonlySet<string> | undefined {
  const cleaning: Command[] = [];
  const steps: Command[] = [];
  for (const step of target.key === "!pipe" ? target.children : []) {
    if (step === undefined || !handsOn(step)) break;
    steps.push(step);
    cleaning.push(...resultsOf(step));
  }
  const readers = valueReaders({
    expansions,
    commands: commands.filter((command) => !cleaning.includes(command)),
  });
  const all: readonly Readers[] = [readers.input(target), ...steps.map((step) => readers.of(step))];
  if (all.some(({ whole }) => whole)) return undefined;
  return new Set([
    ...all.flatMap(({ members }) => [...members]),
    ...cleaning.flatMap(({ program }) => (program === undefined ? [] : [...inputReads(program).members])),
  ]);
}

/** Whether a step gives what came, without what is empty or with something added, or refuses it. */
function handsOn(step: Command): boolean {
  const results = resultsOf(step);
  return (
    results.some(({ key }) => key === "!jq") &&
    results.every(({ key, program, parent }) => {
      if (key === "!error") return true;
      if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return false;
      // A step before it in a pipe of its own makes something else.
      if (parent !== step && program.command !== step) return false;
      const body = plainBody(program);
      return (body.kind === "Call" && body.name.text === "with_entries") || addedBy(program) !== undefined;
    })
  );
}

/** Where a member of that name is read of a step's output, as it is written. */
function readElsewhere(id: string, { expansions }: Part): string | undefined {
  for (const { root, syntax, node } of expansions) {
    const [, index, member] = syntax.path;
    if (root !== "piped_content" || !(Number(index?.text) > 0)) continue;
    if (member?.text === id) return syntax.path.map(({ text }) => text).join(".");
    // `${piped_content.1} as $c | {phone: $c.phone}`
    const [, name] = member === undefined ? (bound.exec(node.value.slice(syntax.end)) ?? []) : [];
    if (name !== undefined && new RegExp(`\\$${name}\\.${escapedPattern(id)}(?!\\w)`).test(node.value))
      return `piped_content.${index!.text}.${id}`;
  }
  return undefined;
}

const bound = /^\s*\)?\s*as \$([A-Za-z_]\w*)\s*\|/;
