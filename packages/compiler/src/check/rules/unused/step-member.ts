import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { stepBefore } from "../../../flow/makers.ts";
import { valueReaders } from "../../../flow/protocol/value-readers.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const unreadMember = defineRule<{ name: string; step: number }>({
  id: "unused/step-member",
  severity: "hint",
  tag: "unnecessary",
  summary: "A member of a step's object that nothing reads",
  why: "A step makes an object for the steps behind it. A member that none of them reads has no effect: often another one, or another step, is read where it was meant.",
  guards: ["command.!pipe", "command.!jq", "D14"],
  message: ({ name, step }) => `Nothing reads \`${name}\` of what step ${step} gives.`,
  help: ({ name, step }) => `Read it as \`\${piped_content.${step}.${name}}\`, or leave it out.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{title: .name, «note: .email»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}]}',
      good: '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}", "note": "${piped_content.1.note}"}}}]}',
    },
  ],
});

const otherStep = defineRule<{ name: string; index: number; instead: number }>({
  id: "reference/other-step",
  severity: "warning",
  summary: "An expansion reads of a response what only another step has for it",
  why: "`piped_content` counts steps, and a number that is off by one reads another value. Here an earlier step makes a member of that name, and nothing reads it there: the response most likely has none, and reading it fails for every record.",
  guards: ["expansion.piped_content", "D14"],
  message: ({ name, index, instead }) =>
    `\`piped_content.${index}\` is a response; \`piped_content.${instead}\` has a \`${name}\` that nothing reads.`,
  help: ({ name, instead }) => `Write \`\${piped_content.${instead}.${name}}\`.`,
  examples: [
    {
      title: "D14",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}, {"!http": {"method": "POST", "path": "/notes", "body": {"note": "${piped_content.«2».note}"}}}]}',
      good: '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}, {"!http": {"method": "POST", "path": "/notes", "body": {"note": "${piped_content.1.note}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{title: .name, note: .email}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}, {"!http": {"method": "POST", "path": "/notes", "body": {"note": "${piped_content.1.note}"}}}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [
    {
      title: `Change to \`${instead}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: `${instead}` }],
    },
  ],
});

const module: RuleModule = {
  rules: [unreadMember, otherStep],
  checks: {
    document(model, report) {
      const told = new Set<string>();
      for (const expansion of model.expansions) {
        const found = meantStep(expansion, model);
        if (found === undefined) continue;
        const { name, index, instead, step } = found;
        told.add(`${step.node.start} ${name}`);
        const segment = expansion.syntax.path[1]!;
        report(
          otherStep,
          { node: expansion.node, from: segment.start, to: segment.end },
          { name, index, instead },
        );
      }
      for (const { key, program, pipe, parent, stepsRun } of model.commands) {
        if (key !== "!jq" || program === undefined || pipe === undefined || parent !== pipe) continue;
        const isLast = stepsRun === pipe.children.length - 1;
        if (isLast) continue;
        for (const name of unread(program, model)) {
          if (told.has(`${program.command.node.start} ${name}`)) continue;
          const object = finalObject(program);
          const entry = object === undefined ? undefined : entryOf(object, name);
          if (entry === undefined) continue;
          report(
            unreadMember,
            { node: program.node, from: entry.start, to: entry.end },
            { name, step: stepsRun + 1 },
          );
        }
      }
    },
  },
};
export default module;

/** The members of a step's object that nothing reads, where something reads others of it; a step that nobody reads is told as a whole. */
function unread(program: JqProgram, model: Model): readonly string[] {
  const { command } = program;
  if (command.pipe === undefined || command.parent !== command.pipe || program.diagnostics.length > 0)
    return [];
  const object = finalObject(program);
  const made = object === undefined ? undefined : literalMembers(object);
  const { members, whole } = valueReaders(model).of(command);
  if (made === undefined || whole || members.size === 0) return [];
  return [...made.keys()].filter((name) => !members.has(name));
}

/** The step of which an expansion that reads of a response is most likely meant to read. */
function meantStep(
  { root, rootExact, syntax, command }: Expansion,
  model: Model,
):
  | { readonly name: string; readonly index: number; readonly instead: number; readonly step: Command }
  | undefined {
  const [, indexSegment, member] = syntax.path;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined || member === undefined)
    return undefined;
  const pipe = command?.pipe;
  const index = Number(indexSegment?.text);
  if (pipe === undefined || command === undefined || syntax.filters.length > 0) return undefined;
  const stepAt = (each: number): Command | undefined =>
    each === 0 ? stepBefore(pipe) : pipe.children[each - 1];
  if (stepAt(index)?.key !== "!http") return undefined;
  for (const instead of [index - 1, index + 1]) {
    const step = instead < 0 || instead > command.stepsRun ? undefined : stepAt(instead);
    if (step?.key !== "!jq" || step.program === undefined) continue;
    if (unread(step.program, model).includes(member.text)) return { name: member.text, index, instead, step };
  }
  return undefined;
}
