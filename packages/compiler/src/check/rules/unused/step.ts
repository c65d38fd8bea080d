import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAt } from "../../../flow/documented-words.ts";
import { isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { idleHoles, readsInput, takesOfInput } from "../../../flow/protocol/reads-input.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { endsInUnsentChoice } from "./unsent-choice.ts";

const unusedStep = defineRule<{ command: string; step: number; next: string; read: number | undefined }>({
  id: "unused/step-output",
  severity: "warning",
  summary: "Nothing reads the output of this `!pipe` step",
  why: "A request reads only what its expansions name, not the output of the previous step. If the step's object should be sent, the API gets something else, or less.",
  guards: ["command.!pipe", "expansion.piped_content", "D14", "D16"],
  message: ({ command, step, next }) =>
    `Nothing reads the output of this \`${command}\`: neither \`${next}\` nor a \`\${piped_content.${step}}\`.`,
  because: ({ step, next }) => [
    `step ${step} makes a value`,
    `\`${next}\` sends only what its expansions name`,
  ],
  help: ({ step, read }) =>
    read === undefined
      ? `Read it as \`\${piped_content.${step}}\`, or remove the step.`
      : `Did you mean \`\${piped_content.${step}}\` instead of \`\${piped_content.${read}}\`?`,
  examples: [
    {
      title: "D14: the request reads the step before it",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{«"!jq"»: "{person: .}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}]}',
      good: '{"!pipe": [{"!jq": "{person: .}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "A request whose answer nobody reads",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{«"!http"»: {"path": "/people/${piped_content.0.id}"}}, {"!jq": "${piped_content.0} as $event | {email: $event.email}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.id}"}}, {"!jq": "{email: .email}"}]}',
    },
  ],
});

const trailingStep = defineRule<{ member: string }>({
  id: "unused/last-step",
  severity: "hint",
  tag: "unnecessary",
  summary: "The platform ignores the output of this last step",
  why: "Nothing reads the output of `create`, `update`, `delete` or a pipeline's `target`, so a program at their end has no effect. Often it belongs before a `!save` or before the request.",
  guards: ["webhook.create", "webhook.update", "webhook.delete", "data_pipeline.target"],
  message: ({ member }) => `The output of \`${member}\` is ignored, so this program does nothing.`,
  because: ({ member }) => [`\`${member}\` did its work in the previous step`, "this output is thrown away"],
  help: () => "Remove it, or move it before the step that should read it.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}, {«"!jq"»: "{ok: true}"}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unusedStep, trailingStep],
  checks: {
    part(part, report) {
      const reads = readsByPipe(part);
      for (const pipe of part.commands) {
        if (pipe.key !== "!pipe") continue;
        tellUnread(pipe, reads, report);
        if (!endsInUnsentChoice(pipe, part)) tellIgnored(pipe, report);
      }
    },
  },
};
export default module;

function tellUnread(pipe: Command, all: PipeReads, report: Report): void {
  const { children } = pipe;
  const uses = all.get(pipe) ?? [];
  for (const [index, step] of children.entries()) {
    const next = children[index + 1];
    if (step === undefined || next === undefined || !(onlyGives(step) || givesOnEachWay(step))) continue;
    if (uses.some((use) => use === undefined || use === index + 1)) continue;
    if (takesInput(next, all) && !isOnlyAskedFor(step, next)) continue;
    if (isForItsEffect(step)) continue;
    // The likeliest slip: the next step reads the one before this, or one that isn't there yet.
    const near = [index, index + 2].find((other) => uses.includes(other));
    report(unusedStep, step.member.key, { command: step.key, step: index + 1, next: next.key, read: near });
  }
}

function tellIgnored({ children, place, parent }: Command, report: Report): void {
  const last = children.at(-1);
  const member = ignored.get(place.name);
  if (member === undefined || parent !== undefined || last?.key !== "!jq" || children.length < 2) return;
  // A program that may fail on purpose does something.
  if (!/\berror\b/.test(last.program?.node.value ?? "")) report(trailingStep, last.member.key, { member });
}

/** Places whose output nobody reads, by their names. */
const ignored: ReadonlyMap<string, string> = new Map([
  ["intake.create", "create"],
  ["intake.update", "update"],
  ["intake.delete", "delete"],
  ["data_pipeline.target", "target"],
]);

/** Whether a step gives the fields of a resource: they are the same whatever comes in. */
const listsFields = ({ key, argument }: Command): boolean =>
  key === "!resource" && argument?.kind === "string" && argument.value.endsWith(".fields");

/** Whether a step does nothing but give something; a program that may fail on purpose does more, unless it makes an object too. */
function onlyGives(step: Command): boolean {
  const { key, argument, program, children } = step;
  if (key === "!switch" && children.some((child) => child?.key === "!error"))
    // Beside a refusal, a case may stand for "go on": it makes something only if it reads something.
    return (
      children.every((child) => child !== undefined && (child.key === "!error" || onlyGives(child))) &&
      children.some((child) => child?.program !== undefined && makesOfRead(child.program))
    );
  if (key === "!switch" || key === "!pipe")
    return children.length > 0 && children.every((child) => child !== undefined && onlyGives(child));
  if (key === "!jq") {
    if (program?.diagnostics.length !== 0) return false;
    return !/\berror\b|\bhalt/.test(program.node.value) || makesObject(plainBody(program), 1, isOfRead);
  }
  if (key === "!extract" || key === "!sha" || listsFields(step)) return true;
  if (key !== "!http" || argument?.kind !== "object") return false;
  const method = argument.get("method");
  return method === undefined || (method.kind === "string" && method.value.toUpperCase() === "GET");
}

/** Whether one case of a step makes an object of what it reads, which is good for nothing but to be read, and the others give something too. */
function givesOnEachWay(step: Command): boolean {
  if (step.key !== "!switch" || step.children.length < 2) return false;
  const ends = step.children.map((child) => (child?.key === "!pipe" ? child.children.at(-1) : child));
  const makes = ends.map((end) =>
    end?.key === "!jq" && end.program?.diagnostics.length === 0 && makesObject(plainBody(end.program))
      ? end.program
      : undefined,
  );
  return (
    ends.every((end, at) => end?.key === "!http" || end?.key === "!error" || makes[at] !== undefined) &&
    makes.some((program) => program !== undefined && makesOfRead(program))
  );
}

/** Whether a program makes an object, and of something that it reads. */
const makesOfRead = (program: JqProgram): boolean =>
  (program.holes.length > 0 || readsInput(program)) &&
  nodesOfKind(program, "Object").some(({ entries }) => entries.length > 0);

/**
 * Whether a step makes an object of what it reads, or null, and the next one asks which of them it is, but makes what it gives of something
 * else.
 */
function isOnlyAskedFor({ program }: Command, { key, program: next }: Command): boolean {
  if (key !== "!jq" || program === undefined || next === undefined || next.diagnostics.length > 0)
    return false;
  return !takesOfInput(next) && makesObject(plainBody(program), 2) && makesOfRead(program);
}

/** Whether an object has more than constants: beside `error(…)`, `{clear: true}` says no more than that nothing failed. */
const isOfRead = ({ entries }: ObjectConstruction): boolean =>
  entries.some(({ value }) => value === undefined || constantOf(value) === undefined);

/** Whether a program gives an object of its own making on one of its ways. */
function makesObject(
  node: Expression,
  least = 1,
  counts: (made: ObjectConstruction) => boolean = () => true,
): boolean {
  switch (node.kind) {
    case "Object":
      return node.entries.length >= least && counts(node);
    case "Group":
      return makesObject(node.body, least, counts);
    case "Array":
      // A list of them: `[.rows[] | {id}]`, `[{method: "add"}] + …`
      return node.body !== undefined && makesObject(node.body, least, counts);
    case "Arithmetic":
      return (
        node.rest.every(({ operator }) => operator === "+") &&
        makesObject(node.rest.at(-1)!.operand, least, counts)
      );
    case "Pipeline": {
      // `{…} | del(.[] | nulls)`
      const [last, ...before] = node.stages.toReversed();
      const isLeftOut = last?.kind === "Call" && /^(?:del|with_entries)$/.test(last.name.text);
      const made = isLeftOut ? before[0] : last;
      return made !== undefined && isExpression(made) && makesObject(made, least, counts);
    }
    case "If":
      return [...node.branches.map(({ body }) => body), node.otherwise].some(
        (body) => body !== undefined && makesObject(body, least, counts),
      );
    default:
      return false;
  }
}

/** Whether a step may take what the one before it gives; what isn't certain counts as taking it. */
function takesInput(step: Command, all: PipeReads): boolean {
  const { key, program, children, place } = step;
  if (key === "!http" || key === "!error" || key === "!respond" || listsFields(step)) return false;
  if (children.length > 0 && children.every((child) => child !== undefined)) {
    const [first] = children;
    // What becomes of a verification is told as that.
    if (key === "!switch" && program?.diagnostics.length === 0 && place.name !== "intake.verification")
      return readsInput(program) || children.some((child) => takesInput(child, all));
    // What comes into a pipe is what its first step gets, and what all of them may read by the index 0.
    const reads = all.get(step) ?? [];
    if (key === "!pipe" && first !== undefined)
      return takesInput(first, all) || reads.some((read) => read === undefined || read === 0);
  }
  if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return true;
  return readsInput(program);
}

/** The indexes that are read of each pipe's steps; undefined for one that can't be told. */
type PipeReads = ReadonlyMap<Command, readonly (number | undefined)[]>;

function readsByPipe({ programs, expansions }: Part): PipeReads {
  const found = new Map<Command, (number | undefined)[]>();
  const idle = new Set<Expansion>();
  for (const program of programs) for (const expansion of idleIn(program)) idle.add(expansion);
  for (const expansion of expansions) {
    const pipe = pipeOf(expansion);
    if (pipe === undefined || idle.has(expansion)) continue;
    const reads = found.get(pipe);
    if (reads === undefined) found.set(pipe, [indexOf(expansion)]);
    else reads.push(indexOf(expansion));
  }
  return found;
}

/** What a program only gives a name that nothing reads. */
function idleIn(program: JqProgram): readonly Expansion[] {
  if (program.holes.length === 0 || nodesOfKind(program, "Binding").length === 0) return [];
  const idle = idleHoles(program);
  return idle.size === 0 ? [] : program.holes.filter((_, index) => idle.has(index));
}

/** The pipe whose steps an expansion may mean: those of a command that is a pipe itself are around it. */
function pipeOf({ root, rootExact, command }: Expansion): Command | undefined {
  return root === undefined || root === "piped_content" || !rootExact ? command?.pipe : undefined;
}

function indexOf({ root, rootExact, syntax, command }: Expansion): number | undefined {
  const index = syntax.path[1]?.text;
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) return undefined;
  // One that hasn't run is a slip, and may mean any.
  const isRun = index !== undefined && /^\d+$/.test(index) && Number(index) <= (command?.stepsRun ?? 0);
  return isRun ? Number(index) : undefined;
}

/** Whether its own comment says what a request does besides: `Fails with 404 where the person is gone.` */
const isForItsEffect = ({ key, node }: Command): boolean =>
  key === "!http" &&
  commentsAt(node).some(({ value }) =>
    /\b(?:fails|stops|refuses|404|makes sure|only to|tells|marks?|claims?|wakes?|locks?|touch(?:es)?)\b/i.test(
      value,
    ),
  );
