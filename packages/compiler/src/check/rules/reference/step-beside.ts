import { escapedPattern, groupBy } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { stepAt } from "../../../flow/producers.ts";
import { type Made, madeBy } from "../../../flow/step-members.ts";
import { inputPath } from "../../../flow/value-path.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const stepBeside = defineRule<{ name: string; index: number; instead: number; beside: string }>({
  id: "reference/step-beside",
  severity: "warning",
  summary: "One value of a request is read from another step than all beside it, though their step makes it",
  why: "A step prepares what a request sends. Where the request takes one of its members from another step, by an index that is off by one, that value is missing, or goes out as it came, without what was done to it.",
  guards: ["expansion.piped_content", "command.!http", "D14"],
  message: ({ name, index, instead, beside }) =>
    `\`${name}\` is read from \`piped_content.${index}\`, though step ${instead} makes it, and \`${beside}\` beside it is read from there.`,
  because: ({ name, index, instead }) => [
    `\`piped_content.${instead}.${name}\` is made, and read elsewhere`,
    `nothing else reads \`${name}\` from \`piped_content.${index}\``,
  ],
  help: ({ name, instead }) => `Write \`\${piped_content.${instead}.${name}}\`.`,
  examples: [
    {
      title: "D14",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, person_no: .email[0:9], mail: .email}"}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.1.person_no}"}}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.«2».person_no}/mails/${piped_content.1.mail}"}}]}',
      good: '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, person_no: .email[0:9], mail: .email}"}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.1.person_no}"}}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.1.person_no}/mails/${piped_content.1.mail}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{list: ${custom_data.list.value}, person_no: .email[0:9], mail: .email}"}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.1.person_no}"}}, {"!http": {"method": "PUT", "path": "/lists/${piped_content.1.list}/people/${piped_content.1.person_no}/mails/${piped_content.1.mail}"}}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, `${instead}`, false)],
});

const module: RuleModule = {
  rules: [stepBeside],
  checks: {
    part(part, report) {
      const reads = part.expansions.flatMap(readOf);
      if (reads.length < 3) return;
      for (const [, beside] of groupBy(reads, ({ around }) => around)) {
        if (beside.length < 2) continue;
        for (const read of beside) {
          const meant = meantFor(read, beside, reads, part);
          if (meant === undefined) continue;
          const { node, syntax } = read.expansion;
          const { start, end } = syntax.path[1]!;
          report(stepBeside, { node, from: start, to: end }, meant);
        }
      }
    },
  },
};
export default module;

/** A member of a step's output that a request has, as it is. */
interface StepRead {
  readonly expansion: Expansion;
  readonly command: Command;
  readonly pipe: Command;
  readonly index: number;
  readonly name: string;
  /** The object of the body, or the text of the path, that it is a part of. */
  readonly around: unknown;
}

function readOf(expansion: Expansion): readonly StepRead[] {
  const { root, rootExact, syntax, command, node, position } = expansion;
  const [, index, member] = syntax.path;
  const pipe = command?.pipe;
  if (root !== "piped_content" || !rootExact || member === undefined || pipe === undefined) return [];
  if (command?.key !== "!http" || !/^\d+$/.test(index!.text)) return [];
  const around = position === "path" ? node : node.parent?.kind === "member" ? node.parent.parent : undefined;
  return around === undefined
    ? []
    : [{ expansion, command, pipe, index: Number(index!.text), name: member.text, around }];
}

/** The step that makes what is read, where that of the others beside it does, and the one that is read isn't known to have it. */
function meantFor(
  { expansion, command, pipe, index, name }: StepRead,
  beside: readonly StepRead[],
  all: readonly StepRead[],
  part: Part,
): Parameters<typeof stepBeside.message>[0] | undefined {
  const others = beside.filter((each) => each.name !== name);
  // Where something beside it is of the same step, both may be meant.
  if (others.length === 0 || others.some((each) => each.index === index)) return undefined;
  const instead = others[0]!.index;
  if (others.some((each) => each.index !== instead) || instead === index) return undefined;
  const [step, read] = [stepAt(command, instead), stepAt(command, index)];
  const made = step?.key === "!jq" && step !== read ? madeBy(step)?.[0] : undefined;
  const own = made?.find((each) => each.name === name);
  if (own === undefined || !others.every((each) => made!.some((one) => one.name === each.name)))
    return undefined;
  if (read !== undefined && read.key !== "!http") return undefined;
  // `.choir.id` of an answer, where the choir that is made has no id.
  const below = expansion.syntax.path[3]?.text;
  const value = own.entry.value === undefined ? undefined : bare(own.entry.value);
  const members = below !== undefined && value?.kind === "Object" ? literalMembers(value) : undefined;
  if (members?.has(below!) === false) return undefined;
  // What nothing reads of it is told as that.
  const isOfPipe = (each: StepRead): boolean => each.pipe === pipe && each.name === name;
  if (!all.some((each) => isOfPipe(each) && each.index === instead)) return undefined;
  if (all.filter((each) => isOfPipe(each) && each.index === index).length > 1) return undefined;
  if (isReadByPrograms(name, index, own, part) || isSaid(name, command)) return undefined;
  return { name, index, instead, beside: others[0]!.name };
}

/** Whether a program other than the one that makes it reads a member of that name, of anything, or all of that step. */
const isReadByPrograms = (name: string, index: number, { entry, program }: Made, part: Part): boolean =>
  (entry.value !== undefined && inputPath(bare(entry.value))?.at(-1) === name) ||
  part.programs.some(
    (each) =>
      (each !== program &&
        nodesOfKind(each, "Postfix").some((node) => inputPath(node)?.includes(name) === true)) ||
      each.holes.some(({ root, syntax: { path } }) => {
        const member = path[2]?.text ?? name;
        return root === "piped_content" && path[1]?.text === `${index}` && member === name;
      }),
  );

/** Whether a comment speaks of a member of that name. */
function isSaid(name: string, { node }: Command): boolean {
  const said = new RegExp(`(?<![\\w$])${escapedPattern(name)}(?!\\w)`);
  return commentsAround(node, []).some(({ value }) => said.test(value));
}
