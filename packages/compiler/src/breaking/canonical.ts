import type { BoundTemplate, Command, Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { finalObject, literalMembers } from "../flow/literal-object.ts";
import { resultsOf } from "../flow/result.ts";
import type { JsonNode, ObjectNode, StringNode } from "../parse/syntax-tree.ts";
import { canonicalProgram } from "./canonical-program.ts";

/**
 * Texts that are equal where two commands certainly do the same: without layout, comments, the order of members, spellings of
 * expansions and of paths in programs.
 */
export function canonicalCommand(command: Command, model: Model): string {
  const steps = stepsOf(command, model);
  const [only] = steps;
  // A pipe of one step is that step.
  if (command.key !== "!pipe" || only === undefined) return canonical(command.node, model);
  return steps.length === 1
    ? canonicalCommand(only, model)
    : `{"!pipe":[${steps.map((step) => canonicalCommand(step, model)).join(",")}]}`;
}

/** The commands that are run one after the other; of a pipe that refers to no step by its number, those that do something. */
function stepsOf(command: Command, { expansions }: Model): readonly Command[] {
  const { node, key } = command;
  const steps = key === "!pipe" ? command.children.filter((child) => child !== undefined) : [command];
  const refersToSteps = expansions.some(
    (each) => each.root === "piped_content" && node.start <= each.node.start && each.node.end <= node.end,
  );
  return refersToSteps ? steps : steps.filter((step) => step.key !== "!print_c");
}

/**
 * What decides about one member of a command's output: the expression that makes it, and the requests and programs before it.
 * Other members of the output don't count, nor do headers and pagination of requests. Where the member can't be seen, all does.
 */
export function canonicalMember(command: Command, member: string, model: Model): string {
  const [result, another] = resultsOf(command);
  const object = result?.program === undefined ? undefined : finalObject(result.program);
  const members = object === undefined ? undefined : literalMembers(object);
  if (result?.program === undefined || another !== undefined || members?.has(member) !== true)
    return canonicalCommand(command, model);
  const only = object === undefined ? undefined : { object, value: members.get(member), name: member };
  const made = canonicalProgram(result.program, expansionText, only);
  const before = stepsOf(command, model).slice(0, -1);
  return JSON.stringify([...before.map((step) => stepText(step, model)), made]);
}

function stepText(step: Command, model: Model): string {
  const { argument } = step;
  if (step.key !== "!http" || argument?.kind !== "object") return canonicalCommand(step, model);
  const method = argument.get("method");
  const parts = ["path", "url", "params"].map((name) => canonical(argument.get(name), model));
  return JSON.stringify([method?.kind === "string" ? method.value.toUpperCase() : "GET", ...parts]);
}

function canonical(node: JsonNode | undefined, model: Model): string {
  if (node === undefined) return "";
  switch (node.kind) {
    case "object":
      return objectText(node, model);
    case "array":
      return `[${node.items.map((item) => canonical(item, model)).join(",")}]`;
    case "string":
      return stringText(node, model);
    default:
      return JSON.stringify(node.value);
  }
}

function objectText(node: ObjectNode, model: Model): string {
  const members = node.members
    .filter(({ name, repeated }) => name !== "_comment" && !repeated)
    .map(({ name, key, value }) => [templateText(key, model) ?? name, canonical(value, model)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

function stringText(node: StringNode, model: Model): string {
  const program = embedded(model).programs.get(node);
  if (program !== undefined && program.diagnostics.length === 0)
    return canonicalProgram(program, expansionText);
  return JSON.stringify(templateText(node, model) ?? node.value);
}

function templateText(node: StringNode, model: Model): string | undefined {
  const bound = embedded(model).templates.get(node);
  if (bound === undefined) return undefined;
  let text = "";
  let at = 0;
  for (const { syntax } of bound.expansions) {
    text += node.value.slice(at, syntax.start) + expansionText(syntax);
    at = syntax.end;
  }
  return text + node.value.slice(at);
}

function expansionText({ path, filters }: Expansion["syntax"]): string {
  const segments = path.map(({ text }) => text).join(".");
  const applied = filters.map(({ name, argument }) => `|${name}:${argument?.text ?? ""}`);
  return `\${${segments}${applied.join("")}}`;
}

const embedded = derived((model: Model) => ({
  programs: new Map<StringNode, JqProgram>(model.programs.map((program) => [program.node, program])),
  templates: new Map<StringNode, BoundTemplate>(model.templates.map((bound) => [bound.node, bound])),
}));
